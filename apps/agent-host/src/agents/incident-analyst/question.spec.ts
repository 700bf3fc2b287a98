import { questionIn } from './question.js';

describe('A short message', () => {
  it.each([
    ['only the timeline', { wants: 'timeline' }],
    ['Please show me the timeline.', { wants: 'timeline' }],
    ['just the errors, please', { wants: 'group-errors' }],
    ['give me the error groups', { wants: 'group-errors' }],
    ['focus on payments', { focus: 'payments' }],
    ['Now look only at `order-service`.', { focus: 'order-service' }],
    ['only the search service', { focus: 'search' }],
    ['only the timeline, and focus on payments.', { wants: 'timeline', focus: 'payments' }],
  ])('asks for something: %s', (text, asked) => {
    expect(questionIn(text)).toEqual({ wants: undefined, focus: undefined, isQuestion: true, ...asked });
  });

  it('may simply be a question', () => {
    expect(questionIn('why did it fail?')).toMatchObject({ isQuestion: true, wants: undefined });
  });

  it.each(['hello', 'payments fail since noon', 'ERROR only one error: timeline broken\n'.repeat(10)])('may be none: %s', (text) => {
    expect(questionIn(text)).toMatchObject({ isQuestion: false });
  });
});
