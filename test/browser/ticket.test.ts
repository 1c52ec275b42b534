/** The order ticket places the order that was meant, once, and tells what became of it. */

import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { hasTool } from '../runner/tools.ts'
import {
  enter,
  launchChromium,
  openConsole,
  operate,
  order,
  outcomeOf,
  saidOf,
  signIn,
  switchCancelKeysOn,
} from './chromium.ts'

const ORDERS = /\/api\/v3\/order\?/

describe.runIf(hasTool('chromium'))('the order ticket', () => {
  let exchange: ExchangeProcess
  let browser: Browser

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--liquidity', 'off'])
    browser = await launchChromium()
    // Filters of market orders go by the average price: there is one from the first trade.
    await rest('SELL', 50_000, 0.01)
    await client('taker').send('POST', '/api/v3/order', {
      ...{ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' },
      ...{ price: 50_000, quantity: 0.01 },
    })
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  const client = (account: string) => new SignedClient(exchange.url, exchange.keys()[account]!)
  const ticketOf = (page: Page) => page.getByRole('form', { name: 'Order ticket' })
  const field = (page: Page, name: string) => ticketOf(page).locator(`[name="${name}"]`)
  const sendOf = (page: Page) => ticketOf(page).getByRole('button', { name: /^(Buy|Sell) \w{3}/ })
  const toneOf = (page: Page) => page.locator('.notice:not(.news)').first().getAttribute('class')
  const totalOf = (page: Page) => page.locator('#total').innerText()

  async function openOrders(account: string): Promise<number> {
    const { body } = await client(account).send('GET', '/api/v3/openOrders')
    return (body as unknown as unknown[]).length
  }
  async function cancelAll(account: string, symbol = 'BTCUSDT'): Promise<void> {
    await client(account).send('DELETE', '/api/v3/openOrders', { symbol })
  }
  async function open(account: string): Promise<Page> {
    const { page } = await openConsole(browser, exchange.url)
    await signIn(page, account)
    return page
  }
  async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await field(page, name).fill(value)
  }
  const rest = (side: string, price: number, quantity: number) =>
    client('maker').send('POST', '/api/v3/order', {
      ...{ symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC', price, quantity },
    })

  describe('one request at a time', () => {
    const LIMIT = { price: '30000', quantity: '0.01' }

    test.each(['cleared', 'kept'])('a double click places one order, fields %s', async (fields) => {
      const page = await open('trader1')
      if (fields === 'kept') await page.getByLabel('Keep the quantity').check()
      await fill(page, LIMIT)
      await sendOf(page).dblclick()
      await saidOf(page, 'BUY LIMIT: NEW').waitFor()
      await page.locator('[data-order]').first().waitFor()
      expect(await openOrders('trader1')).toBe(1)
      expect(await field(page, 'price').inputValue()).toBe('30000')
      const left = fields === 'kept' ? '0.01' : ''
      expect(await field(page, 'quantity').inputValue()).toBe(left)
      await cancelAll('trader1')
      await page.context().close()
    })

    test('while a request is under way the button is off, and Enter sends no other one', async () => {
      const page = await open('trader1')
      let goOn = () => {}
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const ids: (string | null)[] = []
      await page.route(ORDERS, async (route) => {
        const { searchParams } = new URL(route.request().url())
        ids.push(searchParams.get('newClientOrderId'))
        await held
        await route.continue()
      })
      await fill(page, LIMIT)
      await field(page, 'quantity').press('Enter')
      await field(page, 'quantity').press('Enter')
      await expect.poll(() => sendOf(page).isDisabled()).toBe(true)
      goOn()
      await saidOf(page, 'BUY LIMIT: NEW').waitFor()
      expect(ids).toEqual([expect.stringMatching(/^web_[0-9a-f]{32}$/)])
      expect(await openOrders('trader1')).toBe(1)
      await cancelAll('trader1')
      await page.context().close()
    })
  })

  test('another market begins with an empty ticket', async () => {
    const page = await open('trader1')
    await fill(page, { price: '30000', quantity: '0.01' })
    await page.getByRole('button', { name: /^ETH\s*\/USDT/ }).click()
    await page.getByRole('heading', { name: 'ETH/USDT' }).waitFor()
    await page.getByRole('heading', { name: 'Trade ETHUSDT' }).waitFor()
    expect(await field(page, 'price').inputValue()).toBe('')
    expect(await field(page, 'quantity').inputValue()).toBe('')
    await page.context().close()
  })

  describe('a lost response', () => {
    const lose = async (route: Route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort()
    }

    test('leaves an outcome that is unknown until the exchange is asked for the order', async () => {
      const page = await open('trader1')
      let areQueriesHeld = true
      await page.route(ORDERS, (route) => {
        const isQuery = route.request().method() === 'GET'
        return isQuery && areQueriesHeld ? route.abort() : lose(route)
      })
      await fill(page, { price: '30000', quantity: '0.01' })
      await sendOf(page).click()
      await saidOf(page, /^BUY LIMIT: outcome unknown/).waitFor()
      expect(await sendOf(page).isDisabled()).toBe(true)
      areQueriesHeld = false
      await saidOf(page, /^BUY LIMIT: NEW$/).waitFor()
      expect(await openOrders('trader1')).toBe(1)
      await cancelAll('trader1')
      await page.context().close()
    })

    test('of a list is asked for by its own id', async () => {
      const page = await open('trader1')
      await page.route(/\/api\/v3\/orderList\/oto\?/, lose)
      await page.locator('#order-kind').selectOption('OTO')
      await fill(page, {
        ...{ workingPrice: '30000', workingQuantity: '0.01' },
        ...{ pendingPrice: '29000', pendingQuantity: '0.01' },
      })
      await sendOf(page).click()
      await saidOf(page, /^BUY OTO: EXECUTING$/).waitFor()
      await cancelAll('trader1')
      await page.context().close()
    })

    test('of an order that never arrived: the page says so once that is certain', async () => {
      const page = await open('trader1')
      await page.route(ORDERS, (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      )
      await fill(page, { price: '30000', quantity: '0.01' })
      await sendOf(page).click()
      await saidOf(page, /^BUY LIMIT: not placed/).waitFor()
      expect(await openOrders('trader1')).toBe(0)
      expect(await field(page, 'quantity').inputValue()).toBe('0.01')
      await page.context().close()
    })

    test("the page's own time-out is no refusal", async () => {
      const page = await open('trader1')
      await page.route(ORDERS, async (route) => {
        if (route.request().method() === 'POST') await route.fetch()
        else await route.continue()
      })
      await fill(page, { price: '30000', quantity: '0.01' })
      await sendOf(page).click()
      await saidOf(page, /^BUY LIMIT: NEW$/).waitFor()
      await cancelAll('trader1')
      await page.context().close()
    })

    test('of a cancel: unknown too, and open orders are read again', async () => {
      const page = await open('trader1')
      await order(page, 'Buy', 'LIMIT', { price: '30000', quantity: '0.01' })
      const row = page.locator('[data-order]')
      await row.waitFor()
      await page.route(ORDERS, async (route) => {
        await route.fetch()
        await route.abort()
      })
      const read = page.waitForRequest(/\/api\/v3\/openOrders\?/)
      await row.getByRole('button', { name: 'Cancel' }).click()
      await saidOf(page, /^Cancel: outcome unknown/).waitFor()
      await read
      await expect.poll(() => row.count()).toBe(0)
      await page.context().close()
    })
  })

  test('a market order that a thin book fills in part is told in figures, and not in green', async () => {
    const page = await open('taker')
    await rest('SELL', 50_000, 0.3)
    await rest('SELL', 50_100, 0.5)
    expect(await order(page, 'Buy', 'MARKET', { quantity: '1' })).toBe('BUY MARKET: EXPIRED')
    await outcomeOf(page)
      .filter({
        hasText:
          /^Filled 0\.8 of 1 BTC at an average of 50,062\.5, fee 0\.\d+ BTC\. The rest expired: 0\.2 BTC\.$/,
      })
      .waitFor()
    expect(await toneOf(page)).toMatch(/ neutral/)
    await rest('SELL', 50_000, 0.01)
    expect(await order(page, 'Buy', 'MARKET', { quantity: '0.01' })).toBe('BUY MARKET: FILLED')
    await outcomeOf(page)
      .filter({
        hasText: /^Filled 0\.01 BTC at an average of 50,000, fee 0\.\d+ BTC\.$/,
      })
      .waitFor()
    expect(await toneOf(page)).toMatch(/ good/)
    await page.context().close()
  })

  test('keys cancel only when they were switched on, and never with a button focused', async () => {
    const page = await open('trader1')
    const rows = page.locator('[data-order]')
    for (const price of ['30000', '30001']) {
      await order(page, 'Buy', 'LIMIT', { price, quantity: '0.01' })
    }
    await expect.poll(() => rows.count()).toBe(2)
    await page.keyboard.press('Escape')
    for (const key of ['x', 'Shift+X']) {
      await page.keyboard.press(key)
      await saidOf(page, /^Keys that cancel are off/).waitFor()
    }
    expect(await openOrders('trader1')).toBe(2)
    await switchCancelKeysOn(page)
    await page.getByRole('button', { name: 'Sell', exact: true }).focus()
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+X')
    await page.keyboard.press('Escape')
    await page.keyboard.press('x')
    await expect.poll(() => openOrders('trader1')).toBe(1)
    await page.keyboard.press('Shift+X')
    await expect.poll(() => openOrders('trader1')).toBe(0)
    await page.context().close()
  })

  test('B selects the price, so that digits replace it', async () => {
    const page = await open('trader1')
    await fill(page, { price: '59246.32' })
    await page.keyboard.press('Escape')
    await page.keyboard.press('b')
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('price')
    await page.keyboard.type('59000')
    expect(await field(page, 'price').inputValue()).toBe('59000')
    await page.context().close()
  })

  test('the total is of the fields that are shown, and of the book for market orders', async () => {
    const page = await open('taker')
    await rest('SELL', 50_000, 0.3)
    await rest('SELL', 50_100, 0.5)
    await fill(page, { price: '40000', quantity: '0.5' })
    await expect.poll(() => totalOf(page)).toBe('20,000 USDT')
    await page.locator('#order-kind').selectOption('MARKET')
    await expect.poll(() => totalOf(page)).toBe('≈ 25,020 USDT')
    await field(page, 'quantity').fill('1')
    await expect.poll(() => totalOf(page)).toBe('Only 0.8 BTC in the book')
    await field(page, 'quantity').fill('')
    await field(page, 'quoteOrderQty').fill('100')
    await expect.poll(() => totalOf(page)).toBe('100 USDT')
    await page.locator('#order-kind').selectOption('STOP_LOSS')
    await fill(page, { stopPrice: '60000', quantity: '0.5' })
    await expect.poll(() => totalOf(page)).toBe('≈ 30,000 USDT')
    await field(page, 'stopPrice').fill('')
    await field(page, 'trailingDelta').fill('100')
    await expect.poll(() => totalOf(page)).toBe('–')
    await page.locator('#order-kind').selectOption('OTO')
    await fill(page, { workingPrice: '30000', workingQuantity: '0.1', pendingQuantity: '0.1' })
    await expect.poll(() => totalOf(page)).toBe('3,000 USDT')
    await cancelAll('maker')
    await page.context().close()
  })

  test('a market buy beyond free funds is told while typing', async () => {
    await operate(exchange, 'account-open', { account: 'paul' })
    await operate(exchange, 'deposit', { account: 'paul', asset: 'USDT', amount: '100' })
    const key = await operate(exchange, 'key-create', { account: 'paul' })
    await rest('SELL', 50_000, 1)
    const { page } = await openConsole(browser, exchange.url)
    await enter(page, key.apiKey!, key.secretKey!)
    await page.locator('#order-kind').selectOption('MARKET')
    await field(page, 'quantity').fill('0.00201')
    await ticketOf(page).getByText('Insufficient balance: 100 USDT available').waitFor()
    expect(await sendOf(page).isDisabled()).toBe(true)
    await field(page, 'quantity').fill('0.002')
    await expect.poll(() => sendOf(page).isEnabled()).toBe(true)
    await cancelAll('maker')
    await page.context().close()
  })

  test('no order is sent while the page is disconnected', async () => {
    const page = await open('trader1')
    await fill(page, { price: '30000', quantity: '0.01' })
    await expect.poll(() => sendOf(page).isEnabled()).toBe(true)
    await exchange.stop('SIGTERM')
    await ticketOf(page).getByText('Not connected: no order can be sent.').waitFor()
    expect(await sendOf(page).isDisabled()).toBe(true)
    await exchange.run()
    await expect.poll(() => sendOf(page).isEnabled()).toBe(true)
    await page.context().close()
  })
})
