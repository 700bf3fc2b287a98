/** Where the messages of the eleven operations name their task. */
interface NamesTask {
  readonly taskId?: string;
  readonly id?: string;
  readonly message?: { readonly taskId?: string };
  readonly payload?: { readonly case?: string; readonly value?: { readonly id?: string; readonly taskId?: string } };
}

/** Id of the task that a request, response or event is about; undefined when it names none. */
export function taskIdIn(message: object): string | undefined {
  const { taskId, id, message: said, payload } = message as NamesTask;
  const found = payload ? (payload.case === 'task' ? payload.value?.id : payload.value?.taskId) : (taskId ?? said?.taskId ?? id);
  return found || undefined;
}
