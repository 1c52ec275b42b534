/**
 * Inputs for real sockets: requests as clients make them, for every operation and stream, with one or
 * more things wrong, signed or not; and bytes that are no request at all.
 */
import { createHmac } from 'node:crypto'
import { type Operation, operations } from '../../src/api/operations/index.ts'
import { paramNames } from '../../src/api/parameters.ts'
import { streams } from '../../src/api/streams.ts'
import type { Prng } from '../../src/base/prng.ts'
import { handshake } from '../fixtures/handshake.ts'
import { keyOf } from '../fixtures/one-thread-exchange.ts'

export interface Input {
  readonly bytes: Buffer
  /** Whether it is a whole request or frame, so that an answer must come. */
  readonly isWhole: boolean
  /** Whether anything may come of it. */
  readonly mayAct: boolean
}

/** Whether inputs are signed as they should be, and may be carried out where they make sense. */
export type Signing = 'right' | 'wrong'

type Pair = readonly [name: string, text: string]

const junk: readonly string[] = [
  ...['', ' ', '0', '-1', '00', '1e9', '1e400', 'NaN', 'null', 'true', '0x10', '+1', '1.', '.5'],
  // The most of 64 bits, as a number and as a decimal, and one more.
  ...['9223372036854775807', '9223372036854775808', '92233720368.54775807', '92233720368.54775808'],
  ...['9'.repeat(40), '0.000000001', '0.'.padEnd(60, '3'), '9007199254740993', '-0', '1,5'],
  ...['%', '%ZZ', '%00', '%F0%9F%92%A9', '%ff%fe', "'", '"', '\\', '{}', '[]', '["BTCUSDT"]', ';'],
  ...[
    '__proto__',
    'constructor',
    'a'.repeat(300),
    'BTCUSDT',
    'btcusdt',
    'DOGEUSDT',
    'BUY',
    'LIMIT',
  ],
]

