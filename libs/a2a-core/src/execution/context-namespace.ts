/** Where StateStore keeps what agents keep for a context. */
export function contextNamespace(contextId: string): string {
  return `context:${contextId}`;
}
