/**
 * Every row of the error table that takes a gateway or an engine, raised by a real request to a real exchange, with its
 * HTTP status, its code and its message to the letter. What requests alone raise is in the tables of
 * test/protocol/refusals.ts. A row that no case raises in either place fails the last test.
 */
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { errors } from '../../../src/api/errors.ts'
import { UNKNOWN_PARAMETERS_MAX } from '../../../src/api/params.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import { Ms, SymbolId } from '../../../src/base/units.ts'
import { readMessage } from '../../fixtures/sbe.ts'
import { upgrade } from '../../fixtures/upgrade.ts'
import { type Frame, FrameLog } from '../frame-log.ts'
import { stageExchange } from '../staged-exchange.ts'
import { type Params, Trader } from '../trader.ts'
import { countingTests } from './counting-cases.ts'
import { largeTests } from './large-cases.ts'
import { limitTests } from './limit-cases.ts'
import { listCases } from './list-cases.ts'
import { loadTests } from './load-cases.ts'
import { lookupCases } from './lookup-cases.ts'
import { writeOldOrder } from './old-order.ts'
import { orderCases } from './order-cases.ts'
import { type ErrorCase, expectRefusal, missing, unvisited } from './raise.ts'
import { RawRequests } from './raw-requests.ts'
import { errorStage, OPEN_ID, SYMBOL, symbolOf } from './stage.ts'
import { walletTests } from './wallet-cases.ts'

const DAY_MS = 86_400_000

let exchange: ExchangeProcess
const LIMIT = { symbol: SYMBOL, type: 'LIMIT', timeInForce: 'GTC', quantity: '1' }

beforeAll(async () => {
  exchange = await stageExchange(errorStage)
  const old = errorStage.symbols.findIndex(({ name }) => name === 'OLD')
  writeOldOrder(exchange.data, SymbolId(old), Ms(Date.now() - 91 * DAY_MS))
  await exchange.run(['--accept-clock', 'on'])
  const own = new Trader(exchange, 'own')
  const other = new Trader(exchange, 'other')
  const traded = [SYMBOL, ...['PERCENT_PRICE', 'PERCENT_PRICE_BY_SIDE'].map(symbolOf)]
  for (const symbol of [...traded, symbolOf('MIN_NOTIONAL')]) {
    const trade = { ...LIMIT, symbol, price: '100' }
    await other.place({ ...trade, side: 'SELL' })
    await own.place({ ...trade, side: 'BUY' })
  }
  await other.place({ ...LIMIT, side: 'SELL', price: '120' })
  await other.place({ ...LIMIT, side: 'BUY', price: '80' })
  await other.place({ ...LIMIT, symbol: 'THIN', side: 'SELL', price: '100', quantity: '5' })
  const bid = { ...LIMIT, side: 'BUY', price: '50' }
  const open = await own.place({ ...bid, newClientOrderId: 'open' })
  expect(open.orderId).toBe(OPEN_ID)
  await own.place({ ...bid, newClientOrderId: 'open-too' })
  await own.send('POST', '/api/v3/orderList/opo', {
    symbol: SYMBOL,
    workingType: 'LIMIT',
    workingTimeInForce: 'GTC',
    workingSide: 'BUY',
    workingPrice: '50',
    workingQuantity: '1',
    pendingType: 'MARKET',
    pendingSide: 'SELL',
    pendingClientOrderId: 'unsized',
  })
})
afterAll(() => exchange?.remove())

async function raise({ row, account, method, path, params, msg }: ErrorCase): Promise<void> {
  const answer = await new Trader(exchange, account).send(method, path, params)
  expectRefusal(row, answer, errors[row].code, msg)
}

describe.each(Object.entries({ ...orderCases, ...listCases, ...lookupCases }))('%s', (_, cases) => {
  test.each(cases)('$row: $name', raise)
})

test('of protections', async () => {
  const own = new Trader(exchange, 'own')
  const symbol = symbolOf('MIN_NOTIONAL')
  const protect = (params: Params) =>
    own.send('POST', '/ringbook/v1/protection', { symbol, ...params })
  await protect({ windowMs: 1_000, maxFills: 1 })
  const bid = { ...LIMIT, symbol, side: 'BUY', price: '100' }
  await own.place(bid)
  await new Trader(exchange, 'other').place({ ...bid, side: 'SELL' })
  const tripped = "The account's protection has tripped; reset it first."
  expectRefusal('PROTECTED', await own.send('POST', '/api/v3/order', bid), -2010, tripped)
  await protect({ windowMs: 0 })
  const reset = await own.send('POST', '/ringbook/v1/protection/reset', { symbol })
  expectRefusal('NO_PROTECTION', reset, -2011, 'There is no protection to reset.')
})

