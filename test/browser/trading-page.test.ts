/** The trader's page at every width, on empty markets, across reloads and drains, in a real browser. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { hasTool } from '../runner/tools.ts'
import {
  launchChromium,
  openConsole,
  operate,
  order,
  outcomeOf,
  overflowOf,
  saidOf,
  seriousFaults,
  signIn,
} from './chromium.ts'
import { LossyProxy } from './lossy-proxy.ts'

/** More than a list shows at a time. */
const MANY = 150
/** Tab stops of a page with many orders and all its forms. */
const STOPS_MAX = 55
/** An event of an account arrives within this time. */
const EVENT_MS = 1_000
const PHONE = { width: 390, height: 844 }
const WIDTHS = [390, 1024, 1280, 1440]

/** A refusal in place of an answer. */
const refusalOf = (text: string) =>
  JSON.stringify({
    id: (JSON.parse(text) as { id: number }).id,
    status: 400,
    error: { code: -2011, msg: 'Unknown order sent.' },
  })

describe.runIf(hasTool('chromium'))("the trader's page", () => {
  let exchange: ExchangeProcess
  let browser: Browser

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--liquidity', 'off'])
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  const client = (account: string) => new SignedClient(exchange.url, exchange.keys()[account]!)
  const fixed = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }
  const place = (account: string, side: string, price: number, quantity: number) =>
    client(account).send('POST', '/api/v3/order', { ...fixed, side, price, quantity })
  const cancelAll = (account: string, symbol = 'BTCUSDT') =>
    client(account).send('DELETE', '/api/v3/openOrders', { symbol })
  const field = (page: Page, name: string) =>
    page.getByRole('form', { name: 'Order ticket' }).locator(`[name="${name}"]`)
  const sendOf = (page: Page) =>
    page
      .getByRole('form', { name: 'Order ticket' })
      .getByRole('button', { name: /^(Buy|Sell) \w{3}/ })
  const rowsOf = (page: Page) => page.locator('[data-order]')
  const view = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click()
  const chooseEmpty = async (page: Page) => {
    await page.keyboard.press('/')
    await page.locator('#search:focus').waitFor()
    await page.keyboard.type('ADAUSDT')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'ADA/USDT' }).waitFor()
  }

  describe('an empty market', () => {
    test('says so, instead of zeros and blank charts', async () => {
      const { page } = await openConsole(browser, exchange.url)
      await chooseEmpty(page)
      for (const name of ['Chart', 'Trades']) {
        await page.getByRole('region', { name }).getByText('No trades yet').waitFor()
      }
      const figures = await page.locator('.figures').innerText()
      expect(figures).not.toMatch(/\d\.\d/)
      await page.getByRole('button', { name: 'Depth', exact: true }).click()
      await page.getByText('No bids and asks to draw yet').waitFor()
      await page.context().close()
    })

    test('fills nothing at market, and the ticket says so before', async () => {
      const { page } = await openConsole(browser, exchange.url)
      await signIn(page, 'trader1')
      await chooseEmpty(page)
      await page.locator('#order-kind').selectOption('MARKET')
      await field(page, 'quantity').fill('100')
      await page.getByText('The order book has nothing to fill this order.').waitFor()
      expect(await sendOf(page).isDisabled()).toBe(true)
      await page.context().close()
    })
  })

  test('a market order is estimated, and one beyond the bound is sent only once that is accepted', async () => {
    await place('maker', 'SELL', 50_000, 0.3)
    await place('maker', 'SELL', 50_100, 0.5)
    const { page } = await openConsole(browser, exchange.url)
    await signIn(page, 'trader1')
    await page.locator('#order-kind').selectOption('MARKET')
    await field(page, 'quantity').fill('0.8')
    await page.locator('#average', { hasText: /^50,062\.50 USDT$/ }).waitFor()
    await page.locator('#slippage', { hasText: /^0\.125%$/ }).waitFor()
    await expect.poll(() => sendOf(page).isEnabled()).toBe(true)
    await page.locator('#slippage-bound').fill('0.1')
    const warning = page.getByText('Estimated slippage 0.125% is beyond your bound of 0.1%.')
    await warning.waitFor()
    expect(await sendOf(page).isDisabled()).toBe(true)
    await page.getByLabel('Send it all the same').check()
    expect(await sendOf(page).isEnabled()).toBe(true)
    // What is accepted is one order, and not the next.
    await field(page, 'quantity').fill('1')
    await page.getByText('The order book is too thin: 0.2 BTC would not be filled.').waitFor()
    expect(await sendOf(page).isDisabled()).toBe(true)
    await page.reload()
    await signIn(page, 'trader1')
    await page.locator('#order-kind').selectOption('MARKET')
    expect(await page.locator('#slippage-bound').inputValue()).toBe('0.1')
    await field(page, 'quoteOrderQty').fill('15000')
    await page.locator('#slippage', { hasText: /^0\.000%$/ }).waitFor()
    expect(await warning.count()).toBe(0)
    await cancelAll('maker')
    await page.context().close()
  })

  test('the spread is that of the best prices, however they are joined', async () => {
    await place('maker', 'SELL', 50_010.4, 0.1)
    await place('maker', 'BUY', 49_990.3, 0.1)
    const { page } = await openConsole(browser, exchange.url)
    const caption = page.locator('#ladder-mirror caption')
    for (const step of ['0.01', '0.5', '1']) {
      await page.getByLabel('Price step').selectOption({ label: step })
      await expect.poll(() => caption.textContent()).toContain('Spread 20.10 (0.040%)')
    }
    await cancelAll('maker')
    await page.context().close()
  })

  describe('open orders', () => {
    /** Whether the middle of each element is what lies on top there. */
    const isInSight = (elements: Locator) =>
      elements.evaluateAll((all) =>
        all.every((it) => {
          const { left, top, width, height } = it.getBoundingClientRect()
          const seen = it.ownerDocument.elementFromPoint(left + width / 2, top + height / 2)
          return width > 0 && height > 0 && (it === seen || it.contains(seen))
        }),
      )

    test.each(WIDTHS)('all of an order is in sight %i wide, and can be changed', async (width) => {
      const stop = { ...fixed, type: 'STOP_LOSS_LIMIT', side: 'SELL', quantity: 0.01 }
      await place('maker', 'SELL', 50_000, 0.01)
      await place('taker', 'BUY', 50_000, 0.01)
      await client('trader1').send('POST', '/api/v3/order', {
        ...stop,
        price: 44_000,
        stopPrice: 45_000,
      })
      const { page } = await openConsole(browser, exchange.url, { width, height: 844 })
      if (width < 961)
        await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
      await signIn(page, 'trader1')
      if (width < 961) await view(page, 'Account')
      const row = rowsOf(page)
      await row.waitFor()
      const cells = ['Stop loss limit', 'BTCUSDT', 'Sell', '44,000', '45,000', '0.01']
      const text = await row.innerText()
      for (const cell of cells) expect(text).toContain(cell)
      expect(await isInSight(row.locator('td:not(:empty)'))).toBe(true)
      expect(await isInSight(row.getByRole('button'))).toBe(true)
      await row.getByRole('button', { name: 'Change' }).click()
      for (const label of ['New price', 'New quantity']) {
        const box = await page.getByLabel(label).boundingBox()
        expect(box!.width).toBeGreaterThan(80)
      }
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      expect(await seriousFaults(page)).toEqual([])
      await cancelAll('trader1')
      await page.context().close()
    })

    test('a refused cancel shows its reason on a narrow page, until it is dismissed', async () => {
      await place('trader1', 'BUY', 30_000, 0.01)
      const proxy = await LossyProxy.start(exchange.url)
      proxy.answered = (method, text) => (method === 'order.cancel' ? refusalOf(text) : text)
      const { page } = await openConsole(browser, proxy.url, PHONE)
      await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
      await signIn(page, 'trader1')
      await view(page, 'Account')
      await rowsOf(page).waitFor()
      await rowsOf(page).getByRole('button', { name: 'Cancel' }).click()
      const notice = page.getByRole('alert').filter({ hasText: 'Unknown order sent. (-2011)' })
      await notice.waitFor()
      expect(await notice.locator('time').innerText()).toMatch(/^\d\d:\d\d:\d\d$/)
      // Ten seconds later only the error is left.
      await page.keyboard.press('Escape')
      await page.keyboard.press('x')
      const keysAreOff = saidOf(page, 'Keys that cancel are off')
      await keysAreOff.waitFor()
      await expect.poll(() => keysAreOff.count()).toBe(0)
      await notice.getByRole('button', { name: 'Dismiss' }).click()
      expect(await notice.count()).toBe(0)
      await page.context().close()
      proxy.close()
    })

    test('all of a market are canceled after a question that counts them', async () => {
      for (const price of [30_000, 30_001, 30_002]) await place('trader1', 'BUY', price, 0.01)
      const { page } = await openConsole(browser, exchange.url, PHONE)
      await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
      await signIn(page, 'trader1')
      await view(page, 'Account')
      await page.getByRole('button', { name: 'Cancel all on BTCUSDT' }).click()
      await page.getByText('Cancel all 3 open orders on BTCUSDT?').waitFor()
      await page.getByRole('button', { name: 'Keep' }).click()
      expect(await rowsOf(page).count()).toBe(3)
      await page.getByRole('button', { name: 'Cancel all on BTCUSDT' }).click()
      await page.getByRole('button', { name: 'Cancel orders' }).click()
      await saidOf(page, 'Cancel all of BTCUSDT: 3 orders canceled').waitFor()
      await expect.poll(() => rowsOf(page).count()).toBe(0)
      await page.context().close()
    })

    test('orders of two markets with the same id are both there', async () => {
      await place('trader2', 'BUY', 30_000, 0.01)
      const other = { ...fixed, symbol: 'SOLUSDT', side: 'BUY', price: 100, quantity: 1 }
      const { body } = await client('trader2').send('GET', '/api/v3/openOrders')
      const [{ orderId: wanted } = { orderId: 0 }] = body as unknown as { orderId: number }[]
      let placed = 0
      while (placed < wanted) {
        const answer = await client('trader2').send('POST', '/api/v3/order', other)
        placed = Number(answer.body.orderId)
        if (placed < wanted) await cancelAll('trader2', 'SOLUSDT')
      }
      expect(placed).toBe(wanted)
      const { page } = await openConsole(browser, exchange.url)
      await signIn(page, 'trader2')
      await expect.poll(() => rowsOf(page).count()).toBe(2)
      await cancelAll('trader2', 'SOLUSDT')
      await expect.poll(() => rowsOf(page).count()).toBe(1)
      expect(await rowsOf(page).getAttribute('data-symbol')).toBe('BTCUSDT')
      await cancelAll('trader2')
      await page.context().close()
    })

    test('of many only those in sight are rendered, each event renders its row, and Tab leaves them', async () => {
      for (let i = 0; i < MANY; i++) await place('trader1', 'BUY', 30_000 + i, 0.01)
      const { page } = await openConsole(browser, exchange.url)
      await signIn(page, 'trader1')
      await page.locator('.count', { hasText: String(MANY) }).waitFor()
      const table = page.getByRole('table', { name: 'Open orders' })
      expect(await table.getAttribute('aria-rowcount')).toBe(String(MANY + 1))
      expect(await rowsOf(page).count()).toBeLessThan(30)
      // The newest is first, the oldest is there once the list is scrolled to it.
      await rowsOf(page).first().getByText('30,149').waitFor()
      await page.locator('section[aria-label="Open orders"]').evaluate((list) => {
        list.scrollTop = list.scrollHeight
      })
      await rowsOf(page).last().getByText('30,000').waitFor()
      await page.locator('section[aria-label="Open orders"]').evaluate((list) => {
        list.scrollTop = 0
      })
      await rowsOf(page).first().getByText('30,149').waitFor()
      await page.evaluate(
        'globalThis.changed = new Set(); new MutationObserver((all) => { for (const { target } of all)' +
          ' changed.add((target.closest ?? target.parentElement.closest).call(target.closest ? target : target.parentElement, "[data-order]")?.dataset.order) })' +
          '.observe(document.querySelector(".order-rows"), { subtree: true, characterData: true, childList: true })',
      )
      const id = await rowsOf(page).first().getAttribute('data-order')
      await place('maker', 'SELL', 30_149, 0.004)
      await rowsOf(page).first().getByText('0.004').waitFor()
      expect(await page.evaluate('[...changed]')).toEqual([id])
      const stops = await page.evaluate(
        "[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]" +
          '.filter((it) => it.tabIndex >= 0 && !it.disabled && it.checkVisibility()).length',
      )
      expect(stops).toBeLessThan(STOPS_MAX)
      await rowsOf(page).first().getByRole('button', { name: 'Change' }).focus()
      const focused = () =>
        page.evaluate(
          'document.activeElement.closest("[data-order]")?.dataset.order + document.activeElement.innerText',
        )
      await page.keyboard.press('ArrowRight')
      expect(await focused()).toBe(`${id}Cancel`)
      await page.keyboard.press('ArrowDown')
      expect(await focused()).toBe(`${Number(id) - 1}Cancel`)
      await page.keyboard.press('Tab')
      expect(await focused()).not.toContain('Cancel')
      await cancelAll('trader1')
      await page.context().close()
    })

    test('a click meets the order that was under the pointer, and a double click no other one', async () => {
      for (const price of [30_000, 30_001, 30_002]) await place('trader1', 'BUY', price, 0.01)
      const { page } = await openConsole(browser, exchange.url)
      await signIn(page, 'trader1')
      await expect.poll(() => rowsOf(page).count()).toBe(3)
      const cancel = rowsOf(page).first().getByRole('button', { name: 'Cancel' })
      await cancel.hover()
      const box = (await cancel.boundingBox())!
      for (const price of [30_003, 30_004, 30_005, 30_006, 30_007, 30_008]) {
        await place('trader1', 'BUY', price, 0.01)
      }
      await page.locator('.count', { hasText: '9' }).waitFor()
      await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2)
      await page.locator('.count', { hasText: '8' }).waitFor()
      await pause(EVENT_MS)
      const { body } = await client('trader1').send('GET', '/api/v3/openOrders')
      const prices = (body as unknown as { price: string }[]).map(({ price }) => Number(price))
      expect(prices.sort()).toEqual([
        ...[30_000, 30_001, 30_003, 30_004, 30_005, 30_006, 30_007, 30_008],
      ])
      await page.mouse.move(5, 5)
      await rowsOf(page).first().getByText('30,008').waitFor()
      await cancelAll('trader1')
      await page.context().close()
    })

    test('an order that opens while they are loaded is not lost', async () => {
      const proxy = await LossyProxy.start(exchange.url)
      const { page } = await openConsole(browser, proxy.url)
      let isPlaced = false
      proxy.answered = async (method, text) => {
        if (method !== 'openOrders.status' || isPlaced) return text
        isPlaced = true
        await place('trader1', 'BUY', 30_000, 0.01)
        await pause(EVENT_MS)
        return text
      }
      await signIn(page, 'trader1')
      await rowsOf(page).getByText('30,000').waitFor()
      await cancelAll('trader1')
      await page.context().close()
      proxy.close()
    })

    test('times that are not of today have their date', async () => {
      await place('trader1', 'BUY', 30_000, 0.01)
      const proxy = await LossyProxy.start(exchange.url)
      const time = Date.UTC(2026, 0, 5, 12)
      proxy.answered = (method, text) =>
        method === 'openOrders.status' ? text.replace(/"time":\d+/g, `"time":${time}`) : text
      const { page } = await openConsole(browser, proxy.url)
      await signIn(page, 'trader1')
      await rowsOf(page)
        .locator('.time', { hasText: /^2026-01-05 \d\d:\d\d:\d\d$/ })
        .waitFor()
      await cancelAll('trader1')
      await page.context().close()
      proxy.close()
    })
  })

  describe('a changed order', () => {
    const SIGN_LATER =
      'const sign = crypto.subtle.sign.bind(crypto.subtle);' +
      'crypto.subtle.sign = async (...all) => { await new Promise((go) => { globalThis.goOn = go }); return sign(...all) }'
    const openOrders = async () =>
      (await client('trader1').send('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' }))
        .body as unknown as Record<string, string>[]
    const left = () => page.getByLabel('New quantity left to fill').inputValue()
    let page: Page

    const openWith = async (extra: object) => {
      await client('trader1').send('POST', '/api/v3/order', {
        ...fixed,
        side: 'BUY',
        price: 40_000,
        quantity: 1,
        ...extra,
      })
      page = (await openConsole(browser, exchange.url)).page
      await signIn(page, 'trader1')
    }
    /** Lets requests be signed until this holds in the page. */
    const signedWith = (condition: string) =>
      expect.poll(() => page.evaluate(`(goOn(), ${condition})`)).toBe(true)
    const change = () => rowsOf(page).getByRole('button', { name: 'Change' }).click()
    const done = async () => {
      await cancelAll('trader1')
      await page.context().close()
    }

    test('follows its fills, has what is left of it, and all its fields', async () => {
      const labels = { strategyId: 7, strategyType: 1_000_001, icebergQty: 0.3 }
      await openWith({ ...labels, selfTradePreventionMode: 'EXPIRE_BOTH' })
      await place('maker', 'SELL', 40_000, 0.4)
      await change()
      await expect.poll(left).toBe('0.6')
      await place('maker', 'SELL', 40_000, 0.1)
      await expect.poll(left).toBe('0.5')
      await page.getByLabel('New price').fill('40001')
      await page.getByText('for that moment it is not in the book').waitFor()
      await page.getByRole('button', { name: 'Replace' }).click()
      await saidOf(page, 'Replace: NEW').waitFor()
      const orders = await openOrders()
      expect(orders).toHaveLength(1)
      expect(orders[0]).toMatchObject({
        price: '40001.00000000',
        origQty: '0.50000000',
        executedQty: '0.00000000',
        icebergQty: '0.30000000',
        selfTradePreventionMode: 'EXPIRE_BOTH',
        strategyId: 7,
        strategyType: 1_000_001,
      })
      await done()
    })

    test('that is filled before its replacement arrives stays as it is', async () => {
      await openWith({})
      await change()
      await page.getByLabel('New price').fill('40001')
      await page.evaluate(SIGN_LATER)
      await page.getByRole('button', { name: 'Replace' }).click()
      await expect.poll(() => page.evaluate('globalThis.goOn !== undefined')).toBe(true)
      await place('maker', 'SELL', 40_000, 0.4)
      await signedWith('document.querySelector(".notice.bad") !== null')
      const orders = await openOrders()
      expect(orders).toMatchObject([{ origQty: '1.00000000', executedQty: '0.40000000' }])
      await done()
    })

    test('that is filled before its cancel arrives is placed for the rest alone', async () => {
      await openWith({})
      await place('maker', 'SELL', 40_000, 0.4)
      await change()
      await expect.poll(left).toBe('0.6')
      await page.getByLabel('New price').fill('40001')
      await page.evaluate(SIGN_LATER)
      await page.getByRole('button', { name: 'Replace' }).click()
      await expect.poll(() => page.evaluate('globalThis.goOn !== undefined')).toBe(true)
      await place('maker', 'SELL', 40_000, 0.5)
      await signedWith(
        '[...document.querySelectorAll(".said")].some((it) => it.textContent === "Replace: NEW")',
      )
      const orders = await openOrders()
      expect(orders).toMatchObject([{ price: '40001.00000000', origQty: '0.10000000' }])
      await done()
    })

    test('with a lower quantity at its price keeps its place', async () => {
      await openWith({})
      await place('maker', 'SELL', 40_000, 0.4)
      await change()
      await page.getByLabel('New quantity left to fill').fill('0.2')
      await page.getByRole('button', { name: 'Reduce' }).click()
      await saidOf(page, 'Reduce: PARTIALLY_FILLED').waitFor()
      const orders = await openOrders()
      expect(orders).toMatchObject([{ origQty: '0.60000000', executedQty: '0.40000000' }])
      await done()
    })
  })

  test('lists and replaced orders are told in figures', async () => {
    await place('maker', 'SELL', 50_000, 0.01)
    await place('taker', 'BUY', 50_000, 0.01)
    const { page } = await openConsole(browser, exchange.url)
    await signIn(page, 'trader1')
    const pair = { quantity: '0.01', abovePrice: '60000', belowStopPrice: '45000' }
    const said = await order(page, 'Sell', 'OCO', { ...pair, belowPrice: '44000' })
    expect(said).toBe('SELL OCO: EXECUTING')
    const told = await outcomeOf(page).innerText()
    expect(told).toMatch(/Limit maker \d+: sell 0\.01 BTC at 60,000, open\./)
    expect(told).toMatch(/Stop loss limit \d+: sell 0\.01 BTC at 44,000, trigger 45,000, open\./)
    await cancelAll('trader1')
    await expect.poll(() => rowsOf(page).count()).toBe(0)
    // Only the cancel is carried out: the new order would take.
    await place('maker', 'SELL', 50_000, 0.01)
    await order(page, 'Buy', 'LIMIT_MAKER', { price: '30000', quantity: '0.01' })
    await rowsOf(page).getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('New price').fill('50000')
    await page.getByRole('button', { name: 'Replace' }).click()
    await outcomeOf(page)
      .getByText(
        /Nothing was filled\. The order was canceled: 0\.01 BTC\. The new order was refused: /,
      )
      .waitFor()
    await expect.poll(() => rowsOf(page).count()).toBe(0)
    await page.context().close()
  })

  test('a reload keeps the interval, and the session only where that was chosen', async () => {
    const { page } = await openConsole(browser, exchange.url)
    await page.getByRole('button', { name: '15m', exact: true }).click()
    await page.getByRole('img', { name: /^Candles of BTCUSDT, 15m/ }).waitFor()
    await signIn(page, 'trader1')
    await page.reload()
    await page.getByRole('img', { name: /^Candles of BTCUSDT, 15m/ }).waitFor()
    await page.getByLabel('Stay signed in when this tab reloads').check()
    await signIn(page, 'trader1')
    await page.reload()
    await page.getByRole('form', { name: 'Order ticket' }).waitFor()
    await page.getByText('trader1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.reload()
    await page.getByRole('region', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await page.context().close()
  })

  test.each([390, 1024])('the badge of a halt covers no figure, %i wide', async (width) => {
    await operate(exchange, 'halt', { symbol: 'BTCUSDT' })
    const { page } = await openConsole(browser, exchange.url, { width, height: 844 })
    await page.locator('.halted').waitFor()
    const boxes = await page
      .locator('.halted, .choice, .connection, .figures > div')
      .evaluateAll((all) =>
        all.map((it) => {
          const { left, right, top, bottom } = it.getBoundingClientRect()
          return { left, right, top, bottom }
        }),
      )
    const head = (await page.locator('.head').boundingBox())!
    const shown = boxes.filter(
      ({ left, right, bottom }) => left < right && bottom <= head.y + head.height,
    )
    for (const [at, a] of shown.entries()) {
      for (const b of shown.slice(at + 1)) {
        const isApart =
          a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
        expect(isApart).toBe(true)
      }
    }
    await operate(exchange, 'resume', { symbol: 'BTCUSDT' })
    await page.locator('.halted').waitFor({ state: 'detached' })
    await page.context().close()
  })

  // Last: the exchange is started again after it.
  test('"Live" ends with a drain, and no order can be sent', async () => {
    const { page } = await openConsole(browser, exchange.url)
    await signIn(page, 'trader1')
    await field(page, 'price').fill('30000')
    await field(page, 'quantity').fill('0.01')
    await page.locator('#connection', { hasText: 'Live' }).waitFor()
    await expect.poll(() => sendOf(page).isEnabled()).toBe(true)
    await operate(exchange, 'drain', {})
    await page.locator('#connection', { hasText: 'Shutting down' }).waitFor()
    await page.getByText('The exchange is shutting down: no order can be sent.').waitFor()
    expect(await sendOf(page).isDisabled()).toBe(true)
    await exchange.stop('SIGTERM')
    await page.locator('#connection', { hasText: 'Reconnecting' }).waitFor()
    await exchange.run()
    await page.locator('#connection', { hasText: 'Live' }).waitFor()
    await expect.poll(() => sendOf(page).isEnabled()).toBe(true)
    await page.context().close()
  })
})
