/** Refusals for too much of something: limits made small, a book made full, ids used up. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeClock } from '../../../scripts/exchange/exchange-clock.ts'
import type { ExchangeProcess } from '../../../scripts/exchange/exchange-process.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { FEW_THREADS } from '../../fixtures/few-threads.ts'
import { act } from '../admin-server.ts'
import { type Frame, FrameLog } from '../frame-log.ts'
import { type Stage, stageExchange } from '../staged-exchange.ts'
import { Trader, type TraderAnswer } from '../trader.ts'
import { expectRefusal } from './raise.ts'
import { SYMBOL } from './stage.ts'

const stage: Stage = {
  assets: ['BTC', 'USDT'],
  symbols: [{ name: SYMBOL }],
  accounts: { own: { funds: { USDT: 100_000 } } },
}
const LIMIT = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01' }

/** Tests of a separate exchange, started with these flags; its time stands still. */
function withFlags(flags: string, tests: (exchange: () => ExchangeProcess) => void): void {
  describe(flags, () => {
    let exchange: ExchangeProcess
    beforeAll(async () => {
      exchange = await stageExchange(
        stage,
        [...FEW_THREADS, ...flags.split(' ')],
        new ExchangeClock(),
      )
      await exchange.run()
    })
    afterAll(() => exchange?.remove())
    tests(() => exchange)
  })
}

const ping = async (exchange: ExchangeProcess) => {
  const response = await fetch(`${exchange.url}/api/v3/ping`)
  return {
    status: response.status,
    retryAfter: Number(response.headers.get('retry-after')),
    body: (await response.json()) as Frame,
  }
}