describe('without a signature', () => {
  test('INVALID_LISTEN_KEY', async () => {
    const path = `/api/v3/userDataStream?listenKey=${'x'.repeat(64)}`
    const answer = await new RawRequests(exchange, 'own').send('PUT', path)
    expectRefusal('INVALID_LISTEN_KEY', answer, -1125, 'This listenKey does not exist.')
  })

  test('an unknown path is not found, in words only for browsers', async () => {
    const silent = await fetch(`${exchange.url}/nothing`)
    expect([silent.status, await silent.text()]).toEqual([404, ''])
    const headers = { Accept: 'text/html' }
    const spoken = await fetch(`${exchange.url}/api/v3/nothing`, { headers })
    expect(spoken.status).toBe(404)
    expect(await spoken.text()).toContain('<html')
  })
})

describe('of the gateway', () => {
  const unknowns = Array.from({ length: UNKNOWN_PARAMETERS_MAX + 1 }, (_, i) => `u${i}=1`).join('&')
  const now = () => `timestamp=${Date.now()}`
  const requests = () => new RawRequests(exchange, 'own')
  const rejected = 'Invalid API-key, IP, or permissions for action.'
  const tooOld = 'Timestamp for this request is outside of the recvWindow.'

  test('keys', async () => {
    const bad = 'API-key format invalid.'
    expectRefusal('BAD_API_KEY_FORMAT', await requests().account(now(), {}), -2014, bad)
    const short = { 'X-MBX-APIKEY': 'short' }
    expectRefusal('BAD_API_KEY_FORMAT', await requests().account(now(), short), -2014, bad)
    const unknown = { 'X-MBX-APIKEY': 'u'.repeat(64) }
    expectRefusal('REJECTED_API_KEY', await requests().account(now(), unknown), -2015, rejected)
  })

  test('timestamps and windows', async () => {
    const answers: [Parameters<typeof expectRefusal>[0], string, number, string][] = [
      ['MANDATORY_PARAMETER', 'recvWindow=1', -1102, missing('timestamp')],
      ['MANDATORY_PARAMETER', 'timestamp=', -1102, missing('timestamp')],
      ['TIMESTAMP_TOO_OLD', `timestamp=${Date.now() - 60_000}`, -1021, tooOld],
      ['TIMESTAMP_TOO_OLD', `timestamp=${Date.now() - 600}&recvWindow=500`, -1021, tooOld],
      [
        'TIMESTAMP_AHEAD',
        `timestamp=${Date.now() + 60_000}`,
        -1021,
        "Timestamp for this request was 1000ms ahead of the server's time.",
      ],
      [
        'RECV_WINDOW_TOO_LARGE',
        `${now()}&recvWindow=60001`,
        -1102,
        "'recvWindow' contains unexpected value. Cannot be greater than 60000.",
      ],
    ]
    for (const [row, query, code, msg] of answers)
      expectRefusal(row, await requests().account(query), code, msg)
  })

  test('signatures', async () => {
    const path = `/api/v3/account?${now()}`
    const none = await requests().send('GET', path)
    expectRefusal('MANDATORY_PARAMETER', none, -1102, missing('signature'))
    const wrong = await requests().send('GET', `${path}&signature=${'0'.repeat(64)}`)
    const msg = 'Signature for this request is not valid.'
    expectRefusal('INVALID_SIGNATURE', wrong, -1022, msg)
  })

  test('encodings and repetitions', async () => {
    const twice = await requests().account(`${now()}&recvWindow=1&recvWindow=2`)
    const repeated = 'Duplicate values for a parameter detected.'
    expectRefusal('DUPLICATE_PARAMETER', twice, -1101, repeated)
    const broken = await requests().account(`${now()}&x=%E0%A4`)
    const illegal = 'Illegal characters found in a parameter.'
    expectRefusal('BROKEN_ENCODING', broken, -1100, illegal)
    const many = await requests().account(`${now()}&${unknowns}`)
    const tooMany = 'Too many parameters sent for this endpoint.'
    expectRefusal('TOO_MANY_PARAMETERS', many, -1101, tooMany)
    const more = await requests().send('GET', '/api/v3/ping?a=1&b=2')
    const both = "Too many parameters; expected '0' and received '2'."
    expectRefusal('MORE_PARAMETERS_THAN_TAKEN', more, -1101, both)
  })

  test('a body over the bound', async () => {
    const url = `${exchange.url}/api/v3/order`
    const body = new URLSearchParams({ text: 'x'.repeat(70_000) })
    const response = await fetch(url, { method: 'POST', body })
    const answer = { status: response.status, body: (await response.json()) as Frame }
    const msg = 'Too many parameters sent for this endpoint.'
    expectRefusal('BODY_TOO_LARGE', answer, -1101, msg)
  })

  test('an answer in SBE', async () => {
    const ask = async (header: string) => {
      const headers = { Accept: 'application/sbe', 'X-MBX-SBE': header }
      const response = await fetch(`${exchange.url}/api/v3/time`, { headers })
      const { values } = readMessage(new Uint8Array(await response.arrayBuffer()))
      return { status: response.status, body: { code: Number(values.code), msg: values.msg } }
    }
    const invalid = 'Invalid `X-MBX-SBE` header; expected `<SCHEMA_ID>:<VERSION>`.'
    expectRefusal('INVALID_SBE_HEADER', await ask('latest'), -1152, invalid)
    const unknown = 'Unsupported SBE schema ID or version specified in the `X-MBX-SBE` header.'
    expectRefusal('UNSUPPORTED_SBE_SCHEMA', await ask('3:1'), -1153, unknown)
    const path = '/api/v3/auction?symbol=BTCUSDT'
    const refused = await requests().send('GET', path, { Accept: 'application/sbe' })
    expectRefusal('SBE_NOT_ACCEPTABLE', refused, -1155, 'SBE is not enabled.')
  })

  test('a session in SBE', async () => {
    const open = async ({ url }: { readonly url: string }) => {
      const response = await upgrade(url, '/ws-api/v3?responseFormat=sbe&sbeSchemaId=9')
      return { status: response.statusCode!, body: (await json(response)) as Frame }
    }
    const invalid = 'Invalid SBE schema ID or version specified.'
    expectRefusal('INVALID_SBE_SCHEMA', await open(exchange), -1153, invalid)
    await using off = await startHere({ settings: { sbe: false } })
    expectRefusal('SBE_DISABLED', await open(off), -1155, 'SBE is not enabled.')
  })

  test('the unit of time', async () => {
    const headers = { 'X-MBX-TIME-UNIT': 'HOUR' }
    const answer = await requests().send('GET', '/api/v3/time', headers)
    expectRefusal(
      'INVALID_TIME_UNIT',
      answer,
      -1194,
      'Invalid value for time unit; expected either MICROSECOND or MILLISECOND.',
    )
  })
})

