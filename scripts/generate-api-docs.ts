/** The protocol's pages in docs/api, from the tables that define it. */
import { errors } from '../src/api/errors.ts'
import { type Tag, tagOf, tags } from '../src/api/openapi/document.ts'
import { answersAtOnce, type Operation, operations } from '../src/api/operations/index.ts'
import { type Param, type ParamName, parameters, paramNames } from '../src/api/parameters.ts'
import { templateOf } from '../src/api/sbe/answer-templates.ts'
import { messageStreams, type StreamRow, streams } from '../src/api/streams.ts'
import { type SessionMethod, sessionMethods } from '../src/gateway/sessions/session.ts'
import { errorAdvice } from './api-pages/error-advice.ts'

const preface = (source: string) => `Generated from \`src/${source}\` by \`npm run generate\`.`

/** Text within a table cell. */
const cell = (text: string) => text.replaceAll('|', '\\|')

/** The lines of a table in Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) => [
  `| ${head.join(' | ')} |`,
  `|${'---|'.repeat(head.length)}`,
  ...rows.map((row) => `| ${row.map((value) => cell(String(value))).join(' | ')} |`),
]

const nameOf = (slot: Param): ParamName => paramNames[slot] as ParamName

/** The page of the operations with this tag, without its ending. */
const pageOf = (tag: Tag): string => tag.toLowerCase().replaceAll(' ', '-')

export const titleOf = ({ method, path }: Operation): string => `${method} ${path}`

/** The anchor that a heading gets on the web. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')

function weightText({ weight, weightOnSuccess, each }: Operation): string {
  if (each !== undefined) return `${weightText(each)}, for each part`
  const failing = typeof weight === 'number' ? String(weight) : 'by its parameters'
  return weightOnSuccess === undefined ? failing : `${failing}; ${weightOnSuccess} on success`
}

const securityText = ({ security, signed }: { security: string; signed: boolean }): string =>
  signed ? `${security}, signed` : security

function paramsTable(params: Operation['params']): string[] {
  const rows = params.map(({ slot, mandatory, alias, ...own }) => {
    const name = nameOf(slot)
    const { kind, meaning } = { ...parameters[name], ...own }
    const names = alias === undefined ? `\`${name}\`` : `\`${name}\` or \`${nameOf(alias)}\``
    return [names, kind.label, mandatory ? 'yes' : 'no', meaning]
  })
  return rows.length === 0 ? [] : ['', ...table(['parameter', 'type', 'needed', ''], rows)]
}

function sessionSection(name: string, method: SessionMethod): string[] {
  const { weight, meaning, params } = method
  const facts = `Security ${securityText(method)}. Weight ${weight}. ${meaning}`
  return ['', `## ${name}`, '', facts, ...paramsTable(params)]
}

function operationSection(operation: Operation): string[] {
  const { id, wsMethod, params, oneOf, exclusive, orderCount, each } = operation
  const facts = [
    `\`${id}\` in OpenAPI${wsMethod === undefined ? '' : `, \`${wsMethod}\` over the WebSocket API`}.`,
    ` Security ${securityText(operation)}. Weight ${weightText(operation)}.`,
    orderCount > 0
      ? ` ${each ? 'Each part counts' : 'Counts'} as ${orderCount} order${orderCount > 1 ? 's' : ''}.`
      : '',
    each ? ` Each part takes and answers what \`${titleOf(each)}\` does.` : '',
    ` Source: ${operation.sources.join(', then ').toLowerCase()}.`,
    answersAtOnce(operation) ? ' May be pipelined.' : ' Not to be pipelined.',
  ]
  const rules = [
    ...(oneOf === undefined ? [] : [`One of \`${oneOf.map(nameOf).join('` and `')}\` is needed.`]),
    ...(exclusive ?? []).map((pair) => `Not together: \`${pair.map(nameOf).join('` and `')}\`.`),
  ]
  return [
    ...['', `## ${titleOf(operation)}`, '', facts.join('')],
    ...paramsTable(params),
    ...(rules.length === 0 ? [] : ['', rules.join(' ')]),
  ]
}

const SIGNED =
  'Signed operations also take `timestamp`, `recvWindow` and, last, `signature`: see ' +
  '[Sign a request](../guides/signing.md).'

/** The page of the operations with this tag. */
export function operationsPage(tag: Tag): string {
  const own = operations.filter((operation) => tagOf(operation) === tag)
  const isSigned = own.some(({ signed }) => signed)
  return `${[
    ...[`# ${tag}`, '', preface('api/operations'), ...(isSigned ? ['', SIGNED] : [])],
    ...own.flatMap(operationSection),
  ].join('\n')}\n`
}

/** All operations in one table, each with a link to its section. */
function operationsMarkdown(): string {
  const rows = tags.flatMap((tag) =>
    operations
      .filter((operation) => tagOf(operation) === tag)
      .map((operation) => {
        const title = titleOf(operation)
        const { wsMethod } = operation
        return [
          `[${title}](${pageOf(tag)}.md#${anchorOf(title)})`,
          wsMethod === undefined ? '' : `\`${wsMethod}\``,
          securityText(operation),
          weightText(operation),
        ]
      }),
  )
  return `${[
    ...['# Operations', '', preface('api/operations'), ''],
    'Times are in ms, or in µs with the header `X-MBX-TIME-UNIT: MICROSECOND`. Amounts are decimals as',
    'strings.',
    '',
    'Over HTTP/1.1 a request may follow one that may be pipelined at once, and others only after their',
    'response: see [HTTP](../clients.md#http).',
    ...['', ...table(['REST', 'WebSocket API', 'security', 'weight'], rows), ''],
    'The [methods of sessions](sessions.md) are there over the WebSocket API alone.',
  ].join('\n')}\n`
}

