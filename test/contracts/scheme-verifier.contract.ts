import { type CallSeed } from '@a2a/a2a-core';
import {
  type AuthRequest,
  ClientCertificateReader,
  type PreparedScheme,
  runStrategy,
  type StrategyResult,
  toAuthRequest,
  valueIn,
  type VerifiedIdentity,
} from '@a2a/auth';

/** What a scheme's author shows the contract. Seeds hold only what matters: headers, parameters, a certificate. */
export interface SchemeExample {
  readonly prepared: PreparedScheme;
  /** Credentials of one caller, at least two spellings or tokens of it where there can be several. */
  readonly valid: readonly Partial<CallSeed>[];
  /** Credentials of somebody else. */
  readonly other: Partial<CallSeed>;
  /** Credentials that look right and are not: wrong, expired, forged. */
  readonly invalid: readonly Partial<CallSeed>[];
  /** Credentials that cannot be read; where every text is a possible credential, none. */
  readonly malformed?: readonly Partial<CallSeed>[];
  /** Texts that must never come out again: keys, tokens, passwords. */
  readonly secrets: readonly string[];
}

/** `WWW-Authenticate`: one challenge, a token and then parameters with quoted values (RFC 9110 §11.6.1). */
const CHALLENGE = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+( [a-z_]+="(?:[^"\\]|\\.)*"(, [a-z_]+="(?:[^"\\]|\\.)*")*)?$/;

/**
 * What every security scheme keeps, whoever wrote it.
 *
 * @param start runs before all claims; `stop` after them
 */
export function schemeVerifierContract(
  name: string,
  start: () => Promise<SchemeExample>,
  stop: () => Promise<void> = async () => {},
): void {
  describe(`the scheme contract: ${name}`, () => {
    let example: SchemeExample;

    beforeAll(async () => {
      example = await start();
    });
    afterAll(stop);

    const requestOf = (seed: Partial<CallSeed>): AuthRequest =>
      toAuthRequest(
        { binding: 'HTTP+JSON', headers: new Map(), query: new Map(), signal: new AbortController().signal, ...seed },
        new ClientCertificateReader(),
      );
    const run = (seed: Partial<CallSeed>): Promise<StrategyResult> => runStrategy(example.prepared.strategy, requestOf(seed));
    const isPresent = (seed: Partial<CallSeed>): boolean =>
      example.prepared.carriers.some((carrier) => valueIn(carrier, requestOf(seed)) !== undefined);

    async function identify(seed: Partial<CallSeed>): Promise<VerifiedIdentity> {
      const result = await run(seed);
      if (result.kind !== 'verified') throw new Error(`Expected the caller to be verified, and it was ${JSON.stringify(result)}`);
      const { identityOf } = example.prepared;
      return identityOf ? identityOf(result.user, requestOf(seed)) : (result.user as VerifiedIdentity);
    }

    it('finds its credentials in its carriers, and none in an empty call', () => {
      expect(example.prepared.carriers.length).toBeGreaterThan(0);
      expect([...example.valid, example.other, ...example.invalid, ...(example.malformed ?? [])].every(isPresent)).toBe(true);
      expect(isPresent({})).toBe(false);
    });

    it('knows a caller again, and knows callers apart', async () => {
      const callers = await Promise.all(example.valid.map(identify));
      const names = callers.map(({ realm, issuer, subject }) => JSON.stringify([realm, issuer, subject]));
      const { realm, issuer, subject } = await identify(example.other);
      expect(new Set(names).size).toBe(1);
      expect(names[0]).not.toBe(JSON.stringify([realm, issuer, subject]));
      expect([realm, issuer, subject].every((part) => part !== '')).toBe(true);
    });

    it('says that wrong credentials are invalid', async () => {
      const results = await Promise.all(example.invalid.map(run));
      expect(results.map(({ kind }) => kind)).toEqual(example.invalid.map(() => 'invalid'));
    });

    it('says that unreadable credentials are malformed', async () => {
      const results = await Promise.all((example.malformed ?? []).map(run));
      expect(results.map(({ kind }) => kind)).toEqual((example.malformed ?? []).map(() => 'malformed'));
    });

    it('keeps calls apart that run at the same time', async () => {
      const [valid = {}] = example.valid;
      const seeds = Array.from({ length: 10 }, () => [valid, example.other, ...example.invalid]).flat();
      const alone = await Promise.all([valid, example.other, ...example.invalid].map(run));
      const together = await Promise.all(seeds.map(run));
      expect(together.map(({ kind }) => kind)).toEqual(Array.from({ length: 10 }, () => alone.map(({ kind }) => kind)).flat());
    });

    it('never lets a secret out: not in reasons, challenges or identities', async () => {
      const results = await Promise.all([...example.valid, ...example.invalid, ...(example.malformed ?? [])].map(run));
      const said = JSON.stringify([results, example.prepared.challenge({ realm: 'a', scopes: ['b'] })]);
      expect(example.secrets.filter((secret) => said.includes(secret))).toEqual([]);
    });

    it('challenges in the form of RFC 9110, whatever the realm', () => {
      const realms = ['a', 'with "quotes" and \\', 'two\r\nlines: x'];
      const challenges = realms.map((realm) => example.prepared.challenge({ realm, scopes: ['read', 'write'], error: 'invalid_token' }));
      expect(challenges.filter((challenge) => !CHALLENGE.test(challenge))).toEqual([]);
    });
  });
}
