import { Injectable, type OnModuleInit } from '@nestjs/common';
import { create, type JsonObject } from '@bufbuild/protobuf';
import { FlattenedSign, type JWK } from 'jose';
import {
  type AgentCard,
  AgentCardSchema,
  type AgentCardSignature,
  AgentCardSignatureSchema,
  AgentCardSigner,
  messageToJson,
} from '@a2a/a2a-core';
import { A2aAuthOptions } from '../auth.options.js';
import { cardPayload } from './card-payload.js';
import { type CardSigningKey, loadSigningKey } from './card-signing-keys.js';

/**
 * Signs cards with every active key: a flattened JWS without its payload (A2A §8.4.2).
 *
 * An ECDSA signature takes about two milliseconds, so sign when a card changes and not when it is read.
 */
@Injectable()
export class JwsCardSigner extends AgentCardSigner implements OnModuleInit {
  #keys: readonly CardSigningKey[] = [];
  #loading?: Promise<void>;

  constructor(private readonly options: A2aAuthOptions) {
    super();
  }

  /** @throws {Error} for a key that cannot be read or has another's `kid`; the host does not start then */
  onModuleInit(): Promise<void> {
    this.#loading ??= this.load();
    return this.#loading;
  }

  private async load(): Promise<void> {
    this.#keys = await Promise.all((this.options.cardSigning?.keys ?? []).map(loadSigningKey));
    const ids = this.publicKeys.map(({ kid }) => kid);
    if (new Set(ids).size < ids.length) throw new Error('Two card signing keys have the same kid; give each its own, or leave kid out');
  }

  /** Once the host has started: what belongs at `jku`, as the `keys` of a JWKS: active keys first, then retired ones. */
  get publicKeys(): readonly JWK[] {
    return [...this.#keys.map(({ publicJwk }) => publicJwk), ...(this.options.cardSigning?.retiredKeys ?? []).map(publicPart)];
  }

  async sign(card: AgentCard): Promise<readonly AgentCardSignature[]> {
    await this.onModuleInit();
    const json = messageToJson(AgentCardSchema, card) as JsonObject;
    return Promise.all(this.#keys.map((key) => this.signWith(key, json)));
  }

  private async signWith({ alg, kid, form, privateKey }: CardSigningKey, card: JsonObject): Promise<AgentCardSignature> {
    const { jku } = this.options.cardSigning ?? {};
    const jws = await new FlattenedSign(cardPayload(card, form))
      .setProtectedHeader({ alg, typ: 'JOSE', kid, ...(jku === undefined ? {} : { jku }) })
      .sign(privateKey);
    return create(AgentCardSignatureSchema, { protected: jws.protected ?? '', signature: jws.signature });
  }
}

const PUBLIC_MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg', 'use'] as const;

/** A retired key given whole is published without its private half. */
function publicPart(jwk: JWK): JWK {
  return Object.fromEntries(PUBLIC_MEMBERS.flatMap((name) => (jwk[name] === undefined ? [] : [[name, jwk[name]]]))) as JWK;
}
