/** "Live" means that what the trader's page shows is current, in a real browser against a real exchange. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { hasTool } from '../runner/tools.ts'
import { enter, launchChromium, openConsole, operate, order, saidOf, signIn } from './chromium.ts'
import { CUT, LossyProxy } from './lossy-proxy.ts'

const LIMIT = { price: '30000', quantity: '0.01' }

describe.runIf(hasTool('chromium'))('the state of the page', () => {
  let browser: Browser
  let exchange: ExchangeProcess
  let proxy: LossyProxy
  let page: Page

  beforeAll(async () => {
    exchange = await ExchangeProcess.start()
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })
  beforeEach(async () => {
    proxy = await LossyProxy.start(exchange.url)
    page = (await openConsole(browser, proxy.url)).page
  })
  afterEach(async () => {
    await page.context().close()
    proxy.close()
    await client('trader1').send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  })

  const client = (account: string) => new SignedClient(exchange.url, exchange.keys()[account]!)
  const place = (account: string, price: number) =>
    client(account).send('POST', '/api/v3/order', {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      price,
      quantity: 0.01,
    })
  const state = (name: string) => page.locator('#connection', { hasText: name }).waitFor()
  const rows = () => page.locator('[data-order]')
  const isDimmed = () => page.evaluate("document.documentElement.dataset.live === 'no'")

  test('a process that stops answering is not live, and the time without an answer counts up', async () => {
    await signIn(page, 'trader1')
    await state('Live')
    expect(await isDimmed()).toBe(false)
    await page.locator('[name="price"]').fill(LIMIT.price)
    await page.locator('[name="quantity"]').fill(LIMIT.quantity)
    process.kill(exchange.pid, 'SIGSTOP')
    try {
      await state('No answer')
      for (const age of ['for 5 s', 'for 7 s']) await page.getByText(age).waitFor()
      expect(await isDimmed()).toBe(true)
      await page.getByText('Not connected: no order can be sent.').waitFor()
    } finally {
      process.kill(exchange.pid, 'SIGCONT')
    }
    await state('Live')
    expect(await isDimmed()).toBe(false)
  })

  test('a revoked key signs out with a sentence, and is kept no longer', async () => {
    await operate(exchange, 'account-open', { account: 'rita' })
    const { apiKey, secretKey } = await operate(exchange, 'key-create', { account: 'rita' })
    await page.getByLabel('Stay signed in when this tab reloads').check()
    await enter(page, apiKey!, secretKey!)
    await page.getByRole('form', { name: 'Order ticket' }).waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(1)
    await operate(exchange, 'key-revoke', { key: apiKey! })
    await page
      .getByRole('alert')
      .getByText(/ was signed out: /)
      .waitFor()
    await page.getByRole('region', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  test('a key that is revoked while the page is away signs out when it is back', async () => {
    await operate(exchange, 'account-open', { account: 'rosa' })
    const { apiKey, secretKey } = await operate(exchange, 'key-create', { account: 'rosa' })
    await enter(page, apiKey!, secretKey!)
    await page.getByRole('form', { name: 'Order ticket' }).waitFor()
    proxy.isDark = true
    proxy.cutAll()
    await state('Reconnecting')
    await operate(exchange, 'key-revoke', { key: apiKey! })
    proxy.isDark = false
    await page
      .getByRole('alert')
      .getByText(/ was signed out: the exchange no longer accepts its key/)
      .waitFor()
  })

  test('a key without a permission is refused, and its user stays signed in', async () => {
    await operate(exchange, 'account-open', { account: 'rob' })
    const given = { account: 'rob', trade: 'off' }
    const { apiKey, secretKey } = await operate(exchange, 'key-create', given)
    await enter(page, apiKey!, secretKey!)
    await page.getByRole('form', { name: 'Order ticket' }).waitFor()
    await operate(exchange, 'deposit', { account: 'rob', asset: 'USDT', amount: '1000' })
    await page.getByText('1,000 USDT').first().waitFor()
    await order(page, 'Buy', 'LIMIT', LIMIT)
    await saidOf(page, /^BUY LIMIT: .*\(-2015\)$/).waitFor()
    await state('Live')
    await page.getByRole('form', { name: 'Order ticket' }).waitFor()
  })

  test('what a lost answer left unknown is not live until it was read', async () => {
    await signIn(page, 'trader1')
    await order(page, 'Buy', 'LIMIT', LIMIT)
    await rows().waitFor()
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    proxy.answered = (method, text) => {
      if (method === 'order.cancel') return CUT
      return method === 'openOrders.status' ? held.then(() => text) : text
    }
    await rows().getByRole('button', { name: 'Cancel' }).click()
    await saidOf(page, 'Cancel: CANCELED').waitFor()
    await place('trader1', 30_001)
    await state('Synchronizing')
    expect(await isDimmed()).toBe(true)
    goOn()
    await state('Live')
    expect(await rows().count()).toBe(1)
    await rows().getByText('30,001').waitFor()
  })

  test('a market whose messages come late is behind', async () => {
    await state('Live')
    await client('trader1').send('DELETE', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
    proxy.delayMs = 4_000
    const move = setInterval(() => void place('trader1', 30_000), 500)
    try {
      await state('Behind')
      expect(await isDimmed()).toBe(true)
    } finally {
      clearInterval(move)
    }
    proxy.delayMs = 0
    await place('trader1', 29_999)
    await state('Live')
  })
})

describe.runIf(hasTool('chromium'))('the state of the page by the clock of the exchange', () => {
  let browser: Browser
  let exchange: ExchangeProcess

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--sandbox', 'on', '--clock', 'virtual'])
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  test('a clock that jumps is read again, and orders are signed by it', async () => {
    const { page } = await openConsole(browser, exchange.url)
    await signIn(page, 'trader1')
    for (const by of ['1h', '6h']) {
      await operate(exchange, 'clock-advance', { length: by })
      await order(page, 'Buy', 'LIMIT', LIMIT)
      // The page may have signed before it knew: then it says so, and knows now.
      const said = await saidOf(page).innerText()
      if (said.includes('-1021')) {
        await page.locator('#connection', { hasText: 'Live' }).waitFor()
        await order(page, 'Buy', 'LIMIT', LIMIT)
      }
      await saidOf(page, /^BUY LIMIT: NEW$/).waitFor()
    }
    await page.context().close()
  })
})

describe.runIf(hasTool('chromium'))('what the page reads', () => {
  let browser: Browser
  let exchange: ExchangeProcess
  let proxy: LossyProxy
  let page: Page

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--limits', 'on'])
    browser = await launchChromium()
    proxy = await LossyProxy.start(exchange.url)
    page = (await openConsole(browser, proxy.url)).page
    await signIn(page, 'taker')
  })
  afterAll(async () => {
    proxy?.close()
    await browser?.close()
    await exchange?.remove()
  })

  const client = (account: string) => new SignedClient(exchange.url, exchange.keys()[account]!)
  const trade = async () => {
    for (const [account, side] of [
      ['maker', 'SELL'],
      ['taker', 'BUY'],
    ] as const) {
      await client(account).send('POST', '/api/v3/order', {
        symbol: 'BTCUSDT',
        side,
        type: 'LIMIT',
        timeInForce: 'GTC',
        price: 50_000,
        quantity: 0.01,
      })
    }
  }
  const tab = (name: string) =>
    page.getByRole('region', { name: 'Account' }).getByRole('button', { name }).click()
  const rows = () => page.locator('.account .rows tbody tr')

  test.each([
    ['History', 'allOrders'],
    ['Fills', 'myTrades'],
  ])('%s are read once and follow events, and are read again after a loss', async (name, method) => {
    await trade()
    await tab(name)
    await rows().first().waitFor()
    const had = await rows().count()
    // The marks on the chart need the same fills, and may have read them first.
    const reads = proxy.count(method)
    for (let i = 0; i < 5; i++) await trade()
    await expect.poll(() => rows().count()).toBe(had + 5)
    await tab('Balances')
    await tab(name)
    expect(await rows().count()).toBe(had + 5)
    expect(proxy.count(method)).toBe(reads)
    proxy.cutAll()
    await expect.poll(() => proxy.count(method)).toBe(reads + 1)
    await page.locator('#connection', { hasText: 'Live' }).waitFor()
    expect(await rows().count()).toBe(had + 5)
  })

  test('lists follow events', async () => {
    await tab('Lists')
    const pair = { workingPrice: '30000', workingQuantity: '0.01', pendingPrice: '29000' }
    await order(page, 'Buy', 'OTO', { ...pair, pendingQuantity: '0.01' })
    await rows().getByText('EXECUTING').waitFor()
    await rows().getByRole('button', { name: 'Cancel' }).click()
    await rows().getByText('ALL_DONE').waitFor()
    expect(proxy.count('allOrderLists')).toBe(1)
  })

  const REFUSAL = {
    status: 429,
    headers: { 'retry-after': '3600' },
    json: { code: -1003, msg: 'Too much request weight used.' },
  }
  /** Returns what the page has sent once its pause is shown, and after three seconds of the pause. */
  const sentInPause = async (paused: Page, sent: () => number) => {
    const told = paused.getByRole('alert').getByText(/refuse requests of this address for \d+ s/)
    await told.waitFor()
    const before = sent()
    for (let seconds = 0; seconds < 3; seconds++) {
      const text = await told.innerText()
      await expect.poll(() => told.innerText()).not.toBe(text)
    }
    return [before, sent()]
  }

  test('a page that is refused from the first asks for nothing before the pause has ended', async () => {
    const context = await browser.newContext()
    const refused = await context.newPage()
    let asked = 0
    await refused.route('**/api/v3/**', (route) => {
      asked++
      return route.fulfill(REFUSAL)
    })
    await refused.goto(exchange.url)
    const [before, after] = await sentInPause(refused, () => asked)
    expect(after).toBe(before)
    await context.close()
  })

  test('a connection that is lost in a pause is made again after it', async () => {
    // A separate page: the pause outlives the test.
    const { page: paused } = await openConsole(browser, proxy.url)
    await paused.route('**/api/v3/depth?**', (route) => route.fulfill(REFUSAL))
    let made = 0
    paused.on('websocket', () => {
      made++
    })
    await paused.getByRole('button', { name: /^ETH\s*\/USDT/ }).click()
    await paused
      .getByRole('alert')
      .getByText(/refuse requests/)
      .waitFor()
    proxy.cutAll()
    const [, after] = await sentInPause(paused, () => made)
    expect(after).toBe(0)
    await paused.context().close()
  })

  test('reads wait once half of the weight is used, and orders do not', async () => {
    await page.locator('.weight').waitFor()
    // Weight counts by the minute: what follows is to happen within one.
    await expect.poll(() => Date.now() % 60_000, { timeout: 70_000 }).toBeLessThan(5_000)
    for (let i = 0; i < 13; i++) {
      await fetch(`${exchange.url}/api/v3/depth?symbol=BTCUSDT&limit=5000`)
    }
    // An answer that reports the weight.
    await order(page, 'Buy', 'LIMIT', LIMIT)
    await page.getByRole('button', { name: /^ETH\s*\/USDT/ }).click()
    await page
      .getByRole('alert')
      .getByText(/^Half of the request weight of this address/)
      .waitFor()
    await page.locator('#connection', { hasText: 'Waiting' }).waitFor()
    const values = { price: '1000', quantity: '0.1' }
    expect(await order(page, 'Buy', 'LIMIT', values)).toBe('BUY LIMIT: NEW')
    await page.locator('#connection', { hasText: 'Live' }).waitFor({ timeout: 90_000 })
  })
})
