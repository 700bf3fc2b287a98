const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Markup that is sent as it is. Make it from constants only; text goes through `html`. */
export class Html {
  constructor(readonly markup: string) {}
}

type Insert = string | Html | readonly Html[];

/** A template whose inserted strings are text: they are escaped, in element content and in quoted attributes alike. */
export function html(fixed: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  return new Html(fixed.map((markup, i) => markup + markupOf(inserts[i] ?? '')).join(''));
}

function markupOf(insert: Insert): string {
  if (insert instanceof Html) return insert.markup;
  if (typeof insert === 'string') return insert.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
  return insert.map((each) => each.markup).join('');
}
