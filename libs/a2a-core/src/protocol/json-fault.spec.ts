import { type JsonValue } from '@bufbuild/protobuf';
import { AgentCardSchema, ListTasksRequestSchema, SendMessageRequestSchema } from '../gen/a2a_pb.js';
import { findFault } from './json-fault.js';

describe('findFault', () => {
  it.each<[JsonValue, string, string]>([
    ['text', 'SendMessageRequest', 'expected an object'],
    [{ message: 5 }, 'message', 'expected an object'],
    [{ message: { messageId: true } }, 'message.messageId', 'expected a string'],
    [{ message: { parts: {} } }, 'message.parts', 'expected an array'],
    [{ message: { parts: [{ text: 'a' }, null] } }, 'message.parts[1]', 'must not be null'],
    [{ message: { parts: [{ raw: '*' }] } }, 'message.parts[0].raw', 'expected base64 text'],
    [{ message: { parts: [{ text: 'a', url: 'b' }] } }, 'message.parts[0]', 'holds text and url, of which only one may be set'],
    [{ message: { metadata: [] } }, 'message.metadata', 'expected an object'],
    [{ message: { reference_task_ids: ['a', 1] } }, 'message.referenceTaskIds[1]', 'expected a string'],
    [{ configuration: { historyLength: 1.5 } }, 'configuration.historyLength', 'expected an integer of 32 bits'],
    [{ configuration: { returnImmediately: 'yes' } }, 'configuration.returnImmediately', 'expected true or false'],
  ])('says what is wrong in %j [ERR-08]', (json, field, description) => {
    expect(findFault(SendMessageRequestSchema, json, '')).toEqual({ field, description });
  });

  it('says how a time is written [SER-07]', () => {
    expect(findFault(ListTasksRequestSchema, { statusTimestampAfter: 'now' }, '')).toEqual({
      field: 'statusTimestampAfter',
      description: 'expected a timestamp such as 2026-01-31T12:00:00Z',
    });
  });

  it('finds its way through maps', () => {
    const card = { securitySchemes: { good: { mtlsSecurityScheme: {} }, bad: { apiKeySecurityScheme: { name: 1 } } } };
    expect(findFault(AgentCardSchema, card, 'card').field).toBe('card.securitySchemes.bad.apiKeySecurityScheme.name');
  });

  it('tells depth from a wrong type', () => {
    const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) as JsonValue;
    const found = findFault(SendMessageRequestSchema, { message: { parts: [{ data: deep }] } }, '');
    expect(found).toEqual({ field: 'message.parts[0].data', description: 'nested too deeply' });
  });
});
