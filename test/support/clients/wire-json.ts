import { type JsonObject, type JsonValue } from '@bufbuild/protobuf';

/** JSON forms as a client reads them; typed by hand and no wider than the tests need. */
export interface PartJson {
  text?: string;
  raw?: string;
  url?: string;
  data?: JsonValue;
  filename?: string;
  mediaType?: string;
  metadata?: JsonObject;
}

export interface MessageJson {
  messageId: string;
  contextId?: string;
  taskId?: string;
  role: string;
  parts: PartJson[];
  metadata?: JsonObject;
  extensions?: string[];
  referenceTaskIds?: string[];
}

export interface ArtifactJson {
  artifactId: string;
  name?: string;
  parts: PartJson[];
  metadata?: JsonObject;
}

export interface StatusJson {
  state: string;
  message?: MessageJson;
  timestamp: string;
}

export interface TaskJson {
  id: string;
  contextId: string;
  status: StatusJson;
  artifacts?: ArtifactJson[];
  history?: MessageJson[];
  metadata?: JsonObject;
}

export interface StatusUpdateJson {
  taskId: string;
  contextId: string;
  status: StatusJson;
  metadata?: JsonObject;
}

export interface ArtifactUpdateJson {
  taskId: string;
  contextId: string;
  artifact: ArtifactJson;
  append?: boolean;
  lastChunk?: boolean;
  metadata?: JsonObject;
}

export interface StreamItemJson {
  task?: TaskJson;
  message?: MessageJson;
  statusUpdate?: StatusUpdateJson;
  artifactUpdate?: ArtifactUpdateJson;
}

export type SendResultJson = Pick<StreamItemJson, 'task' | 'message'>;

export interface TaskPageJson {
  tasks: TaskJson[];
  nextPageToken: string;
  pageSize: number;
  totalSize: number;
}
