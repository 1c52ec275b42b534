/**
 * The OpenAPI document as one page to read in a browser: no script, nothing fetched from elsewhere.
 * Shapes are shown as the document has them.
 */

import type { Schema } from '../shapes/schema.ts'
import type { Described, Document } from './document.ts'
import { OPENAPI_PATH } from './document.ts'

export const PAGE_PATH = '/docs'

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 2.5rem; border-bottom: 1px solid }
h3 { margin-top: 2rem; font-family: monospace }
table { border-collapse: collapse; width: 100% }
td { padding: 0.2rem 0.6rem 0.2rem 0; vertical-align: top; border-bottom: 1px solid #8884 }
code, pre { font-size: 0.9em; background: #8882 }
pre { padding: 0.6rem; overflow: auto }
nav li { display: inline-block; margin-right: 1rem }
:root { color-scheme: light dark }`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Text in which `…` is code. */
const prose = (text: string): string =>
  escaped(text)
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>')
    .replaceAll('\n\n', '</p><p>')

function typeText(schema: Schema): string {
  if (Array.isArray(schema.enum)) return schema.enum.join(' | ')
  return String(schema.type)
}

/** The name of a shape, where it has one, links to it. */
function answerText(schema: Schema): string {
  const shown = escaped(JSON.stringify(schema, undefined, 2))
  return shown.replaceAll(
    /#\/components\/schemas\/(\w+)/g,
    (_, name: string) => `<a href="#${name}">${name}</a>`,
  )
}

function operationPart({ operationId, summary, description, parameters, responses }: Described) {
  const rows = parameters.map(
    ({ name, required, schema, description: meaning }) =>
      `<tr><td><code>${name}</code></td><td>${escaped(typeText(schema))}</td>` +
      `<td>${required ? 'needed' : ''}</td><td>${prose(meaning)}</td></tr>`,
  )
  const { content } = responses[200] as { content: Record<string, { schema: Schema }> }
  const table = rows.length === 0 ? '' : `<table>${rows.join('')}</table>`
  return (
    `<h3 id="${operationId}">${escaped(summary)}</h3><p>${prose(description)}</p>${table}` +
    `<pre>${answerText(content['application/json']!.schema)}</pre>`
  )
}

/** The page, in whole. */
export function documentPage({ info, tags, paths, components }: Document): string {
  const all = Object.values(paths).flatMap((methods) => Object.values(methods))
  const sections = tags.map((tag) => {
    const name = String(tag.name)
    const own = all.filter((operation) => operation.tags.includes(name))
    const links = own.map(
      (it) => `<li><a href="#${it.operationId}">${escaped(it.summary)}</a></li>`,
    )
    return `<h2>${escaped(name)}</h2><nav><ul>${links.join('')}</ul></nav>${own.map(operationPart).join('')}`
  })
  const shapes = Object.entries(components.schemas as Readonly<Record<string, Schema>>).map(
    ([name, schema]) => `<h3 id="${name}">${name}</h3><pre>${answerText(schema)}</pre>`,
  )
  const title = escaped(String(info.title))
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" ' +
    `content="width=device-width"><title>${title}</title><style>${style}</style></head><body>` +
    `<h1>${title}</h1><p>${prose(String(info.description))}</p><p>The same for programs: <a ` +
    `href="${OPENAPI_PATH}">${OPENAPI_PATH}</a>.</p>${sections.join('')}` +
    `<h2>Shapes</h2>${shapes.join('')}</body></html>`
  )
}
