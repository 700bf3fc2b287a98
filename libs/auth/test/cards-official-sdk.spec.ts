import { type AgentCard as SdkCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import { type JsonObject } from '@bufbuild/protobuf';
import { type JWK } from 'jose';
import { AgentCardVerifier } from '../src/index.js';
import { type JwsCardSigner } from '../src/cards/jws-card.signer.js';
import { CARD, jwkOf, makeKey, signed, without } from './support/signed-cards.js';

const key = makeKey();
const source = { jwk: jwkOf(key) };

describe('signed cards and the official JavaScript SDK', () => {
  const sdkVerify = (signer: JwsCardSigner, card: JsonObject): Promise<void> => {
    const keyOf = async (kid: string): Promise<JWK> => signer.publicKeys.find((jwk) => jwk.kid === kid) ?? {};
    return verifyAgentCardSignature(keyOf)(card as unknown as SdkCard);
  };

  beforeEach(() => jest.spyOn(console, 'debug').mockReturnValue());
  afterEach(() => jest.restoreAllMocks());

  it('agree on a card without empty members', async () => {
    const plain = {
      ...CARD,
      securityRequirements: [{ schemes: { code: { list: ['read'] } } }],
      securitySchemes: without(CARD['securitySchemes'] as JsonObject, 'mtls'),
      skills: [{ id: 's', name: 'Übersetzen', description: 'd', tags: ['t'] }],
    };
    const { card, signer } = await signed([{ source }], plain);
    await expect(sdkVerify(signer, card)).resolves.toBeUndefined();
  });

  it('agree on every card with a second signature in the form of the SDKs', async () => {
    const { card, signer } = await signed([{ source }, { source: { jwk: jwkOf(makeKey()) }, form: 'sdk' }]);
    await expect(sdkVerify(signer, card)).resolves.toBeUndefined();
    await expect(new AgentCardVerifier({ keys: signer.publicKeys }).verify(card)).resolves.toBeDefined();
  });

  it('never rely on that second signature here: alone it proves nothing', async () => {
    const { card, signer } = await signed([{ source, form: 'sdk' }]);
    await expect(new AgentCardVerifier({ keys: signer.publicKeys }).verify(card)).rejects.toThrow('No signature');
  });
});
