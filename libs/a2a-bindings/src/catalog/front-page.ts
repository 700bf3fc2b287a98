import { createHash } from 'node:crypto';
import { type CatalogEntry } from './catalog.js';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 56rem; padding: 2rem 1rem; }
article { border: 1px solid #8888; border-radius: .5rem; margin: 1rem 0; padding: 0 1rem 1rem; }
table { border-collapse: collapse; }
td { padding: .1rem 1rem .1rem 0; vertical-align: top; overflow-wrap: anywhere; }
code, pre { font: .9rem/1.4 ui-monospace, monospace; }
pre { background: #8882; border-radius: .5rem; overflow-x: auto; padding: 1rem; }
.tag { background: #8883; border-radius: 1rem; font-size: .8rem; padding: .1rem .6rem; }
`;

/** Nothing is loaded, run or framed; even a text that slipped through unescaped could do nothing. */
export const FRONT_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page without scripts that lists the agents, where each is reached, and a command to try. */
export function formatFrontPage(entries: readonly CatalogEntry[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A2A agents</title>
<style>${STYLE}</style>
</head>
<body>
<h1>A2A agents</h1>
<p>This host speaks the Agent2Agent protocol 1.0. The list is also at <a href="agents">/agents</a> as JSON.</p>
${formatExample(entries)}
${entries.map(formatEntry).join('\n')}
</body>
</html>
`;
}

function formatEntry({ card, description, interfaces, isDefault, name, skills, version }: CatalogEntry): string {
  return `<article>
<h2>${escape(name)} <small>${escape(version)}</small></h2>
<p>${escape(description)}${isDefault ? ' <em>This agent also answers at the root of this host.</em>' : ''}</p>
<table>
<tr><td>Card</td><td>${link(card)}</td></tr>
${interfaces.map(formatInterface).join('\n')}
</table>
<h3>Skills</h3>
<ul>
${skills.map(formatSkill).join('\n')}
</ul>
</article>`;
}

function formatInterface({ protocolBinding, tenant, url }: CatalogEntry['interfaces'][number]): string {
  const suffix = tenant ? ` with tenant <code>${escape(tenant)}</code>` : '';
  return `<tr><td>${escape(protocolBinding)}</td><td><code>${escape(url)}</code>${suffix}</td></tr>`;
}

function formatSkill({ description, name, tags }: CatalogEntry['skills'][number]): string {
  const labels = tags.map((tag) => `<span class="tag">${escape(tag)}</span>`).join(' ');
  return `<li><strong>${escape(name)}</strong>: ${escape(description)} ${labels}</li>`;
}

function formatExample(entries: readonly CatalogEntry[]): string {
  const entry = entries.find(({ isDefault }) => isDefault) ?? entries[0];
  const url = entry?.interfaces.find(({ protocolBinding }) => protocolBinding === 'JSONRPC')?.url;
  if (!url) return '';
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Hello' }] } },
  };
  const command = `curl ${url} \\
  -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' \\
  -d '${JSON.stringify(body)}'`;
  return `<p>Try it:</p>\n<pre>${escape(command)}</pre>`;
}

/** Only addresses that a browser may safely follow become links. */
function link(url: string): string {
  return /^https?:\/\//.test(url) ? `<a href="${escape(url)}">${escape(url)}</a>` : `<code>${escape(url)}</code>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