function sessionsMarkdown(): string {
  return `${[
    ...['# Sessions of the WebSocket API', ''],
    preface('gateway/sessions/session.ts'),
    '',
    'Every request of the WebSocket API may carry `apiKey`, `returnRateLimits`, and `receipt`, an',
    'extension: see [receipts](../clients.md#receipts). Responses and events are JSON, or [SBE](../clients.md#sbe).',
    ...[...sessionMethods].flatMap(([name, method]) => sessionSection(name, method)),
  ].join('\n')}\n`
}

function errorSection(code: number): string[] {
  const rows = Object.entries(errors)
    .filter(([, row]) => row.code === code)
    .map(([id, row]) => [
      `\`${row.message.replaceAll('`', "'")}\``,
      row.status,
      row.origin,
      `\`${id}\``,
    ])
  return [
    ...['', `## ${code}`, '', errorAdvice[code] ?? '', ''],
    ...table(['message', 'HTTP', 'raised by', 'row'], rows),
  ]
}

/** All codes, by their number. */
export const errorCodes: readonly number[] = [
  ...new Set(Object.values(errors).map(({ code }) => code)),
].sort((a, b) => b - a)

function errorsMarkdown(): string {
  return `${[
    ...['# Errors', '', preface('api/errors.ts'), ''],
    'A refusal is `{"code": -1121, "msg": "Invalid symbol."}` with an HTTP status of 400 or more. It',
    'has changed nothing, except for -1007 and -2021. `{0}` stands for a detail. The last columns name',
    "who notices (the *gateway*, the *check* of a parameter, an operation's *handler*, the",
    '*engine*) and the row of the table.',
    ...errorCodes.flatMap(errorSection),
  ].join('\n')}\n`
}

const streamCells = ({ family, speedMs, meaning }: StreamRow) => [
  `\`${family}\``,
  speedMs === 0 ? 'real time' : `${speedMs} ms`,
  meaning,
]

function streamsMarkdown(): string {
  const families = new Map(streams.map((stream) => [stream.family, stream]))
  const rows = Array.from(families.values(), streamCells)
  const messages = messageStreams.map((stream) => [
    ...streamCells(stream),
    templateOf(stream.frame, {})!.name,
  ])
  return `${[
    ...['# Streams', '', preface('api/streams.ts'), ''],
    'Connect to `/ws` and send `{"method": "SUBSCRIBE", "params": ["btcusdt@trade"], "id": 1}`, or name the',
    'streams in the address: `/ws/btcusdt@trade`, `/stream?streams=btcusdt@trade/btcusdt@depth`.',
    'Frames of `/stream` are `{"stream": NAME, "data": FRAME}`. Symbols are lower case in names;',
    'intervals are those of klines. `timeUnit=MICROSECOND` in the address gives times in µs.',
    '',
    ...table(['stream', 'speed', 'each frame'], rows),
    '',
    'The default speed may be written out: `@1000ms` behind `@depth` and `@depth<levels>`, `@1000ms` or',
    '`@3000ms` behind the arrays (`!miniTicker@arr@3000ms`). Frames are the same; combined ones carry the',
    'name that was asked for.',
    '',
    'Events of an account come over the WebSocket API',
    '([userDataStream.subscribe](sessions.md#userdatastreamsubscribe)), or',
    'over `/ws/LISTENKEY` with a key of [POST /api/v3/userDataStream](account.md#post-apiv3userdatastream).',
    '',
    '## In SBE',
    '',
    'The same under `/sbe`: `/sbe/ws/btcusdt@trade`, `/sbe/stream?streams=btcusdt@trade/btcusdt@depth`. With',
    '`--sbe-port` these have a port of their own, and there the addresses that JSON has. The handshake has an Ed25519',
    'key in `X-MBX-APIKEY`, and no signature; other keys get -4056. The key needs no permission for it. It',
    'ends the connection when it is revoked or may no longer come from the address.',
    '',
    'Events are messages of [schema 1:0](https://github.com/binance/binance-spot-api-docs/blob/master/sbe/schemas/stream_1_0.xml)',
    'in binary frames, alike on `/ws` and `/stream`. Times are in µs. Requests, their responses and `serverShutdown` are JSON in',
    'text frames.',
    '',
    ...table(['stream', 'speed', 'each message', 'message'], messages),
    '',
    'A message of `@bestBidAsk` that was not sent yet gives way to the next one of its symbol. Quantities have an exponent of',
    'their own. What no exponents show, and a diff with more than 65,535 levels on a side, is not sent: of diffs the',
    'next `firstBookUpdateId` shows the gap.',
  ].join('\n')}\n`
}

/** Each page of docs/api that is made from tables: [path, text]. */
export const apiPages = (): readonly (readonly [path: string, text: string])[] => [
  ['docs/api/operations.md', operationsMarkdown()],
  ...tags.map((tag) => [`docs/api/${pageOf(tag)}.md`, operationsPage(tag)] as const),
  ['docs/api/sessions.md', sessionsMarkdown()],
  ['docs/api/errors.md', errorsMarkdown()],
  ['docs/api/streams.md', streamsMarkdown()],
]
