import { createHash, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Clock } from '@a2a/a2a-core';
import { BoundedMap } from '../tokens/bounded-map.js';

/** A user who may come with name and password. */
export interface BasicUser {
  /** Without a colon. Never given to somebody else later: tasks belong to it. */
  readonly username: string;
  /** What `hashPassword` returns; never the password. */
  readonly passwordHash: string;
  readonly displayName?: string;
  /** Default: none. */
  readonly scopes?: readonly string[];
  /** Tenants the user belongs to. Default: none. */
  readonly tenants?: readonly string[];
}

/** Where users are looked up. A team with a directory provides its own. */
export abstract class BasicUserStore {
  /**
   * @returns undefined for an unknown user and for a wrong password, after about the same time
   * @throws anything when the store cannot tell; the caller is told to come back later
   */
  abstract verify(username: string, password: string): Promise<Omit<BasicUser, 'passwordHash'> | undefined>;
}

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const HASH_FORM = /^scrypt:([A-Za-z0-9_-]{22}):([A-Za-z0-9_-]{43})$/;

/** A password as it may be kept: scrypt with Node's costs (N 16 384, r 8, p 1) and a salt of its own. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `scrypt:${salt.toString('base64url')}:${(await derive(password, salt, KEY_BYTES)).toString('base64url')}`;
}

/** A hash that no password has, so that unknown users cost what known ones do. */
const NOBODY = `scrypt:${Buffer.alloc(SALT_BYTES).toString('base64url')}:${createHash('sha256').digest('base64url')}`;
/** Passwords found right a moment ago; scrypt on every call would cost more than the call. */
const REMEMBERED_USERS = 1_000;
const REMEMBERED_MS = 60_000;

/** Users from configuration. */
export class ListedBasicUsers extends BasicUserStore {
  readonly #users: ReadonlyMap<string, BasicUser>;
  readonly #recent = new BoundedMap<string, number>(REMEMBERED_USERS);
  /** Of this process only, so that what is remembered is worth nothing elsewhere. */
  readonly #secret = randomBytes(32);

  /** @throws {Error} for a hash that is none, so that a password in clear text never works by accident */
  constructor(
    users: readonly BasicUser[],
    private readonly clock: Clock,
  ) {
    super();
    for (const { username, passwordHash } of users) {
      if (!HASH_FORM.test(passwordHash)) throw new Error(`User "${username}" needs a passwordHash made by hashPassword()`);
    }
    this.#users = new Map(users.map((user) => [user.username, user]));
  }

  async verify(username: string, password: string): Promise<BasicUser | undefined> {
    const user = this.#users.get(username);
    const hash = user?.passwordHash ?? NOBODY;
    const key = createHmac('sha256', this.#secret)
      .update(JSON.stringify([hash, password]))
      .digest('base64url');
    if ((this.#recent.get(key) ?? 0) < this.clock.now() - REMEMBERED_MS) {
      if (!(await matches(password, hash))) return undefined;
      this.#recent.set(key, this.clock.now());
    }
    return user;
  }
}

async function matches(password: string, hash: string): Promise<boolean> {
  const [, salt = '', expected = ''] = HASH_FORM.exec(hash) ?? [];
  const derived = await derive(password, Buffer.from(salt, 'base64url'), KEY_BYTES);
  return timingSafeEqual(derived, Buffer.from(expected, 'base64url'));
}
