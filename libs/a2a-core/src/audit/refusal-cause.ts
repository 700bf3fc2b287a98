/**
 * Why a call was refused, as the `cause` of the error its caller gets. Goes to the audit trail and to nobody else, since it may tell
 * apart what callers must not.
 */
export class RefusalCause extends Error {
  /** @param message for those who run the host, such as `scope` or `bearer: expired`; nothing that a caller wrote */
  constructor(message: string) {
    super(message);
    this.name = 'RefusalCause';
  }
}
