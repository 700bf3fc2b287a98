/** How the host asks people for approvals. Doubles as the injection token. */
export abstract class ApprovalOptions {
  /** Absolute URL under which people reach this host, without a trailing slash. Links are made from it. */
  abstract readonly publicUrl: string;
  /** How long an approval can be given and used. Milliseconds. */
  abstract readonly expiresAfterMs: number;
}

/** Seven days. */
export const DEFAULT_EXPIRES_AFTER_MS = 7 * 24 * 60 * 60 * 1_000;
