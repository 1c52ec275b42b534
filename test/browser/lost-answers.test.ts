/** What the trader's page does when answers are lost, in a real browser behind a proxy: each order at most once. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { isNight } from '../runner/night.ts'
import { hasTool } from '../runner/tools.ts'
import { launchChromium, openConsole, openPage, order, saidOf, signIn } from './chromium.ts'
import { CUT, type Fate, LossyProxy } from './lossy-proxy.ts'

/** Requests that enter, change or end orders. */
const ORDERS =
  /^(order\.(place|cancel|cancelReplace|amend\.keepPriority)|orderList\.|openOrders\.cancelAll)/
const isOrder = (method: string) => ORDERS.test(method) && method !== 'orderList.status'
const MANY = isNight ? 200 : 30
/** A share of answers is dropped: each of these costs the page's patience. */
const DROPPED_EACH = isNight ? 20 : 10
const DELAY_MS = 300
const LIMIT = { price: '30000', quantity: '0.01' }

describe.runIf(hasTool('chromium'))('lost answers', () => {
  let exchange: ExchangeProcess
  let browser: Browser
  let proxy: LossyProxy
  let page: Page

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--liquidity', 'off'])
    browser = await launchChromium()
    for (const [account, side] of [
      ['maker', 'SELL'],
      ['taker', 'BUY'],
    ] as const) {
      await place(account, side, 50_000, 0.01)
    }
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })
  beforeEach(async () => {
    proxy = await LossyProxy.start(exchange.url)
    page = (await openConsole(browser, proxy.url)).page
    await signIn(page, 'trader1')
  })
  afterEach(async () => {
    await page.context().close()
    proxy.close()
    await client('trader1').send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  })

  const client = (account: string) => new SignedClient(exchange.url, exchange.keys()[account]!)
  const place = (account: string, side: string, price: number, quantity: number) =>
    client(account).send('POST', '/api/v3/order', {
      symbol: 'BTCUSDT',
      side,
      type: 'LIMIT',
      timeInForce: 'GTC',
      price,
      quantity,
    })
  const rows = () => page.locator('[data-order]')
  const sendOf = () =>
    page
      .getByRole('form', { name: 'Order ticket' })
      .getByRole('button', { name: /^(Buy|Sell) \w{3}/ })
  const settled = () => page.locator('#notices[aria-busy="false"]').waitFor({ state: 'attached' })
  /** Loses the answers to orders; queries pass. */
  const lose = (fate: Fate) => {
    proxy.answered = (method, text) => (isOrder(method) ? fate : text)
  }
  async function orders(path = 'allOrders'): Promise<Record<string, string>[]> {
    const given = { symbol: 'BTCUSDT', ...(path === 'allOrders' ? { limit: 1000 } : {}) }
    const { body } = await client('trader1').send('GET', `/api/v3/${path}`, given)
    return body as unknown as Record<string, string>[]
  }
  const placedSince = async (before: number) => (await orders()).length - before

  test.each<[string, Fate]>([
    ['dropped', undefined],
    ['cut off', CUT],
    ['cut in half', '{"id":'],
  ])('a market order whose answer is %s fills once', async (_, fate) => {
    for (let i = 0; i < 3; i++) await place('maker', 'SELL', 50_000, 0.01)
    const before = (await orders()).length
    lose(fate)
    await order(page, 'Buy', 'MARKET', { quantity: '0.01' })
    await saidOf(page, /^BUY MARKET: FILLED$/).waitFor()
    expect(await placedSince(before)).toBe(1)
    expect(proxy.count('order.place')).toBe(1)
    await client('maker').send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  })

  test('the outcome is unknown until the exchange has answered, and nothing else is sent', async () => {
    let areQueriesLost = true
    proxy.answered = (method, text) => {
      if (isOrder(method)) return CUT
      return method === 'order.status' && areQueriesLost ? CUT : text
    }
    await order(page, 'Buy', 'LIMIT', LIMIT)
    await saidOf(page, /^BUY LIMIT: outcome unknown/).waitFor()
    expect(await sendOf().isDisabled()).toBe(true)
    areQueriesLost = false
    await saidOf(page, /^BUY LIMIT: NEW$/).waitFor()
    expect(await orders('openOrders')).toHaveLength(1)
  })

  test('an order that arrives late is found, and was not called lost before', async () => {
    proxy.heldMethod = 'order.place'
    await order(page, 'Buy', 'LIMIT', LIMIT)
    await expect.poll(() => proxy.count('order.status')).toBeGreaterThan(2)
    expect(await orders('openOrders')).toEqual([])
    await saidOf(page, /^BUY LIMIT: outcome unknown/).waitFor()
    await proxy.release()
    await saidOf(page, /^BUY LIMIT: NEW$/).waitFor()
    expect(await orders('openOrders')).toHaveLength(1)
  })

  test('a refusal that is lost is told as what is known, once the exchange takes the request no more', async () => {
    await place('maker', 'SELL', 50_000, 0.01)
    lose(CUT)
    const before = (await orders()).length
    await order(page, 'Buy', 'LIMIT_MAKER', { price: '50000', quantity: '0.01' })
    const said = saidOf(page, /^BUY LIMIT_MAKER: no answer arrived, and at /)
    await said.getByText(/ the exchange had no order web_[0-9a-f]{32}: not placed\.$/).waitFor()
    await page.getByText('It was refused or never arrived, and can no longer.').waitFor()
    expect(await placedSince(before)).toBe(0)
    await client('maker').send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  })

  test('without a connection an order is not sent, and the page says so', async () => {
    const before = (await orders()).length
    await page.locator('[name="price"]').fill(LIMIT.price)
    await page.locator('[name="quantity"]').fill(LIMIT.quantity)
    // Signing takes its time: the connection ends meanwhile.
    await page.evaluate(
      'const sign = crypto.subtle.sign.bind(crypto.subtle);' +
        'crypto.subtle.sign = async (...all) => { await new Promise((go) => { globalThis.goOn = go }); return sign(...all) }',
    )
    await sendOf().click()
    await expect.poll(() => page.evaluate('globalThis.goOn !== undefined')).toBe(true)
    proxy.isBlocking = true
    proxy.cutAll()
    await page.locator('#connection:not(:text("Live"))').waitFor()
    await page.evaluate('goOn()')
    await saidOf(page, /^BUY LIMIT: not sent, because there is no connection/).waitFor()
    expect(await placedSince(before)).toBe(0)
    expect(await page.locator('[name="quantity"]').inputValue()).toBe(LIMIT.quantity)
  })

  test('cancels and changes are asked for too, and replaced orders are placed once', async () => {
    await order(page, 'Buy', 'LIMIT', { price: '30000', quantity: '0.02' })
    lose(CUT)
    await rows().getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('New quantity').fill('0.01')
    await page.getByRole('button', { name: 'Reduce' }).click()
    await saidOf(page, 'Reduce: NEW').waitFor()
    await rows().getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('New price').fill('30001')
    await page.getByRole('button', { name: 'Replace' }).click()
    await saidOf(page, 'Replace: NEW').waitFor()
    await settled()
    expect((await orders('openOrders')).map(({ price }) => Number(price))).toEqual([30_001])
    await rows().getByRole('button', { name: 'Cancel' }).click()
    await saidOf(page, 'Cancel: CANCELED').waitFor()
    await expect.poll(() => rows().count()).toBe(0)
    await settled()
    expect(proxy.methods.filter(isOrder)).toEqual([
      ...['order.place', 'order.amend.keepPriority', 'order.cancelReplace', 'order.cancel'],
    ])
  })

  test('a silence of the whole way ends in the truth', async () => {
    lose(CUT)
    proxy.answered = (method, text) => {
      if (isOrder(method)) proxy.isDark = true
      return text
    }
    await order(page, 'Buy', 'LIMIT', LIMIT)
    await saidOf(page, /^BUY LIMIT: outcome unknown/).waitFor()
    await page.locator('#connection', { hasText: 'Reconnecting' }).waitFor()
    proxy.isDark = false
    await saidOf(page, /^BUY LIMIT: NEW$/).waitFor()
    await expect.poll(() => rows().count()).toBe(1)
    expect(await orders('openOrders')).toHaveLength(1)
  })

  test('a proxy that blocks WebSockets is named in one sentence', async () => {
    proxy.isBlocking = true
    const blocked = await openPage(browser, proxy.url)
    await blocked.page
      .getByRole('alert')
      .getByText(/^The exchange answers, but its WebSocket connections do not open/)
      .waitFor()
    expect(await blocked.page.locator('#connection').innerText()).toBe('Blocked')
    proxy.isBlocking = false
    await blocked.page.locator('#connection', { hasText: 'Live' }).waitFor()
    expect(await blocked.page.locator('.trouble').count()).toBe(0)
    await blocked.page.context().close()
  })

  test(`${MANY} orders of all kinds are ${MANY} orders, whatever becomes of their answers`, async () => {
    await place('maker', 'SELL', 50_000, 100)
    const stop = { stopPrice: '45000', price: '44000', quantity: '0.001' }
    const pair = { workingPrice: '30000', workingQuantity: '0.001', pendingQuantity: '0.001' }
    const kinds = [
      ['Buy', 'LIMIT', { price: '30000', quantity: '0.001' }, 1],
      ['Buy', 'MARKET', { quantity: '0.001' }, 1],
      ['Buy', 'LIMIT_MAKER', { price: '30000', quantity: '0.001' }, 1],
      ['Sell', 'STOP_LOSS_LIMIT', stop, 1],
      [
        ...['Sell', 'OCO'],
        { quantity: '0.001', abovePrice: '60000', belowStopPrice: '45000', belowPrice: '44000' },
        2,
      ],
      ['Buy', 'OTO', { ...pair, pendingPrice: '29000' }, 2],
    ] as [side: 'Buy' | 'Sell', kind: string, Record<string, string>, count: number][]
    let answers = 0
    proxy.answered = async (method, text) => {
      if (!isOrder(method)) return text
      answers++
      if (answers % DROPPED_EACH === 0) return undefined
      if (answers % 2 === 0) return CUT
      return new Promise((resolve) => setTimeout(() => resolve(text), DELAY_MS))
    }
    const before = (await orders()).length
    let expected = 0
    for (let i = 0; i < MANY; i++) {
      const [side, kind, values, count] = kinds[i % kinds.length]!
      await order(page, side, kind, values)
      await settled()
      expected += count
      expect(await placedSince(before), `${i} ${kind}`).toBe(expected)
      if (i % kinds.length < kinds.length - 1) continue
      await page.getByRole('button', { name: 'Cancel all on BTCUSDT' }).click()
      await page.getByRole('button', { name: 'Cancel orders' }).click()
      await expect.poll(() => rows().count()).toBe(0)
      await settled()
    }
    await client('maker').send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  }, 1_200_000)
})
