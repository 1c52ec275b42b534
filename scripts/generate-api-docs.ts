/** The protocol's documents for people, from the tables that define it. */
import { errors } from '../src/api/errors.ts'
import { type Operation, operations } from '../src/api/operations/index.ts'
import { type Param, type ParamName, parameters, paramNames } from '../src/api/parameters.ts'
import { streams } from '../src/api/streams.ts'
import { type SessionMethod, sessionMethods } from '../src/gateway/websocket/ws-session.ts'

const preface = (source: string) =>
  `Generated from \`${source}\` by \`npm run generate\`. Times are in ms, decimals are strings.`

/** Text within a table cell. */
const cell = (text: string) => text.replaceAll('|', '\\|')

/** The lines of a table in Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) => [
  `| ${head.join(' | ')} |`,
  `|${'---|'.repeat(head.length)}`,
  ...rows.map((row) => `| ${row.map((value) => cell(String(value))).join(' | ')} |`),
]

const nameOf = (slot: Param): ParamName => paramNames[slot] as ParamName

function weightText({ weight, weightOnSuccess }: Operation): string {
  const failing = typeof weight === 'number' ? String(weight) : 'by its parameters'
  return weightOnSuccess === undefined ? failing : `${failing}; ${weightOnSuccess} on success`
}

function paramsTable(params: Operation['params']): string[] {
  const rows = params.map(({ slot, mandatory, alias }) => {
    const name = nameOf(slot)
    const { kind, meaning } = parameters[name]
    const names = alias === undefined ? `\`${name}\`` : `\`${name}\` or \`${nameOf(alias)}\``
    return [names, kind.label, mandatory ? 'yes' : 'no', meaning]
  })
  return rows.length === 0 ? [] : ['', ...table(['parameter', 'type', 'needed', ''], rows)]
}

function sessionSection(name: string, method: SessionMethod): string[] {
  const { security, signed, weight, meaning, params } = method
  const facts = `Security ${security}${signed ? ', signed' : ''}. Weight ${weight}. ${meaning}`
  return ['', `### ${name}`, '', facts, ...paramsTable(params)]
}

function operationSection(operation: Operation): string[] {
  const { method, path, wsMethod, security, signed, params, oneOf, exclusive } = operation
  const facts = [
    `Security ${security}${signed ? ', signed' : ''}. Weight ${weightText(operation)}.`,
    operation.orderCount > 0 ? ` Counts as ${operation.orderCount} order.` : '',
    ` Source: ${operation.sources.join(', then ').toLowerCase()}.`,
    wsMethod === undefined ? '' : ` WebSocket API: \`${wsMethod}\`.`,
  ]
  const rules = [
    ...(oneOf === undefined ? [] : [`One of \`${oneOf.map(nameOf).join('` and `')}\` is needed.`]),
    ...(exclusive ?? []).map((pair) => `Not together: \`${pair.map(nameOf).join('` and `')}\`.`),
  ]
  return [
    '',
    `## ${operation.id}: ${method} ${path}`,
    '',
    facts.join(''),
    ...paramsTable(params),
    ...(rules.length === 0 ? [] : ['', rules.join(' ')]),
  ]
}

export function operationsMarkdown(): string {
  const parts = ['# Operations', '', preface('operations/'), '']
  parts.push('Signed operations also take `timestamp`, `recvWindow` and `signature`.')
  parts.push(
    '',
    'Over the WebSocket API every request may carry `apiKey` and `returnRateLimits`, and `receipt`, an',
    'extension: with `true` the answer to an order that a matcher gave has a member `receipt`, the ns',
    'spent in each stage. Over REST the header `X-RINGBOOK-RECEIPT: 1` asks for them, and the header',
    '`X-RINGBOOK-STAGES` has them. [Receipts](../../docs/clients.md#receipts) explains the stages.',
  )
  for (const operation of operations) parts.push(...operationSection(operation))
  parts.push('', '## Sessions of the WebSocket API')
  for (const [name, method] of sessionMethods) parts.push(...sessionSection(name, method))
  return `${parts.join('\n')}\n`
}

export function errorsMarkdown(): string {
  const rows = Object.entries(errors).map(([id, row]) => [
    row.code,
    row.status,
    `\`${row.message.replaceAll('`', "'")}\``,
    row.origin,
    id,
  ])
  return `${[
    '# Errors',
    '',
    preface('errors.ts'),
    '',
    ...table(['code', 'HTTP', 'message', 'raised by', 'row'], rows),
  ].join('\n')}\n`
}

export function streamsMarkdown(): string {
  const families = new Map(streams.map((stream) => [stream.family, stream]))
  const rows = Array.from(families.values(), ({ family, speedMs, meaning }) => [
    `\`${family}\``,
    speedMs === 0 ? 'real time' : `${speedMs} ms`,
    meaning,
  ])
  return `${[
    '# Streams',
    '',
    preface('streams.ts'),
    '',
    'Symbols are lower case in names; intervals are those of REST klines. Payloads:',
    '`render/market-stream.ts`, `render/ticker-stream.ts`, `render/market.ts`.',
    '',
    ...table(['stream', 'speed', 'each frame'], rows),
  ].join('\n')}\n`
}
