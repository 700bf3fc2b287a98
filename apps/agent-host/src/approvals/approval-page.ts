import { createHash } from 'node:crypto';
import { type Approval } from './approval.js';
import { html, Html } from './html.js';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem;color:#1c2733;background:#fff}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}dt{color:#52606d}dd{margin:0;overflow-wrap:anywhere}
button{font:inherit;padding:.5rem 1.25rem;margin-right:.5rem;border:1px solid #1c2733;border-radius:.25rem;background:#fff;cursor:pointer}
button[value=approve]{background:#1c2733;color:#fff}`;
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** No scripts, nothing from elsewhere, no frames, forms to this host only; the one style is allowed by its digest. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** The question, with a form that goes to the address of the page itself. */
export function questionPage(approval: Approval): string {
  return page(
    approval.title,
    html`${factsOf(approval)}
      <p>Can be decided until ${momentOf(approval.expiresAtMs)}.</p>
      <form method="post">
        <input type="hidden" name="token" value="${approval.token}" />
        <button name="decision" value="approve">Approve</button>
        <button name="decision" value="decline">Decline</button>
      </form>`,
  );
}

/** What was decided, and of what. */
export function outcomePage(approval: Approval, note: string): string {
  return page(
    approval.title,
    html`<p><strong>${note}</strong></p>
      ${factsOf(approval)}`,
  );
}

/** A page that shows no approval. */
export function noticePage(title: string, note: string): string {
  return page(title, html`<p>${note}</p>`);
}

/** Such as `2026-11-03 14:05 UTC`. */
function momentOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function factsOf(approval: Approval): Html {
  return html`<dl>
    ${approval.facts.map(
      ({ label, value }) =>
        html`<dt>${label}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

function page(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`.markup;
}
