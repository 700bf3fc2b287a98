import { readFileSync } from 'node:fs';
import { create } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { type ModuleRef } from '@nestjs/core';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-strategy';
import { HTTPAuthSecuritySchemeSchema, SecuritySchemeSchema } from '@a2a/a2a-core';
import {
  type ApiKey,
  apiKeyScheme,
  ApiKeyStore,
  hashApiKey,
  passportScheme,
  type PreparedScheme,
  type SchemeDeclaration,
  type SchemeVerifier,
} from '../src/index.js';
import { PassportScheme } from '../src/schemes/passport.scheme.js';
import { schemeVerifierContract } from '../../../test/contracts/scheme-verifier.contract.js';
import { AuthHost, headers } from './support/auth-host.js';
import { hostedAgent } from './support/hosted-agents.js';
import { KnockScheme, knockScheme } from './support/knock.scheme.js';

/** The strategy is given; none is looked for among providers. */
const noModules = {} as ModuleRef;

async function prepare<Settings>(verifier: SchemeVerifier<Settings>, declaration: SchemeDeclaration<Settings>): Promise<PreparedScheme> {
  return verifier.prepare({ ...declaration, name: 'x' });
}

/** A strategy from elsewhere, with a callback, a status and a user of its own. */
class DoorStrategy extends Strategy {
  constructor(private readonly check: (word: string, done: (error: unknown, user?: { name: string } | false) => void) => void) {
    super();
  }

  override authenticate(request: { headers: Record<string, string | string[] | undefined> }): void {
    const word = String(request.headers['x-door'] ?? '');
    if (word.length > 20) return this.fail(400);
    this.check(word, (error, user) => (error ? this.error(error as Error) : user ? this.success(user) : this.fail(401)));
  }
}

@Injectable()
class OpenSesame extends PassportStrategy(DoorStrategy, 'door') {
  validate(word: string): { name: string } | false {
    if (word === 'broken') throw new Error('the door is stuck');
    return word.startsWith('sesame-') && { name: word.slice(7) };
  }
}

const DOOR = passportScheme({
  card: create(SecuritySchemeSchema, {
    scheme: { case: 'httpAuthSecurityScheme', value: create(HTTPAuthSecuritySchemeSchema, { scheme: 'Door' }) },
  }),
  strategy: OpenSesame,
  carriers: [{ in: 'header', name: 'X-Door' }],
  identityOf: (user) => ({ realm: 'door', issuer: 'door', subject: (user as { name: string }).name, scopes: [] }),
});

schemeVerifierContract('a passport strategy from elsewhere', async () => ({
  prepared: await prepare(new PassportScheme(noModules), { ...DOOR, settings: { ...DOOR.settings, strategy: new OpenSesame() } }),
  valid: [headers({ 'x-door': 'sesame-ali' })],
  other: headers({ 'x-door': 'sesame-cassim' }),
  invalid: [headers({ 'x-door': 'barley' })],
  malformed: [headers({ 'x-door': 'x'.repeat(21) })],
  secrets: ['barley'],
}));

schemeVerifierContract('a kind of its own', async () => ({
  prepared: await prepare(new KnockScheme(), knockScheme({ neighbours: { 3: 'ann', 5: 'ben' } })),
  valid: [headers({ 'x-knocks': '3' })],
  other: headers({ 'x-knocks': '5' }),
  invalid: [headers({ 'x-knocks': '4' })],
  malformed: [headers({ 'x-knocks': 'three' })],
  secrets: ['three'],
}));

class KeyTable extends ApiKeyStore {
  async find(sha256: string): Promise<ApiKey | undefined> {
    if (sha256 === hashApiKey('breaks')) throw new Error('the database is down');
    return sha256 === hashApiKey('from-the-table') ? { sha256, subject: 'row-7' } : undefined;
  }
}

describe('a host with schemes of its own', () => {
  it('runs a strategy made by @nestjs/passport, found among the providers', async () => {
    const host = await AuthHost.start({ schemes: { door: DOOR } }, [hostedAgent({ id: 'a', security: { requirements: [{ door: [] }] } })], {
      providers: [OpenSesame],
    });
    expect((await host.call(headers({ 'x-door': 'sesame-ali' }))).principal?.subject).toBe('ali');
    expect((await host.call(headers({ 'x-door': 'broken' }))).error?.reason).toBe('UNAVAILABLE');
    expect((await host.call({})).error?.details.challenges).toEqual(['door realm="a"']);
    await host.stop();
  });

  it('finds a verifier of a new kind among the providers', async () => {
    const host = await AuthHost.start(
      { schemes: { front: knockScheme({ neighbours: { 3: 'ann' } }) } },
      [hostedAgent({ id: 'a', security: { requirements: [{ front: [] }] } })],
      { providers: [KnockScheme] },
    );
    expect((await host.call(headers({ 'x-knocks': '3' }))).principal).toMatchObject({ issuer: 'front', subject: 'ann' });
    expect((await host.call(headers({ 'x-knocks': '2' }))).error?.reason).toBe('UNAUTHENTICATED');
    await host.stop();
  });

  it('is shown whole by the page on adding one', () => {
    const page = readFileSync('docs/adding/a-security-scheme.md', 'utf8');
    const source = readFileSync('libs/auth/test/support/knock.scheme.ts', 'utf8');
    expect(page).toContain(source.slice(source.indexOf('interface KnockSettings')));
  });

  it('looks keys up in a table of its own, and is UNAVAILABLE while the table is', async () => {
    const keys = apiKeyScheme({ in: 'header', name: 'x-api-key', keys: KeyTable });
    const host = await AuthHost.start({ schemes: { keys } }, [hostedAgent({ id: 'a', security: { requirements: [{ keys: [] }] } })], {
      providers: [KeyTable],
    });
    expect((await host.call(headers({ 'x-api-key': 'from-the-table' }))).principal?.subject).toBe('row-7');
    expect((await host.call(headers({ 'x-api-key': 'breaks' }))).error?.reason).toBe('UNAVAILABLE');
    await host.stop();
  });
});