export function limitTests(): void {
  withFlags('--limits on --raw-requests-limit 20', (its) => {
    test('TOO_MANY_REQUESTS', async () => {
      const exchange = its()
      let answer = await ping(exchange)
      while (answer.status === 200) answer = await ping(exchange)
      expectRefusal('TOO_MANY_REQUESTS', answer, -1003, 'Too many requests queued.')
      expect(answer.retryAfter).toBeLessThanOrEqual(300)
    })
  })

  withFlags('--limits on', (its) => {
    test('TOO_MANY_CONNECTIONS', async () => {
      const exchange = its()
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      const pem = String(publicKey.export({ type: 'spki', format: 'pem' }))
      const key = { account: 'own', kind: 'ED25519', 'public-key': pem }
      const { rows } = await act(exchange, 'key-create', key)
      const apiKey = String(rows[0]!.apiKey)
      await act(exchange, 'account-limits', { account: 'own', sessions: 1 })
      const logOn = async (log: FrameLog) => {
        const time = await fetch(`${exchange.url}/api/v3/time`)
        const { serverTime: timestamp } = (await time.json()) as Frame
        const text = `apiKey=${apiKey}&timestamp=${timestamp}`
        const signature = sign(undefined, Buffer.from(text), privateKey).toString('base64')
        const params = { apiKey, timestamp, signature }
        return log.ask({ id: 1, method: 'session.logon', params })
      }
      const one = await FrameLog.open(`${exchange.wsUrl}/ws-api/v3`)
      const other = await FrameLog.open(`${exchange.wsUrl}/ws-api/v3`)
      expect((await logOn(one)).status).toBe(200)
      const { status, error } = await logOn(other)
      const answer = { status: Number(status), body: error as Frame }
      const msg = 'Too many concurrent connections; current limit is 1.'
      expectRefusal('TOO_MANY_CONNECTIONS', answer, -1034, msg)
      await Promise.all([one.close(), other.close()])
    })
  })

  // Orders first, since the ban that comes then is for everything.
  withFlags('--limits on --orders-per-day 2 --weight-limit 40 --ban-after 3', (its) => {
    test('TOO_MANY_ORDERS, and what it makes of a cancel-replace', async () => {
      const exchange = its()
      const own = new Trader(exchange, 'own')
      const first = await own.place({ ...LIMIT, price: '100' })
      await own.place({ ...LIMIT, price: '101' })
      const answer = await own.send('POST', '/api/v3/order', { ...LIMIT, price: '102' })
      const msg = 'Too many new orders; current limit is 2 orders per 1 DAY.'
      expectRefusal('TOO_MANY_ORDERS', answer, -1015, msg)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      const replace = {
        ...LIMIT,
        price: '103',
        cancelReplaceMode: 'STOP_ON_FAILURE',
        orderRateLimitExceededMode: 'CANCEL_ONLY',
        cancelOrderId: Number(first.orderId),
      }
      const path = '/api/v3/order/cancelReplace'
      const partly = await own.send('POST', path, replace)
      const partlyFailed = 'Order cancel-replace partially failed.'
      expectRefusal('REPLACE_ONLY_CANCELED', partly, -2021, partlyFailed)
      const wholly = await own.send('POST', path, replace)
      expectRefusal('REPLACE_FAILED_TO_CANCEL', wholly, -2022, 'Order cancel-replace failed.')
    })

    test('TOO_MUCH_WEIGHT, then ADDRESS_BANNED', async () => {
      const exchange = its()
      let answer = await ping(exchange)
      while (answer.status === 200) answer = await ping(exchange)
      expectRefusal(
        'TOO_MUCH_WEIGHT',
        answer,
        -1003,
        'Too much request weight used; current limit is 40 request weight per 1 MINUTE. Please ' +
          'use WebSocket Streams for live updates to avoid polling the API.',
      )
      expect(answer.retryAfter).toBeGreaterThan(0)
      expect(answer.retryAfter).toBeLessThanOrEqual(60)
      answer = await eventually('a ban', async () => {
        const next = await ping(exchange)
        return next.status === 418 ? next : undefined
      })
      const until = Number(/until ([0-9]{13})\./.exec(String(answer.body.msg))?.[1])
      expectRefusal(
        'ADDRESS_BANNED',
        answer,
        -1003,
        `Way too much request weight used; IP banned until ${until}. Please use WebSocket ` +
          'Streams for live updates to avoid bans.',
      )
      expect(until).toBe(exchange.nowMs() + 120_000)
      expect(answer.retryAfter).toBe(120)
    })
  })

  withFlags('--limits off --orders-per-symbol 1024', (its) => {
    test('BOOK_FULL', async () => {
      const exchange = its()
      const own = new Trader(exchange, 'own')
      const answers = await Promise.all(
        // Not all at once: signatures are good for seconds.
        Array.from({ length: 10 }, async () => {
          const some: TraderAnswer[] = []
          while (some.length < 103)
            some.push(await own.send('POST', '/api/v3/order', { ...LIMIT, price: '100' }))
          return some
        }),
      )
      const refused = answers.flat().filter(({ status }) => status !== 200)
      expect(refused).toHaveLength(6)
      const msg = 'Order book is full.'
      for (const answer of refused) expectRefusal('BOOK_FULL', answer, -2010, msg)
      expect(await own.ask('GET', '/api/v3/openOrders')).toHaveLength(1024)
    })

    test('SUBSCRIPTION_IDS_EXHAUSTED', async () => {
      const exchange = its()
      const own = new Trader(exchange, 'own')
      const log = await FrameLog.open(`${exchange.wsUrl}/ws-api/v3`)
      const EVER_MAX = 65_535
      // Good for every request, since no time passes.
      const params = own.sign({ returnRateLimits: 'false' })
      for (let begun = 0; begun < EVER_MAX; ) {
        const end = Math.min(begun + 1024, EVER_MAX)
        for (; begun < end; begun++) {
          log.send({ id: `s${begun}`, method: 'userDataStream.subscribe.signature', params })
          log.send({ id: `u${begun}`, method: 'userDataStream.unsubscribe' })
        }
        await log.first('the last of these', ({ id }) => id === `u${end - 1}`)
        expect(log.frames.every(({ status, event }) => status === 200 || event)).toBe(true)
        log.frames.length = 0
      }
      const last = await log.ask({
        id: 'last',
        method: 'userDataStream.subscribe.signature',
        params: own.sign({}),
      })
      const msg = 'Maximum subscription ID reached for this connection.'
      const answer = { status: Number(last.status), body: last.error as Frame }
      expectRefusal('SUBSCRIPTION_IDS_EXHAUSTED', answer, -2042, msg)
      await log.close()
    })
  })
}
