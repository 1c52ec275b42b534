/** Signing in, the ticket's checks, receipts, and trading by keys alone, in a real browser. */

import { generateKeyPairSync } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { hasTool } from '../runner/tools.ts'
import {
  enter,
  launchChromium,
  openConsole,
  openPage,
  operate as operateOf,
  order,
  overflowOf,
  saidOf,
  seriousFaults,
  signIn,
  switchCancelKeysOn,
} from './chromium.ts'

/** A name that browsers do not take for this machine. */
const ELSEWHERE = 'exchange.test'
const STAGES = ['parse', 'ring', 'match', 'journal', 'publish', 'answer']
const TABS = ['Open orders', 'History', 'Fills', 'Lists', 'Balances', 'Receipts']

describe.runIf(hasTool('chromium'))('signing in', () => {
  let exchange: ExchangeProcess
  let browser: Browser

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--liquidity', 'off'])
    browser = await launchChromium([`--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`])
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  const ticketOf = (page: Page) => page.getByRole('form', { name: 'Order ticket' })
  const tab = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Account' }).getByRole('button', { name }).click()

  const operate = (action: string, given: object) => operateOf(exchange, action, given)

  /** An Ed25519 key of taker: the private one in PEM. */
  async function makeKey(): Promise<readonly [apiKey: string, secret: string]> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const pem = publicKey.export({ type: 'spki', format: 'pem' })
    const key = { account: 'taker', kind: 'ED25519', 'public-key': pem }
    const { apiKey } = await operate('key-create', key)
    return [apiKey!, String(privateKey.export({ type: 'pkcs8', format: 'pem' }))]
  }

  test.each([
    'an HMAC secret',
    'an Ed25519 key',
  ])('%s signs orders, and is kept nowhere', async (kind) => {
    const { apiKey, secretKey } = exchange.keys().taker!
    const [key, secret] = kind === 'an HMAC secret' ? [apiKey, secretKey] : await makeKey()
    const { page, faults } = await openConsole(browser, exchange.url)
    const sent: string[] = []
    page.on('request', (request) => {
      sent.push(`${request.url()} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`)
    })
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => sent.push(String(payload))),
    )
    await enter(page, key, secret)
    await ticketOf(page).waitFor()
    const said = await order(page, 'Buy', 'LIMIT', { price: '30000', quantity: '0.01' })
    expect(said).toBe('BUY LIMIT: NEW')
    const row = page.locator('[data-order]')
    await row.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => row.count()).toBe(0)
    expect(sent.some((text) => text.includes('"signature":'))).toBe(true)
    const inner = secret.split('\n').find((line) => line !== '' && !line.startsWith('-'))!
    const kept =
      '[{ ...localStorage }, { ...sessionStorage }, document.cookie, document.body.innerHTML]'
    const shown = JSON.stringify(await page.evaluate(kept))
    for (const text of [...sent, shown]) expect(text).not.toContain(inner)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('region', { name: 'Sign in' }).waitFor()
    expect(await page.getByLabel(/^HMAC secret/).inputValue()).toBe('')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a wrong secret and a text that is no key are refused in plain words', async () => {
    const { page } = await openConsole(browser, exchange.url)
    await enter(page, exchange.keys().taker!.apiKey, 'wrong')
    await page.getByText('Signature for this request is not valid. (-1022)').waitFor()
    const pem = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'
    await enter(page, exchange.keys().taker!.apiKey, pem)
    await page.getByText(/^The private key is no Ed25519 key/).waitFor()
    await page.context().close()
  })

  test('a price far from the average and an order beyond free funds are told while typing', async () => {
    const clients = ['maker', 'taker'].map(
      (name) => new SignedClient(exchange.url, exchange.keys()[name]!),
    )
    const fixed = {
      symbol: 'BTCUSDT',
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: 50_000,
      quantity: 0.01,
    }
    for (const [at, side] of ['SELL', 'BUY'].entries()) {
      await clients[at]!.send('POST', '/api/v3/order', { ...fixed, side })
    }
    await operate('account-open', { account: 'paul' })
    await operate('deposit', { account: 'paul', asset: 'USDT', amount: '100' })
    const { apiKey, secretKey } = await operate('key-create', { account: 'paul' })
    const { page } = await openConsole(browser, exchange.url)
    await enter(page, apiKey!, secretKey!)
    const ticket = ticketOf(page)
    const send = ticket.getByRole('button', { name: /^Buy BTC/ })
    await ticket.locator('[name="price"]').fill('260000')
    await ticket.locator('[name="quantity"]').fill('0.01')
    await ticket
      .getByText('Price must be 10,000.00 to 250,000.00 (5-minute average 50,000.00)')
      .waitFor()
    expect(await send.isDisabled()).toBe(true)
    await ticket.locator('[name="price"]').fill('50000')
    await ticket.locator('[name="quantity"]').fill('0.002')
    await expect.poll(() => send.isEnabled()).toBe(true)
    await ticket.locator('[name="quantity"]').fill('0.00201')
    await ticket.getByText('Insufficient balance: 100 USDT available').waitFor()
    expect(await send.isDisabled()).toBe(true)
    await page.context().close()
  })

  test('a receipt is a bar of its stages, and all together are a distribution', async () => {
    const { page } = await openConsole(browser, exchange.url)
    await signIn(page, 'trader1')
    const ORDERS = 6
    for (let i = 0; i < ORDERS; i++) {
      await order(page, 'Buy', 'LIMIT', { price: String(30_000 + i), quantity: '0.001' })
    }
    await switchCancelKeysOn(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+X')
    await expect.poll(() => page.locator('[data-order]').count()).toBe(0)
    await tab(page, 'Receipts')
    await page.getByText(`Last ${ORDERS + 1}`, { exact: true }).waitFor()
    const bar = page.getByRole('img', {
      name: new RegExp(`^${STAGES.map((it) => `${it} .*`).join(', ')}$`),
    })
    const widths = await bar
      .locator('rect')
      .evaluateAll((all) => all.map((it) => Number(it.getAttribute('width'))))
    expect(widths).toHaveLength(STAGES.length)
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeGreaterThan(0.9 * 240)
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(0)
    const named = page.locator('.receipts select')
    expect(await named.locator('option').count()).toBe(ORDERS + 1)
    await named.selectOption({ index: ORDERS })
    await page.locator('.receipt b', { hasText: 'BUY LIMIT' }).waitFor()
    const bins = page.getByRole('img', {
      name: new RegExp(`^Totals of the last ${ORDERS + 1} receipts, p50 .*, p99 `),
    })
    const heights = await bins
      .locator('rect')
      .evaluateAll((all) => all.map((it) => Number(it.getAttribute('height'))))
    expect(Math.max(...heights)).toBe(44)
    await page.context().close()
  })

  test('signing in, an order and its cancel are done by keys alone', async () => {
    const { page, faults } = await openConsole(browser, exchange.url)
    const focused = () => page.evaluate('document.activeElement.innerText')
    const isFocused = (name: string) => page.evaluate(`document.activeElement.name === '${name}'`)
    const tabTo = async (isThere: () => Promise<unknown>) => {
      do await page.keyboard.press('Tab')
      while (!(await isThere()))
    }
    await page.getByRole('button', { name: 'taker', exact: true }).waitFor()
    await tabTo(async () => (await focused()) === 'taker')
    await page.keyboard.press('Enter')
    await ticketOf(page).waitFor()
    await tabTo(async () => (await focused()) === 'Keys')
    await page.keyboard.press('Enter')
    const near = () => page.evaluate('document.activeElement.parentElement.innerText')
    await tabTo(async () => String(await near()).includes('cancel at once'))
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await page.keyboard.press('b')
    await expect.poll(() => isFocused('price')).toBe(true)
    await page.keyboard.type('31000')
    await tabTo(() => isFocused('quantity'))
    await page.keyboard.type('0.01')
    await page.keyboard.press('Enter')
    await saidOf(page, 'BUY LIMIT: NEW').waitFor()
    const row = page.locator('[data-order]')
    await row.waitFor()
    // In a field it is a letter.
    await page.keyboard.press('x')
    expect(await row.count()).toBe(1)
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Escape')
    await page.keyboard.press('x')
    await expect.poll(() => row.count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test.each([
    ['dark', 1280],
    ['light', 1280],
    ['dark', 390],
    ['light', 390],
  ] as const)('axe finds nothing serious in any view, %s, %i wide', async (colorScheme, width) => {
    const { page } = await openPage(browser, exchange.url, { width, height: 860, colorScheme })
    await page.locator('#connection', { hasText: 'Live' }).waitFor()
    const isNarrow = width < 961
    const show = async (view: string) => {
      if (isNarrow)
        await page
          .getByRole('navigation', { name: 'Views' })
          .getByRole('button', { name: view })
          .click()
    }
    const expectFine = async (what: string) => {
      expect(await seriousFaults(page), what).toEqual([])
      expect(await overflowOf(page), what).toBeLessThanOrEqual(0)
    }
    await page.getByRole('button', { name: 'Depth', exact: true }).click()
    await expectFine('depth')
    if (isNarrow) {
      await page.keyboard.press('/')
      await page.locator('#search:focus').waitFor()
      await expectFine('symbols')
      await page.keyboard.press('Enter')
    }
    await show('Book')
    await expectFine('book')
    await show('Trade')
    await page.getByText('Rules of BTCUSDT').waitFor()
    await expectFine('signed out')
    await signIn(page, 'taker')
    for (const kind of ['LIMIT', 'MARKET', 'OCO', 'OTOCO']) {
      await page.locator('#order-kind').selectOption(kind)
      await expectFine(kind)
    }
    await page.getByText('Keys', { exact: true }).click()
    await expectFine('keys')
    await page.getByText('Keys', { exact: true }).click()
    await order(page, 'Buy', 'LIMIT', { price: '32000', quantity: '0.01' })
    await show('Account')
    await page.locator('[data-order]').getByRole('button', { name: 'Change' }).first().click()
    for (const name of TABS) {
      await tab(page, name)
      await expectFine(name)
    }
    await page.context().close()
  })

  test("a visitor's column is full at 1440 × 900: demo accounts, the form, the market's rules", async () => {
    const { page, faults } = await openConsole(browser, exchange.url, { width: 1440, height: 900 })
    const panel = page.getByRole('region', { name: 'Sign in' })
    await panel.getByRole('button', { name: 'taker', exact: true }).waitFor()
    const rules = panel.locator('dl')
    const ruleOf = (name: string) =>
      rules.getByText(name, { exact: true }).locator('xpath=following-sibling::dd[1]').innerText()
    expect(await ruleOf('Price step')).toBe('0.01 USDT')
    expect(await ruleOf('Quantity step')).toBe('0.00001 BTC')
    expect(await ruleOf('Least order')).toBe('5 USDT')
    expect(await ruleOf('Largest market order')).toBe('120 BTC')
    expect(await ruleOf('Price of a buy')).toBe('0.2 to 5 × average')
    expect(await ruleOf('Orders')).toContain('Take profit limit, OCO')
    const sbe = panel.getByText('In SBE', { exact: true })
    await sbe.click()
    expect(await ruleOf('REST')).toBe('Accept: application/sbe and X-MBX-SBE: 3:5')
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await sbe.click()
    const links = await panel
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => String(link.getAttribute('href'))))
    expect(links.length).toBe(4)
    for (const link of links) expect((await fetch(exchange.url + link)).status, link).toBe(200)
    const [box, last] = [
      await panel.boundingBox(),
      await panel.getByRole('link').last().boundingBox(),
    ]
    const used = (last!.y + last!.height - box!.y) / box!.height
    expect([used > 0.8, used <= 1]).toEqual([true, true])
    await page.locator('tr, li, button', { hasText: 'ADA' }).first().click()
    await expect.poll(() => ruleOf('Price step')).toBe('0.0001 USDT')
    expect(faults).toEqual([])
    await page.context().close()
  })

  // Last: from then on the demo's keys are not offered (limits/forwarding-watch.ts).
  test('on plain http from elsewhere the page says why it cannot sign, and shows the market', async () => {
    const { page, faults } = await openConsole(
      browser,
      exchange.url.replace('127.0.0.1', ELSEWHERE),
    )
    const panel = page.getByRole('region', { name: 'Sign in' })
    await panel
      .getByRole('alert')
      .getByText(/^This page cannot sign: browsers allow it only/)
      .waitFor()
    await panel.getByLabel('API key').fill('a')
    await panel.getByLabel(/^HMAC secret/).fill('b')
    expect(await panel.getByRole('button', { name: 'Sign in', exact: true }).isDisabled()).toBe(
      true,
    )
    expect(await panel.getByRole('button', { name: 'taker', exact: true }).count()).toBe(0)
    await page.getByRole('heading', { name: 'BTC/USDT' }).waitFor()
    // Chromium logs why COOP does not count on plain http.
    expect(faults.filter((fault) => !fault.includes('Cross-Origin-Opener-Policy'))).toEqual([])
    await page.context().close()
  })
})
