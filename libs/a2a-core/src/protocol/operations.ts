import { type DescMessage, type DescMethod, getOption } from '@bufbuild/protobuf';
import { type HttpRule } from '../gen/google/api/http_pb.js';
import { http } from '../gen/google/api/annotations_pb.js';
import { A2AService } from '../gen/a2a_pb.js';

/** Names of the eleven operations: RPC names and JSON-RPC methods alike (A2A §5.3). */
export type OperationName =
  | 'SendMessage'
  | 'SendStreamingMessage'
  | 'GetTask'
  | 'ListTasks'
  | 'CancelTask'
  | 'SubscribeToTask'
  | 'CreateTaskPushNotificationConfig'
  | 'GetTaskPushNotificationConfig'
  | 'ListTaskPushNotificationConfigs'
  | 'GetExtendedAgentCard'
  | 'DeleteTaskPushNotificationConfig';

/** What an agent's card has to declare before an operation may be used (A2A §3.3.4). */
export type RequiredCapability = 'streaming' | 'pushNotifications' | 'extendedAgentCard';

/** One way to reach an operation over HTTP. `path` is a google.api.http template such as `/tasks/{id=*}:cancel`. */
export interface HttpRoute {
  readonly verb: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly hasBody: boolean;
}

/** One of the eleven operations as the service description has it; see `OPERATIONS`. */
export interface Operation {
  readonly name: OperationName;
  /** Key of the method in RequestHandler. */
  readonly handler: Uncapitalize<OperationName>;
  readonly input: DescMessage;
  readonly output: DescMessage;
  readonly streaming: boolean;
  readonly capability?: RequiredCapability;
  /** From the annotations of the proto, the tenant-prefixed forms included. */
  readonly routes: readonly HttpRoute[];
}

const CAPABILITIES: Partial<Record<OperationName, RequiredCapability>> = {
  SendStreamingMessage: 'streaming',
  SubscribeToTask: 'streaming',
  CreateTaskPushNotificationConfig: 'pushNotifications',
  GetTaskPushNotificationConfig: 'pushNotifications',
  ListTaskPushNotificationConfigs: 'pushNotifications',
  DeleteTaskPushNotificationConfig: 'pushNotifications',
  GetExtendedAgentCard: 'extendedAgentCard',
};

/** The table every wire is made from, read off the service in `proto/a2a.proto`. */
export const OPERATIONS: readonly Operation[] = A2AService.methods.map(toOperation);

const BY_NAME: ReadonlyMap<string, Operation> = new Map(OPERATIONS.map((operation) => [operation.name, operation]));

/** @returns undefined for a name that is not one of the eleven, `__proto__` and friends included */
export function findOperation(name: string): Operation | undefined {
  return BY_NAME.get(name);
}

/** @throws {Error} for a name that is none of the eleven */
export function getOperation(name: OperationName): Operation {
  const operation = BY_NAME.get(name);
  if (!operation) throw new Error(`No operation ${name} in the service description`);
  return operation;
}

function toOperation(method: DescMethod): Operation {
  const name = method.name as OperationName;
  return {
    name,
    handler: `${name.charAt(0).toLowerCase()}${name.slice(1)}` as Uncapitalize<OperationName>,
    input: method.input,
    output: method.output,
    streaming: method.methodKind === 'server_streaming',
    capability: CAPABILITIES[name],
    routes: toRoutes(method),
  };
}

/** Subscribe is GET in the proto and POST in the prose of A2A §11.3.2; both are served. */
function toRoutes(method: DescMethod): HttpRoute[] {
  const rule = getOption(method, http);
  const routes = [rule, ...rule.additionalBindings].map(toRoute);
  return method.name === 'SubscribeToTask'
    ? routes.flatMap((route) => [route, { ...route, verb: 'POST' as const, hasBody: true }])
    : routes;
}

function toRoute(rule: HttpRule): HttpRoute {
  const { case: verb, value: path } = rule.pattern;
  if (verb !== 'get' && verb !== 'post' && verb !== 'delete') throw new Error(`Unexpected HTTP verb ${verb} in the service description`);
  return { verb: verb.toUpperCase() as HttpRoute['verb'], path, hasBody: rule.body === '*' };
}