const usual: Readonly<Record<string, readonly string[]>> = {
  symbol: ['BTCUSDT', 'ETHUSDT'],
  side: ['BUY', 'SELL'],
  type: ['LIMIT', 'MARKET', 'LIMIT_MAKER', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT_LIMIT'],
  timeInForce: ['GTC', 'IOC', 'FOK'],
  quantity: ['1', '0.5', '3.00000', '46116860414', '200000000.00001'],
  price: ['100', '100.01', '99.5', '1650000000'],
  quoteOrderQty: ['10', '90071992.54740993', '90000000000'],
  strategyId: ['7', '9007199254740993'],
  stopPrice: ['99', '101'],
  limit: ['5', '100', '1000'],
  interval: ['1m', '1d', '1s'],
  cancelReplaceMode: ['STOP_ON_FAILURE', 'ALLOW_FAILURE'],
  newOrderRespType: ['ACK', 'RESULT', 'FULL'],
  selfTradePreventionMode: ['EXPIRE_MAKER', 'EXPIRE_TAKER', 'NONE'],
  orderId: ['1', '2', '3', '17'],
  orderListId: ['0', '1', '2'],
  symbols: ['["BTCUSDT"]', '["BTCUSDT","ETHUSDT"]'],
  recvWindow: ['5000', '60000', '1.5'],
}

/** Frequent values of a parameter of that name: of a leg of a list those of an order. */
function sensible(prng: Prng, name: string): string {
  const values = usual[name]
  if (values !== undefined) return prng.pick(values)
  for (const [plain, texts] of Object.entries(usual)) {
    if (name.toLowerCase().endsWith(plain.toLowerCase())) return prng.pick(texts)
  }
  if (name.endsWith('Id')) return prng.pick(['1', 'x-1', 'order_2'])
  return prng.pick(['1', '10', '100', '1700000000000', 'true', 'FULL'])
}

/** Parameters of the operation, as they should be. */
function paramsOf(prng: Prng, operation: Operation): Pair[] {
  const pairs: Pair[] = []
  for (const { slot, mandatory } of operation.params) {
    const name = paramNames[slot]!
    if (mandatory || prng.chance(0.3)) pairs.push([name, sensible(prng, name)])
  }
  for (const slot of operation.oneOf ?? []) {
    if (prng.chance(0.6)) pairs.push([paramNames[slot]!, sensible(prng, paramNames[slot]!)])
  }
  return pairs
}

/** One to three things are wrong. */
function mutate(prng: Prng, pairs: Pair[]): Pair[] {
  let mutated = [...pairs]
  for (let left = prng.between(1, 3); left > 0; left--) {
    const at = mutated.length === 0 ? 0 : prng.below(mutated.length)
    const [name = 'symbol', text = ''] = mutated[at] ?? []
    const changed = (pair: Pair) => mutated.map((it, index) => (index === at ? pair : it))
    const dice = prng.below(8)
    if (dice === 0) mutated = mutated.filter((_, index) => index !== at)
    else if (dice === 1) mutated.push([name, prng.pick(junk)])
    else if (dice === 2) mutated = changed([prng.pick(junk), text])
    else if (dice === 3) mutated = changed([prng.pick(paramNames), text])
    else if (dice === 4) mutated.push([prng.pick(paramNames), prng.pick(junk)])
    else if (dice === 5) mutated = changed([name, text + prng.pick(junk)])
    else mutated = changed([name, prng.pick(junk)])
  }
  return mutated
}

const sign = (payload: string): string =>
  createHmac('sha256', keyOf(1).secretKey).update(payload).digest('hex')

function flipped(prng: Prng, bytes: Buffer, lowest = 0, highest = 255): Buffer {
  const copy = Buffer.from(bytes)
  for (let left = prng.between(1, 6); left > 0; left--) {
    copy[prng.below(copy.length)] = prng.between(lowest, highest)
  }
  return copy.subarray(0, prng.chance(0.2) ? prng.between(1, copy.length) : copy.length)
}

const noise = (prng: Prng): Buffer =>
  Buffer.from(Array.from({ length: prng.between(1, 300) }, () => prng.below(256)))

/** One HTTP request. */
export function restInput(prng: Prng, signing: Signing): Input {
  if (prng.chance(0.01)) return { bytes: noise(prng), isWhole: false, mayAct: false }
  const operation = prng.pick(operations)
  const pairs = mutate(prng, paramsOf(prng, operation))
  if (operation.signed && !prng.chance(0.05)) pairs.push(['timestamp', String(Date.now())])
  let text = pairs
    .map(([name, value]) => `${escaped(prng, name)}=${escaped(prng, value)}`)
    .join('&')
  const isRight = signing === 'right'
  if (isRight || prng.chance(0.7)) {
    const signature = isRight ? sign(text) : prng.pick(['', 'x', 'a'.repeat(64), sign(`${text} `)])
    text += `&signature=${signature}`
  }
  const method = prng.chance(0.03) ? prng.pick(['GET', 'POST', 'PUT', 'DELETE']) : operation.method
  const path = prng.chance(0.03)
    ? `${operation.path}/${prng.pick(['x', '..', '%2e'])}`
    : operation.path
  const hasBody = method !== 'GET' && prng.chance(0.4)
  const key = isRight ? keyOf(1).apiKey : prng.pick(['', 'x', 'k'.repeat(64), keyOf(1).apiKey])
  const head = [
    `${method} ${path}${hasBody || text === '' ? '' : `?${text}`} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(key === '' ? [] : [`X-MBX-APIKEY: ${key}`]),
    ...(prng.chance(0.1) ? [`X-MBX-TIME-UNIT: ${prng.pick(['MICROSECOND', 'x', ''])}`] : []),
    ...(prng.chance(0.2) ? formatHeaders(prng) : []),
    ...(hasBody ? [`Content-Length: ${Buffer.byteLength(text)}`] : []),
  ]
  const bytes = Buffer.from(`${head.join('\r\n')}\r\n\r\n${hasBody ? text : ''}`)
  const mayAct = isRight && method !== 'GET'
  return prng.chance(0.03)
    ? { bytes: flipped(prng, bytes), isWhole: false, mayAct }
    : { bytes, isWhole: true, mayAct }
}

/** Numbers of a schema, or of a version of one, mostly of those that there are; at the bounds of their texts, and no numbers. */
const schemaNumber = (prng: Prng, usually: readonly string[]): string =>
  prng.chance(0.7)
    ? prng.pick(usually)
    : prng.pick([
        ...[
          '',
          '-1',
          '+3',
          '03',
          '0x3',
          '3.0',
          '3e0',
          ' 3',
          '\u0663',
          '%33',
          '65535',
          '65536',
          '65539',
        ],
        ...['4294967295', '4294967299', '9999999999', '99999999999', '9'.repeat(400)],
      ])
const schemaId = (prng: Prng): string => schemaNumber(prng, ['3', '3', '3', '1', '2', '0'])
const schemaVersion = (prng: Prng): string => schemaNumber(prng, ['5', '5', '4', '2', '1', '9'])

/** A name or a value in other letters, now and then. */
const cased = (prng: Prng, text: string): string =>
  prng.chance(0.8) ? text : prng.chance(0.5) ? text.toUpperCase() : text.toLowerCase()

/** What asks for SBE, mostly rightly. */
const formatHeaders = (prng: Prng): readonly string[] => {
  const accepted = ['application/sbe', 'application/sbe, application/json', '*/*']
  const odd = [
    'application/sbe;q=0',
    'application/sbex',
    ',,application/sbe,',
    '',
    'sbe'.repeat(200),
  ]
  const accept = prng.pick(prng.chance(0.8) ? accepted : odd)
  const rest = prng.chance(0.9) ? '' : prng.pick([':', ':5', ' ', ',3:5', '\t'])
  const sbe = () => `${schemaId(prng)}${prng.chance(0.97) ? ':' : ''}${schemaVersion(prng)}${rest}`
  const headers = [
    `${cased(prng, 'Accept')}: ${cased(prng, accept)}`,
    ...Array.from(
      { length: prng.pick([0, 1, 1, 1, 2]) },
      () => `${cased(prng, 'X-MBX-SBE')}: ${sbe()}`,
    ),
  ]
  return headers.map((header) => Buffer.from(header).toString('latin1'))
}

/** A handshake of the WebSocket API whose address asks for a format: parameters twice, missing, in any order. */
export function formatInput(prng: Prng): Input {
  const makers = [
    () => ['responseFormat', prng.pick(['sbe', 'sbe', 'sbe', 'json', 'xml', '', 'sbe,json'])],
    () => ['sbeSchemaId', schemaId(prng)],
    () => ['sbeSchemaVersion', schemaVersion(prng)],
    () => ['timeUnit', prng.pick(['MICROSECOND', 'x'])],
    () => [prng.pick(junk), prng.pick(junk)],
  ]
  const chosen = makers.slice(0, prng.pick([3, 3, 3, 4, 5])).filter(() => prng.chance(0.95))
  if (prng.chance(0.2)) chosen.push(prng.pick(makers))
  if (prng.chance(0.2)) chosen.reverse()
  const query = chosen
    .map((make) =>
      make()
        .map((text) => escaped(prng, cased(prng, text!)))
        .join('='),
    )
    .join('&')
  const bytes = Buffer.from(handshake(`/ws-api/v3?${query.replace(/[^!-~]/g, '')}`))
  return { bytes, isWhole: true, mayAct: false }
}

/** Blanks would end the address; what is escaped already stays as it is. */
const escaped = (prng: Prng, text: string): string =>
  prng.chance(0.5) ? encodeURIComponent(text) : text.replaceAll(' ', '+')

const methods = operations.filter(({ wsMethod }) => wsMethod !== undefined)
const sessionMethods = [
  ...['session.logon', 'session.status', 'session.logout', 'session.subscriptions'],
  ...['userDataStream.subscribe', 'userDataStream.subscribe.signature'],
  ...['userDataStream.unsubscribe', 'ping', 'explode', '__proto__', ''],
]

/** A text of a frame for the WebSocket API. */
export function apiInput(prng: Prng, signing: Signing): Input {
  const isOfSession = prng.chance(0.15)
  const operation = prng.pick(methods)
  const isRight = signing === 'right'
  const pairs = mutate(prng, isOfSession ? [] : paramsOf(prng, operation))
  pairs.push(['apiKey', isRight ? keyOf(1).apiKey : prng.pick(['', 'x', 'k'.repeat(64)])])
  if (!prng.chance(0.05)) pairs.push(['timestamp', String(Date.now())])
  const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))
  const payload = sorted.map(([name, text]) => `${name}=${text}`).join('&')
  pairs.push(['signature', isRight ? sign(payload) : prng.pick(['', 'x', 'a'.repeat(64)])])
  const params = pairs.map(([name, text]) => `${JSON.stringify(name)}:${value(prng, text)}`).join()
  const method = isOfSession ? prng.pick(sessionMethods) : operation.wsMethod!
  const longIds = [200, 255, 256, 4_000].map((length) => `"${'i'.repeat(length)}"`)
  const badIds = ['{}', '1.5', ...longIds, `"${'ü'.repeat(128)}"`, '9'.repeat(300), '[]']
  const members = [
    `"id":${prng.chance(0.05) ? prng.pick(badIds) : prng.below(1e6)}`,
    `"method":${prng.chance(0.02) ? prng.pick(['1', 'null', '{}']) : JSON.stringify(method)}`,
    `"params":${prng.chance(0.02) ? prng.pick(['[]', 'null', '"x"', '{']) : `{${params}}`}`,
  ].filter(() => !prng.chance(0.01))
  const text = `{${members.join()}}`
  return frameOf(prng, text, isRight && !isOfSession)
}

/** Returns JSON text, or, where it looks like one, a number. */
const value = (prng: Prng, text: string): string =>
  /^-?\d{1,15}(\.\d+)?$/.test(text) && prng.chance(0.4) ? text : JSON.stringify(text)

const streamNames = streams.map(({ name }) => name.replace('<symbol>', 'btcusdt'))

/** A text of a frame for market streams. */
export function streamInput(prng: Prng): Input {
  const name = () =>
    JSON.stringify(
      prng.chance(0.7) ? prng.pick(streamNames) : prng.pick(junk) + prng.pick(streamNames),
    )
  const names = Array.from({ length: prng.below(4) }, name).join()
  const params = prng.chance(0.1)
    ? prng.pick(['null', '{}', '"x"', '[1]', '["combined",true]', '["combined","x"]', '[[]]', '['])
    : `[${names}]`
  const method = prng.chance(0.9)
    ? prng.pick(['SUBSCRIBE', 'UNSUBSCRIBE', 'LIST_SUBSCRIPTIONS', 'SET_PROPERTY', 'GET_PROPERTY'])
    : prng.pick(junk)
  const id = prng.chance(0.9) ? String(prng.below(1000)) : prng.pick(['{}', '-1', '1e3', '"x"', ''])
  const members = [`"method":${JSON.stringify(method)}`, `"params":${params}`, `"id":${id}`]
  const text = `{${members.filter(() => !prng.chance(0.05)).join()}}`
  return frameOf(prng, text, false)
}

/** Characters of all lengths in UTF-8 and of all ways to be written in JSON. */
const characters = [
  'a',
  '@',
  ' ',
  '"',
  '\\',
  '\u0000',
  '\u007f',
  'é',
  '中',
  '💩',
  '\ud800',
  '%',
  '!',
]

/** A text of a frame for market streams whose names have any length and characters. */
export function nameInput(prng: Prng): Input {
  const name = (): string => {
    if (prng.chance(0.3)) return prng.pick(streamNames) + prng.pick(characters)
    const length = prng.chance(0.8) ? prng.below(80) : prng.below(4_000)
    const [first, second] = [prng.pick(characters), prng.pick(characters)]
    return Array.from({ length }, () => (prng.chance(0.9) ? first : second)).join('')
  }
  const method = prng.pick(['SUBSCRIBE', 'SUBSCRIBE', 'UNSUBSCRIBE', 'LIST_SUBSCRIPTIONS'])
  const isList = method === 'LIST_SUBSCRIPTIONS'
  const params = isList ? [] : Array.from({ length: prng.between(1, 4) }, name)
  const bytes = masked(prng, Buffer.from(JSON.stringify({ method, params, id: 1 })), TEXT)
  return { bytes, isWhole: true, mayAct: false }
}

const hops = ['9.9.9.9', '127.0.0.2', '2001:db8::1', '[2001:db8::2]:443', '8.8.8.8:80', 'unknown']
/** A PROXY header, version 2, of TCP over IPv4 from 9.9.9.9. */
const PREAMBLE = '0d0a0d0a000d0a515549540a2111000c090909097f00000110102020'

/** A request as a trusted proxy passes it on, whose headers may say anything about the client. */
export function proxiedInput(prng: Prng): Input {
  const entry = () => (prng.chance(0.6) ? prng.pick(hops) : prng.pick(junk))
  const list = () => Array.from({ length: prng.below(prng.chance(0.1) ? 60 : 4) }, entry).join()
  const headers = Array.from({ length: prng.below(3) }, () => `X-Forwarded-For: ${list()}`)
  const head = ['GET /api/v3/time HTTP/1.1', 'Host: 127.0.0.1', ...headers]
  const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n`)
  if (prng.chance(0.7)) return { bytes: request, isWhole: true, mayAct: false }
  const preamble = Buffer.from(PREAMBLE, 'hex')
  const sent = prng.chance(0.5) ? preamble : flipped(prng, preamble)
  return { bytes: Buffer.concat([sent, request]), isWhole: false, mayAct: false }
}

const TEXT = 0x81

function frameOf(prng: Prng, text: string, mayAct: boolean): Input {
  const dice = prng.unit()
  if (dice < 0.01) return { bytes: noise(prng), isWhole: false, mayAct: false }
  // Bytes that are no text would end the connection.
  const spoiled = () => flipped(prng, Buffer.from(text.replaceAll(/[^ -~]/g, '?')), 0x20, 0x7e)
  const payload = dice < 0.05 ? spoiled() : Buffer.from(text)
  const bytes = masked(prng, payload, dice < 0.06 ? prng.below(256) : TEXT)
  if (dice < 0.07) return { bytes: flipped(prng, bytes), isWhole: false, mayAct }
  return { bytes, isWhole: dice >= 0.06, mayAct }
}

/** A client's frame. */
export function masked(prng: Prng, payload: Buffer, opcode: number): Buffer {
  const { length } = payload
  const head = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 255]
  const mask = Array.from({ length: 4 }, () => prng.below(256))
  const body = Buffer.from(payload)
  for (let i = 0; i < length; i++) body[i]! ^= mask[i & 3]!
  return Buffer.concat([Buffer.from([opcode, ...head, ...mask]), body])
}
