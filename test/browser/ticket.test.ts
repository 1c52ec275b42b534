/** The order ticket places the order that was meant, once, and shows what became of it. */

import type { Browser, Page } from 'playwright-core'
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
import { LossyProxy } from './lossy-proxy.ts'

/** Events of a key that is held down. */
const REPEATS = 20

describe.runIf(hasTool('chromium'))('the order ticket', () => {
  let exchange: ExchangeProcess
  let browser: Browser

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--liquidity', 'off'])
    browser = await launchChromium()
    // Filters of market orders go by the average price: there is one from the first trade.
    await rest('SELL', 50_000, 0.01)
    await client('taker').send('POST', '/api/v3/order', {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: 50_000,
      quantity: 0.01,
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
  async function openLossy(account: string): Promise<{ page: Page; proxy: LossyProxy }> {
    const proxy = await LossyProxy.start(exchange.url)
    const { page } = await openConsole(browser, proxy.url)
    await signIn(page, account)
    return { page, proxy }
  }
  async function end(page: Page, proxy: LossyProxy): Promise<void> {
    await page.context().close()
    proxy.close()
  }
  async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await field(page, name).fill(value)
  }
  const rest = (side: string, price: number, quantity: number) =>
    client('maker').send('POST', '/api/v3/order', {
      symbol: 'BTCUSDT',
      side,
      type: 'LIMIT',
      timeInForce: 'GTC',
      price,
      quantity,
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
      const { page, proxy } = await openLossy('trader1')
      let goOn = () => {}
      const held = new Promise<void>((resolve) => {
        goOn = resolve
      })
      proxy.answered = (method, text) => (method === 'order.place' ? held.then(() => text) : text)
      await fill(page, LIMIT)
      await field(page, 'quantity').press('Enter')
      await field(page, 'quantity').press('Enter')
      await expect.poll(() => sendOf(page).isDisabled()).toBe(true)
      goOn()
      await saidOf(page, 'BUY LIMIT: NEW').waitFor()
      expect(proxy.count('order.place')).toBe(1)
      expect(await openOrders('trader1')).toBe(1)
      await cancelAll('trader1')
      await end(page, proxy)
    })

    test('a key that is held sends one order, and a quantity that is kept is no reason for another', async () => {
      const { page, proxy } = await openLossy('trader1')
      await page.getByLabel('Keep the quantity').check()
      await fill(page, LIMIT)
      await field(page, 'quantity').focus()
      await page.keyboard.down('Enter')
      await saidOf(page, 'BUY LIMIT: NEW').waitFor()
      await expect.poll(() => sendOf(page).isEnabled()).toBe(true)
      for (let i = 0; i < REPEATS; i++) await page.keyboard.down('Enter')
      await page.keyboard.up('Enter')
      await field(page, 'quantity').press('Enter')
      await expect.poll(() => openOrders('trader1')).toBe(2)
      expect(proxy.count('order.place')).toBe(2)
      await cancelAll('trader1')
      await end(page, proxy)
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

  test('an account that signs in begins with an empty ticket', async () => {
    const page = await open('trader1')
    await fill(page, { price: '30000', quantity: '0.01' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, 'trader2')
    expect(await field(page, 'price').inputValue()).toBe('')
    expect(await field(page, 'quantity').inputValue()).toBe('')
    await page.context().close()
  })

  describe('a phase that takes a kind away', () => {
    const status = (status: string) =>
      operate(exchange, 'symbol-status', { symbol: 'SOLUSDT', status })
    const kindOf = (page: Page) => page.locator('#order-kind').inputValue()
    const openSol = async () => {
      const { page } = await openConsole(browser, `${exchange.url}/#SOLUSDT`)
      await signIn(page, 'trader2')
      await page.locator('#order-kind').selectOption('MARKET')
      return page
    }

    test('locks what was typed, and sends no other kind than was shown', async () => {
      const page = await openSol()
      await field(page, 'quantity').fill('2')
      await status('AUCTION_MATCH')
      const lock = ticketOf(page).getByText(
        'SOLUSDT takes no orders of the kind Market now: AUCTION_MATCH. The ticket is locked.',
      )
      await lock.waitFor()
      expect(await kindOf(page)).toBe('MARKET')
      expect(await sendOf(page).isDisabled()).toBe(true)
      await status('TRADING')
      await page.locator('.halted').waitFor({ state: 'detached' })
      expect(await lock.isVisible()).toBe(true)
      expect(await sendOf(page).isDisabled()).toBe(true)
      await status('AUCTION_MATCH')
      await page.locator('.halted').waitFor()
      await ticketOf(page).getByRole('button', { name: 'Show what SOLUSDT takes now' }).click()
      await lock.waitFor({ state: 'detached' })
      expect(await kindOf(page)).toBe('LIMIT')
      await status('TRADING')
      await page.locator('.halted').waitFor({ state: 'detached' })
      expect(await kindOf(page)).toBe('LIMIT')
      await page.context().close()
    })

    test('turns an empty ticket, which stays so, and a click on the ladder sets its price', async () => {
      await client('maker').send('POST', '/api/v3/order', {
        symbol: 'SOLUSDT',
        side: 'BUY',
        type: 'LIMIT',
        timeInForce: 'GTC',
        price: 100,
        quantity: 1,
      })
      const page = await openSol()
      await status('AUCTION_MATCH')
      await expect.poll(() => kindOf(page)).toBe('LIMIT')
      await page.locator('.ladder button.fill').focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect.poll(() => field(page, 'price').inputValue()).toMatch(/^100(\.0+)?$/)
      await field(page, 'quantity').fill('2')
      await status('TRADING')
      await page.locator('.halted').waitFor({ state: 'detached' })
      await field(page, 'quantity').press('Enter')
      await saidOf(page, /^BUY LIMIT: NEW$/).waitFor()
      for (const account of ['maker', 'trader2']) await cancelAll(account, 'SOLUSDT')
      await page.context().close()
    })

    test('keeps what is typed while a session that is cut comes back', async () => {
      const { page, proxy } = await openLossy('trader1')
      await fill(page, { price: '30000', quantity: '0.01' })
      proxy.cutAll()
      await page.locator('#connection:not(:text("Live"))').waitFor()
      await page.locator('#connection', { hasText: 'Live' }).waitFor()
      expect(await field(page, 'quantity').inputValue()).toBe('0.01')
      await end(page, proxy)
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
