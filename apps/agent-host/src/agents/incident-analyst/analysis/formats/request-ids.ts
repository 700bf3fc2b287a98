const NAMED_ID =
  /\b(?:trace|request|req|correlation|x-request|transaction)[-_.]?id["']?[=: ]{1,3}["']?([\w-]{6,64})|\brid=["']?([\w-]{6,64})/gi;

/** At most this many ids of one text; more would say nothing about a single request. */
const MOST_IDS = 4;

/** Request, trace and correlation ids that a text names, such as `request_id=4f1c…`; undefined when there are none. */
export function idsIn(text: string): readonly string[] | undefined {
  const ids = new Set<string>();
  for (const match of text.matchAll(NAMED_ID)) {
    const id = match[1] ?? match[2];
    if (id && /\d/.test(id)) ids.add(id);
    if (ids.size === MOST_IDS) break;
  }
  return ids.size > 0 ? [...ids] : undefined;
}
