/** HEAD: on every path that GET has, with GET's status, headers and weight, and nothing behind them. */
import http from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../../../src/api/operations/index.ts'
import { slotOf } from '../../../../src/api/parameters.ts'
import { DOCS_ROOT, readPageFiles } from '../../../../src/base/page-files.ts'
import {
  keyOf,
  OneThreadExchange,
  queryOf,
  roomyLimits,
  sign,
} from '../../../fixtures/one-thread-exchange.ts'

let exchange: OneThreadExchange
/** One connection for all: a body behind a HEAD would break the next answer. */
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })

beforeAll(async () => {
  const docs = readPageFiles('dist/src/docs', DOCS_ROOT)
  const console = { files: [], docs, demoKeys: [] }
  exchange = await OneThreadExchange.start({ limits: roomyLimits, console })
})
afterAll(async () => {
  agent.destroy()
  await exchange.close()
})

interface Got {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

function ask(method: string, path: string, headers: http.OutgoingHttpHeaders = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const { port } = exchange
    const sending = http.request(
      { agent, host: '127.0.0.1', port, method, path, headers },
      (got) => {
        let body = ''
        got.on('data', (chunk) => {
          body += chunk
        })
        got.on('end', () => resolve({ status: got.statusCode!, headers: got.headers, body }))
      },
    )
    sending.on('error', reject).end()
  })
}

const values: Readonly<Record<string, string>> = {
  symbol: 'BTCUSDT',
  interval: '1m',
  orderId: '7',
  origClientOrderId: 'x',
}

const reads = operations.filter(({ method }) => method === 'GET')

describe('of an operation', () => {
  test.each(reads.map((row) => [row.id, row] as const))('%s', async (_, row) => {
    const { params, oneOf, signed, path } = row
    const names = Object.keys(values)
    const taken = names.filter((name) => {
      const slot = slotOf(name as never)
      return oneOf?.[0] === slot || params.some((it) => it.slot === slot && it.mandatory)
    })
    const asked = Object.fromEntries(taken.map((name) => [name, values[name]!]))
    const query = queryOf(signed ? { ...asked, timestamp: exchange.nowMs() } : asked)
    const text = signed ? `${query}&signature=${sign(1, query)}` : query
    const key = { 'X-MBX-APIKEY': keyOf(1).apiKey }
    const address = text === '' ? path : `${path}?${text}`
    const used = (got: Got) => Number(got.headers['x-mbx-used-weight'])
    const before = await ask('GET', '/api/v3/ping')
    const get = await ask('GET', address, key)
    const head = await ask('HEAD', address, key)
    expect([head.status, head.body]).toEqual([get.status, ''])
    expect(used(head) - used(get)).toBe(used(get) - used(before))
    const length = Number(head.headers['content-length'])
    // Answers with times may differ in length.
    expect(Math.abs(length - Buffer.byteLength(get.body))).toBeLessThan(8)
    expect(Object.keys(head.headers).sort()).toEqual(Object.keys(get.headers).sort())
  })
})

describe('of other paths', () => {
  test.each([
    '/',
    '/openapi.json',
    '/docs',
    '/docs/llms.txt',
    '/llms.txt',
    '/ringbook/role',
    '/api/v3/nothing',
  ])('%s', async (path) => {
    const [get, head] = [await ask('GET', path), await ask('HEAD', path)]
    expect([head.status, head.body]).toEqual([get.status, ''])
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.body)))
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
  })
})
