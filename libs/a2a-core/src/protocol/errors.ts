/** Every cause an error of this platform can have: the nine of A2A §3.3.2 and the generic categories around them. */
export type A2aErrorReason =
  | 'TASK_NOT_FOUND'
  | 'TASK_NOT_CANCELABLE'
  | 'PUSH_NOTIFICATION_NOT_SUPPORTED'
  | 'UNSUPPORTED_OPERATION'
  | 'CONTENT_TYPE_NOT_SUPPORTED'
  | 'INVALID_AGENT_RESPONSE'
  | 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'
  | 'EXTENSION_SUPPORT_REQUIRED'
  | 'VERSION_NOT_SUPPORTED'
  | 'PARSE_ERROR'
  | 'INVALID_REQUEST'
  | 'METHOD_NOT_FOUND'
  | 'INVALID_PARAMS'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'ROUTE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'PAYLOAD_TOO_LARGE'
  | 'RATE_LIMITED'
  | 'REQUEST_TIMEOUT'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/** The reasons that are errors of the A2A protocol itself; they travel with `domain: a2a-protocol.org` (A2A §10.6, §11.6). */
export const A2A_PROTOCOL_REASONS: ReadonlySet<A2aErrorReason> = new Set<A2aErrorReason>([
  'TASK_NOT_FOUND',
  'TASK_NOT_CANCELABLE',
  'PUSH_NOTIFICATION_NOT_SUPPORTED',
  'UNSUPPORTED_OPERATION',
  'CONTENT_TYPE_NOT_SUPPORTED',
  'INVALID_AGENT_RESPONSE',
  'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  'EXTENSION_SUPPORT_REQUIRED',
  'VERSION_NOT_SUPPORTED',
]);

/** `domain` of every google.rpc.ErrorInfo whose reason the protocol defines (A2A §9.5, §10.6, §11.6). */
export const A2A_ERROR_DOMAIN = 'a2a-protocol.org';

/** One wrong member of a request. `field` is a dotted path in JSON names, such as `message.parts`. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/** Facts that travel with an error, in the shapes of google.rpc.ErrorInfo, BadRequest and RetryInfo. */
export interface A2aErrorDetails {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly fieldViolations?: readonly FieldViolation[];
  readonly retryAfterSeconds?: number;
  /** Values of `WWW-Authenticate`, one for each scheme that would do. */
  readonly challenges?: readonly string[];
}

/**
 * An error that a client may see. `message` and `details` are public; `cause` is for the log only.
 *
 * What is not an A2aError leaves a wire as `InternalError`, without its text.
 */
export class A2aError extends Error {
  constructor(
    readonly reason: A2aErrorReason,
    message: string,
    readonly details: A2aErrorDetails = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Absent, or not the caller's: the two are told apart nowhere (A2A §3.3.2, §13.1). */
export class TaskNotFoundError extends A2aError {
  constructor(taskId: string, metadata: Record<string, string> = {}) {
    super('TASK_NOT_FOUND', 'Task not found', { metadata: { taskId, ...metadata } });
  }
}

/** The task has ended, and not as CANCELED (A2A §3.1.5). */
export class TaskNotCancelableError extends A2aError {
  constructor(taskId: string, state: string) {
    super('TASK_NOT_CANCELABLE', `Task cannot be canceled: it is ${state}`, { metadata: { taskId, state } });
  }
}

/** The card does not declare push notifications (A2A §3.3.4). Comes before any look at the task. */
export class PushNotificationNotSupportedError extends A2aError {
  constructor() {
    super('PUSH_NOTIFICATION_NOT_SUPPORTED', 'This agent does not send push notifications');
  }
}

/** The operation, or the state that the task is in, does not allow it (A2A §3.3.2). The message says what would. */
export class UnsupportedOperationError extends A2aError {
  constructor(message: string, metadata?: Record<string, string>) {
    super('UNSUPPORTED_OPERATION', message, { metadata });
  }
}

/** The message is for a task that has ended, and a task that has ended never changes (A2A §3.1.1). */
export class TaskEndedError extends UnsupportedOperationError {
  /** @param state name of the state it ended in */
  constructor(taskId: string, state: string) {
    super(`The task has ended (${state}); begin a new one in the same context, with this one in referenceTaskIds`, { taskId, state });
  }
}

/** A part, or the output that is asked for, has a media type that no skill of the agent takes or makes (A2A §3.3.2). */
export class ContentTypeNotSupportedError extends A2aError {
  constructor(message: string, metadata?: Record<string, string>) {
    super('CONTENT_TYPE_NOT_SUPPORTED', message, { metadata });
  }
}

/** The agent's own code produced something that the protocol forbids. `cause` says what, for the log. */
export class InvalidAgentResponseError extends A2aError {
  constructor(cause: string, metadata?: Record<string, string>) {
    super('INVALID_AGENT_RESPONSE', 'The agent gave an invalid response', { metadata }, { cause: new Error(cause) });
  }
}

/** The card promises an extended card and the agent has none (A2A §3.1.11). */
export class ExtendedAgentCardNotConfiguredError extends A2aError {
  constructor() {
    super('EXTENDED_AGENT_CARD_NOT_CONFIGURED', 'This agent has no extended card configured');
  }
}

/** The card marks these extensions as required, and the call activates them not (A2A §4.6). */
export class ExtensionSupportRequiredError extends A2aError {
  constructor(missing: readonly string[]) {
    super('EXTENSION_SUPPORT_REQUIRED', `This agent requires extensions that the request does not activate: ${missing.join(', ')}`, {
      metadata: { extensions: missing.join(',') },
    });
  }
}

/** The call names a version of the protocol that is not spoken here, or none, which means 0.3 (A2A §3.6.2). */
export class VersionNotSupportedError extends A2aError {
  constructor(supported: readonly string[]) {
    super('VERSION_NOT_SUPPORTED', `Protocol version not supported; send A2A-Version: ${supported.join(' or ')}`, {
      metadata: { supportedVersions: supported.join(',') },
    });
  }
}

/** The request does not fit its schema or a limit. Names every wrong member (A2A §3.3.2). */
export class InvalidParamsError extends A2aError {
  constructor(fieldViolations: readonly FieldViolation[], message = 'Invalid parameters') {
    const first = fieldViolations[0];
    super('INVALID_PARAMS', first ? `${message}: ${first.field}: ${first.description}` : message, { fieldViolations });
  }

  static of(field: string, description: string): InvalidParamsError {
    return new InvalidParamsError([{ field, description }]);
  }
}

/** Something failed that is not the caller’s to know: the caller gets the id, the log the cause under the same id. */
export class InternalError extends A2aError {
  constructor(errorId: string, cause?: unknown) {
    super('INTERNAL', 'Internal error', { metadata: { errorId } }, { cause });
  }
}

/** The store or an identity provider is away for now, or the host stops. The same call may succeed after the delay. */
export class UnavailableError extends A2aError {
  constructor(message = 'The service is not available right now', retryAfterSeconds = 5, cause?: unknown) {
    super('UNAVAILABLE', message, { retryAfterSeconds }, { cause });
  }
}
