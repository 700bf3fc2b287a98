import { type AgentEvent, type TurnContext } from '@a2a/a2a-core';
import { type Approval } from '../../../approvals/approval.js';
import { approvalRequest } from '../../../approvals/approval-link.js';
import { type Behaviour, type Tools } from '../behaviour.js';

export function asks(text: string): Behaviour {
  return async function* (turn) {
    yield turn.requireInput(text);
  };
}

/** AUTH_REQUIRED, with nobody to give the authorization. */
export const waitsForAuthorization: Behaviour = async function* (turn) {
  yield turn.requireAuth('Please authorize this out of band');
};

/** What was answered becomes the artifact. */
export const makesArtifactOfAnswer: Behaviour = async function* (turn) {
  yield turn.artifact(turn.text);
  yield turn.completed();
};

/** AUTH_REQUIRED, with a link to the host's approval page. */
export const asksForApproval: Behaviour = async function* (turn, tools) {
  yield requireApproval(turn, await approvalOf(turn, tools), tools);
};

/** A message while an approval is awaited: `deny` fails the task, anything else changes nothing. */
export const hearsDenial: Behaviour = async function* (turn, tools) {
  const approval = await approvalOf(turn, tools);
  if (turn.text.trim().toLowerCase() !== 'deny') return yield requireApproval(turn, approval, tools);
  await tools.approvals.withdraw(approval.id);
  yield turn.failed('Denied by the client');
};

/** Somebody has decided. What the page recorded counts, not that the task was woken (A2A §7.6.4). */
export const goesOnWhenApproved: Behaviour = async function* (turn, tools) {
  const approval = await approvalOf(turn, tools);
  switch (tools.approvals.statusOf(approval)) {
    case 'open':
      return yield requireApproval(turn, approval, tools);
    case 'approved':
      yield turn.working();
      yield turn.completed('Approved');
      break;
    default:
      yield turn.failed('Not approved');
  }
  await tools.approvals.settle(approval.id);
};

/** The one approval of this task. */
async function approvalOf(turn: TurnContext, { approvals }: Tools): Promise<Approval> {
  const request = { task: turn.ref, title: 'May this task go on?', facts: [{ label: 'Task', value: turn.taskId }], subject: turn.taskId };
  return approvals.get(await turn.memo('approval', async () => (await approvals.open(request)).id));
}

function requireApproval(turn: TurnContext, approval: Approval, { approvals }: Tools): AgentEvent {
  return turn.requireAuth(approvalRequest('This task needs an approval', approvals.urlOf(approval), approval));
}