describe('over the WebSocket API', () => {
  const refused = (frame: Frame) => ({
    status: Number(frame.status),
    body: frame.error as Frame,
  })

  test('frames', async () => {
    const log = await FrameLog.open(`${exchange.wsUrl}/ws-api/v3`)
    log.send('{"id":')
    const broken = await log.first('an answer', (frame) => frame.id === null)
    expectRefusal('INVALID_JSON', refused(broken), -1135, 'Invalid JSON Request')
    const unknown = await log.ask({ id: 1, method: 'order.ponder' })
    const unsupported = 'This operation is not supported.'
    expectRefusal('UNSUPPORTED_OPERATION', refused(unknown), -1020, unsupported)
    const keyless = await log.ask({ id: 2, method: 'account.status', params: {} })
    expectRefusal('MANDATORY_PARAMETER', refused(keyless), -1102, missing('apiKey'))
    await log.close()
  })

  test('sessions and subscriptions', async () => {
    const own = new Trader(exchange, 'own')
    const logon = await own.askSocket('session.logon')
    const msg = 'HMAC_SHA256 API key is not supported.'
    expectRefusal('LOGON_KEY_TYPE', refused(logon), -4056, msg)
    const log = await FrameLog.open(`${exchange.wsUrl}/ws-api/v3`)
    const idle = await log.ask({ id: 1, method: 'userDataStream.unsubscribe' })
    await log.close()
    const inactive = 'User Data Stream subscription not active.'
    expectRefusal('SUBSCRIPTION_NOT_ACTIVE', refused(idle), -2036, inactive)
    await own.follow()
    const again = await own.askSocket('userDataStream.subscribe.signature')
    const active = 'User Data Stream subscription already active.'
    expectRefusal('SUBSCRIPTION_ACTIVE', refused(again), -2035, active)
    await own.leave()
  })
})

describe('after other orders', () => countingTests(() => exchange))
describe('too much', limitTests)
describe('under load', loadTests)
describe('large', largeTests)
describe('of the wallet', walletTests)

test('no row was left out', () => {
  expect(unvisited()).toEqual([])
})
