/** What the site adds to an operation's section: examples, a form that sends it, the shape of its answer. */

import type { Schema } from '../../src/api/answers/schema.ts'
import type { Operation } from '../../src/api/operations/operation.ts'
import { type ParamName, parameters, paramNames } from '../../src/api/parameters.ts'
import { exampleCode } from '../api-pages/example-code.ts'
import { exampleRequests } from '../api-pages/example-requests.ts'
import { codeBlock, escaped } from './markup.ts'
import { addressOf } from './places.ts'

export const SHAPES_PLACE = 'api/shapes'

/** A shape as JSON. The name of a shape in it is a link. */
export function shapeBlock(schema: Schema): string {
  const text = escaped(JSON.stringify(schema, undefined, 2))
  const linked = text.replaceAll(
    /#\/components\/schemas\/(\w+)/g,
    (_, name: string) => `<a href="${addressOf(SHAPES_PLACE)}#${name.toLowerCase()}">${name}</a>`,
  )
  return `<pre tabindex="0"><code>${linked}</code></pre>`
}

const applied = (summary: string, html: string, group = ''): string =>
  `<details${group === '' ? '' : ` name="${group}"`}><summary>${summary}</summary>${html}</details>`

const exampleOf = ({ id }: Operation) => exampleRequests[id] ?? {}

function examplesPart(operation: Operation): string {
  const examples = exampleCode(operation, exampleOf(operation))
  return examples
    .map(({ language, fence, code }) =>
      applied(`${language} example`, codeBlock(code, fence), `example-${operation.id}`),
    )
    .join('')
}

/** One input. Its value is the example's. */
function field(operation: Operation, name: ParamName, isNeeded: boolean): string {
  const { kind, meaning } = parameters[name]
  const value = exampleOf(operation)[name] ?? ''
  const id = `${operation.id}-${name}`
  const about = meaning === '' ? '' : ` <i>${escaped(meaning)}</i>`
  const label = `<label for="${id}">${name}${isNeeded ? ' (needed)' : ''}${about}</label>`
  const attributes = `id="${id}" name="${name}"`
  if (kind.values === undefined) {
    const spelled = `value="${escaped(value)}" autocomplete="off" spellcheck="false"`
    return `<p>${label}<input ${attributes} ${spelled}></p>`
  }
  const options = ['', ...kind.values].map(
    (it) => `<option${it === value ? ' selected' : ''}>${it}</option>`,
  )
  return `<p>${label}<select ${attributes}>${options.join('')}</select></p>`
}

function formPart(operation: Operation): string {
  const { method, path, params, security, signed, wsMethod, effect } = operation
  const example = exampleOf(operation)
  const fields = params.map(({ slot, mandatory }) => {
    const name = paramNames[slot] as ParamName
    return { isFirst: mandatory || name in example, html: field(operation, name, mandatory) }
  })
  const first = fields.filter(({ isFirst }) => isFirst).map(({ html }) => html)
  const others = fields.filter(({ isFirst }) => !isFirst).map(({ html }) => html)
  const more =
    others.length === 0
      ? ''
      : applied(
          `More parameters (${others.length})`,
          `<div class="fields">${others.join('')}</div>`,
        )
  const key = signed ? 'signed' : security === 'NONE' ? 'none' : 'key'
  const isFrame = wsMethod !== undefined && effect !== 'NONE'
  const call = isFrame ? `data-call="${wsMethod}" ` : ''
  const note = isFrame
    ? `<p>Sent as <code>${wsMethod}</code> over the WebSocket API: a browser may repeat a ${method} by itself.</p>`
    : ''
  return applied(
    'Try it',
    `<form data-method="${method}" data-path="${path}" ${call}data-key="${key}" ` +
      `aria-label="Try ${method} ${path}"><div class="fields">${first.join('')}</div>${more}` +
      `${note}<p><button type="submit">Send ${method}</button></p>` +
      '<div class="response" role="status"></div></form>',
  )
}

/** The examples, the form and the answer. */
export const operationParts = (operation: Operation): string =>
  `<div class="operation">${examplesPart(operation)}${formPart(operation)}` +
  `${applied('Answer', shapeBlock(operation.answer))}</div>`

/** The form for the key that signs requests of a page; the script makes it work. */
export const KEY_PART =
  '<form class="key" id="key" aria-label="Key for this page"><p>Requests with a key are signed in this ' +
  'page. The secret stays in its memory until you leave it, and is never sent.</p><div class="fields">' +
  '<p><label for="api-key">API key</label>' +
  '<input id="api-key" autocomplete="off" spellcheck="false"></p>' +
  '<p><label for="secret">HMAC secret, or Ed25519 private key (PEM)</label>' +
  '<textarea id="secret" rows="2" autocomplete="off" spellcheck="false"></textarea></p></div>' +
  '<p><button type="submit">Use this key</button> <span id="demo"></span></p>' +
  '<p role="status" id="key-state"></p></form>'
