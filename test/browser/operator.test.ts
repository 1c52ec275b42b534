/** The operator's screen in a real browser, against a real exchange. */

import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { hasTool } from '../runner/tools.ts'
import {
  launchChromium,
  openConsole,
  openPage,
  overflowOf,
  type Shown,
  seriousFaults,
} from './chromium.ts'
import {
  act,
  adminUrlOf,
  enter,
  field,
  fill,
  ownTokenOf,
  panel,
  takeFaults,
} from './operator-page.ts'

const FIRST_SCREEN_BYTES_MAX = 200_000
const PAGE_FOLDER = 'dist/src/console/operator'

describe.runIf(hasTool('chromium'))("the operator's screen", screenTests)

function screenTests() {
  let exchange: ExchangeProcess
  let browser: Browser
  let shown: Shown

  beforeAll(async () => {
    exchange = await ExchangeProcess.start()
    browser = await launchChromium()
    shown = await openPage(browser, adminUrl())
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  const adminUrl = () => adminUrlOf(exchange)
  const ownToken = () => ownTokenOf(exchange)
  const client = (account: string) => new SignedClient(exchange.url, exchange.keys()[account]!)
  const figure = (id: string) => shown.page.locator(`#figure-${id}`)

  test('a wrong token is refused in the words of the exchange', async () => {
    await enter(shown.page, 'wrong')
    const said = await shown.page.getByRole('alert').innerText()
    expect(said).toBe(
      'Enter a valid token: of the data folder (its file operator-token), or of an operator.',
    )
    await takeFaults(shown.faults, 'status of 401')
  })

  test('the token opens the screen, is kept nowhere, and is asked for again', async () => {
    const { page } = shown
    await enter(page, ownToken())
    await page.locator('#connection', { hasText: 'Accepts orders' }).waitFor()
    expect(await page.locator('#role').innerText()).toBe('admin')
    const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'
    expect(await page.evaluate(kept)).not.toContain(ownToken())
    expect(await page.context().cookies()).toEqual([])
    await page.reload()
    await page.getByLabel('Token').waitFor()
    await enter(page, ownToken())
    await page.locator('#connection', { hasText: 'Accepts orders' }).waitFor()
  })

  test('the first screen is small', () => {
    const sizes = readdirSync(PAGE_FOLDER)
      .filter((name) => /\.(js|css|html)\.br$/.test(name))
      .map((name) => statSync(path.join(PAGE_FOLDER, name)).size)
    expect(sizes).toHaveLength(3)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_SCREEN_BYTES_MAX)
  })

  test('figures follow orders, trades, responses and refusals', async () => {
    const { page } = shown
    const order = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', quantity: 0.01 }
    const trade = async () => {
      for (const [account, side] of [
        ['maker', 'SELL'],
        ['taker', 'BUY'],
      ] as const) {
        await client(account).send('POST', '/api/v3/order', { ...order, side, price: 50_000 })
      }
    }
    for (let i = 0; i < 20; i++) await trade()
    const wrong = { ...order, side: 'BUY', price: 0.001 }
    await client('taker').send('POST', '/api/v3/order', wrong)
    const accepted = async () => Number(await figure('accepted').innerText())
    await expect.poll(accepted).toBeGreaterThanOrEqual(40)
    const row = panel(page, 'By symbol').getByRole('row', { name: /^BTCUSDT/ })
    await row.getByRole('cell', { name: 'TRADING' }).waitFor()
    // The one that was refused, in all.
    await expect.poll(() => row.getByRole('cell').nth(5).innerText()).toBe('1')
    await panel(page, 'Refusals by code')
      .getByRole('row', { name: /^-1013 / })
      .waitFor()
    // Charts say their newest sample, which has times only if it has orders.
    const image = async (name: RegExp) => {
      const shown = page.getByRole('img', { name })
      await eventually(String(name), async () => {
        await trade()
        return (await shown.isVisible()) || undefined
      })
    }
    await image(/^Latency by stage.* match \d+(\.\d+)? (ns|µs|ms), journal \d/)
    await image(/^Responses a second by status: 200 .*, 400 /)
    await image(/^Refusals a second by code: -1013 /)
    await image(/^BTCUSDT a second: orders \d.*, trades \d.*, refused \d/)
    await image(
      /^Busy share: busiest matcher .* %, busiest gateway .* %, matcher 0 .* %, .*gateway 1 .* %/,
    )
    await image(/^Time of a flush: p50 \d/)
    await image(/^Blocks behind: archive \d+, checkpointer \d+/)
    await image(/^Memory: resident \d.* MiB, gateways' heaps \d/)
    await image(/^WebSockets: connections \d+, slow clients disconnected\/s 0/)
    await image(/^Slots taken, the fullest ring of each matcher: fullest \d.*, to matcher 0 \d/)
  })

  test('the first screen says whether all is well, what is due, and what is not as by default', async () => {
    const { page } = shown
    const well = panel(page, 'Is it well')
    const names = ['orders', 'p99', 'refused', 'disk', 'reader', 'backup', 'certificate']
    expect(await well.locator('b').evaluateAll((all) => all.map(({ id }) => id))).toEqual(
      names.map((name) => `figure-${name}`),
    )
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'IOC' }
    await eventually('an order is timed', async () => {
      await client('maker').send('POST', '/api/v3/order', {
        ...order,
        price: 30_000,
        quantity: 0.01,
      })
      return /^\d.* (µs|ms|s)$/.test(await figure('p99').innerText()) || undefined
    })
    await well.getByText(/^store \d/).waitFor()
    expect(await figure('backup').innerText()).toBe('! None')
    const due = panel(page, 'What is due')
    await due.getByRole('row', { name: /^now The first backup backup/ }).waitFor()
    const port = new RegExp(`^--port ${new URL(exchange.url).port} 8080$`)
    await panel(page, 'Not as by default').getByRole('row', { name: port }).waitFor()
    const folder = path.join(exchange.data, '..', `${path.basename(exchange.data)}-backup`)
    expect(await act(page, 'backup', { folder })).toMatch(/ holds \d+ blocks? up to /)
    await expect.poll(() => figure('backup').innerText()).toMatch(/^\d+ s$/)
    expect(await due.getByText('The first backup').count()).toBe(0)
    rmSync(folder, { recursive: true })
  })

  test('plots begin with what the exchange kept, with marks, and the others say that they do not', async () => {
    expect(await act(shown.page, 'halt', { symbol: 'ADAUSDT' })).toBe('Now halted: ADAUSDT.')
    // Figures are kept each second: a shorter halt is in none.
    await panel(shown.page, 'Marks').getByText('ADAUSDT stopped trading.').waitFor()
    expect(await act(shown.page, 'resume', { symbol: 'ADAUSDT' })).toBe('Now trading: ADAUSDT.')
    const { page, faults } = await openPage(browser, adminUrl())
    await enter(page, ownToken())
    // The first reading has no other before it: what is drawn was kept.
    await page.getByRole('img', { name: /^Memory: resident \d.* MiB/ }).waitFor()
    const marks = panel(page, 'Marks')
    await marks.getByText('halt by owner').waitFor()
    await marks.getByText('The exchange started.').waitFor()
    await marks.getByText('ADAUSDT stopped trading.').waitFor()
    for (const name of ['Latency of orders by stage', 'Responses by status', 'By symbol']) {
      await panel(page, name).getByText('since this page was opened').waitFor()
    }
    const span = panel(page, 'Span of the plots')
    await span.getByText('Times are UTC.').waitFor()
    await span.getByRole('button', { name: '31 days' }).click()
    await span.getByRole('button', { name: '31 days', pressed: true }).waitFor()
    await page.getByRole('img', { name: /^Memory: resident \d.* MiB/ }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('an action is named by what it does, and a preview says it with counts', async () => {
    const { page } = shown
    const { actions, form } = await fill(page, 'halt', { symbol: 'BNBUSDT' })
    await actions.getByRole('heading', { name: 'Halt trading halt' }).waitFor()
    await form.getByRole('button', { name: 'Preview' }).click()
    await panel(page, 'Preview').getByText('Would do: Halt BNBUSDT').waitFor()
    const { symbols } = (await (await fetch(`${exchange.url}/api/v3/exchangeInfo`)).json()) as {
      symbols: { symbol: string; status: string }[]
    }
    expect(symbols.find(({ symbol }) => symbol === 'BNBUSDT')!.status).toBe('TRADING')
    await actions.getByRole('button', { name: 'All actions' }).click()
    await actions.getByLabel('Search actions').fill('')
    await actions.getByRole('region', { name: 'Orders and trades' }).waitFor()
  })

  test('an account, its funds and its key are made by forms, and the key trades', async () => {
    const { page } = shown
    const name = 'alice'
    expect(await act(page, 'account-open', { account: name })).toContain(`Account ${name} is open`)
    const deposit = { account: name, asset: 'USDT', amount: '1000' }
    expect(await act(page, 'deposit', deposit)).toBe(
      `${name} was credited with 1000.00000000 USDT.`,
    )
    expect(await act(page, 'key-create', { account: name })).toMatch(/not shown again\.$/)
    const [apiKey, secretKey] = await Promise.all(
      ['apiKey', 'secretKey'].map((name) => field(page, name).innerText()),
    )
    const alice = new SignedClient(exchange.url, {
      account: name,
      apiKey: apiKey!,
      secretKey: secretKey!,
    })
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    const { body } = await alice.send('POST', '/api/v3/order', {
      ...order,
      price: 30_000,
      quantity: 0.001,
    })
    expect(body.status).toBe('NEW')
    expect(await act(page, 'keys', { account: name })).toBe('1 key.')
    expect(await page.content()).not.toContain(secretKey)
    expect(await act(page, 'balances', { account: name })).toBe(`Balances of ${name}.`)
    await page.getByRole('row', { name: /USDT 970\.0+ 30\.0+/ }).waitFor()
  })

  test('a refused act is told in the words of the exchange', async () => {
    const deposit = { account: 'zoe', asset: 'USDT', amount: '1' }
    expect(await act(shown.page, 'deposit', deposit)).toBe('There is no account zoe.')
    await takeFaults(shown.faults, 'status of 400')
  })

  test('what cannot be undone asks again, and a client loses orders only after a yes', async () => {
    const { page } = shown
    const order = { symbol: 'ETHUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    for (const price of [1_000, 1_001]) {
      await client('maker').send('POST', '/api/v3/order', { ...order, price, quantity: 0.1 })
    }
    const { submit } = await fill(page, 'cancel-orders', { account: 'maker', symbol: 'ETHUSDT' })
    await submit.click()
    const question = page.getByRole('dialog')
    await question.getByText('Cancel all 2 open orders of maker on ETHUSDT?').waitFor()
    await question.getByRole('button', { name: 'Cancel orders' }).waitFor()
    await question.getByRole('button', { name: 'Keep' }).click()
    await question.waitFor({ state: 'hidden' })
    const open = async () =>
      (await client('maker').send('GET', '/api/v3/openOrders', { symbol: 'ETHUSDT' })).body
    expect(await open()).toHaveLength(2)
    expect(await act(page, 'orders', { account: 'maker', symbol: 'ETHUSDT' })).toBe(
      '2 open orders.',
    )
    const said = await act(page, 'cancel-orders', { account: 'maker', symbol: 'ETHUSDT' })
    expect(said).toBe('All open orders of maker on ETHUSDT are canceled.')
    expect(await open()).toEqual([])
    for (const name of ['drain', 'stop']) {
      await (await fill(page, name, {})).submit.click()
      await question.waitFor()
      await page.keyboard.press('Escape')
      await question.waitFor({ state: 'hidden' })
    }
    expect(await act(page, 'audit')).toBe('Every asset adds up.')
  })

  test('what reaches far is done once its name is typed, and never by an empty field', async () => {
    const { page } = shown
    const question = page.getByRole('dialog')
    const typed = question.getByLabel('Type')
    const statuses = async () => {
      const { symbols } = (await (await fetch(`${exchange.url}/api/v3/exchangeInfo`)).json()) as {
        symbols: { status: string }[]
      }
      return new Set(symbols.map(({ status }) => status))
    }
    for (const name of ['halt', 'resume', 'cancel-orders']) {
      expect(await act(page, name, {})).toMatch(/ needs .* "all" on /)
      expect(await question.isVisible()).toBe(false)
    }
    expect([...(await statuses())]).toEqual(['TRADING'])
    const forms = [
      ['halt', { all: 'on' }, /^Halt all 6 symbols that trade\?/, 'all', 'Halt all'],
      ['resume', { all: 'on' }, /^Resume 6 of 6 halted symbols\?/, 'all', 'Resume all'],
      [
        'withdraw',
        { account: 'maker', asset: 'SOL', amount: '400000' },
        /^Withdraw 400,000 SOL from maker\? It keeps [\d,.]+ free and [\d,.]+ locked\.$/,
        ...['maker', 'Withdraw'],
      ],
      [
        'cancel-orders',
        { symbol: 'SOLUSDT', all: 'on' },
        /^Cancel all \d+ open orders on SOLUSDT\?/,
        ...['SOLUSDT', 'Cancel orders'],
      ],
    ] as const
    for (const [name, values, text, word, label] of forms) {
      await (await fill(page, name, values)).submit.click()
      await question.getByText(text).waitFor()
      const yes = question.getByRole('button', { name: label })
      for (const wrong of ['', word.slice(1), `${word}x`]) {
        await typed.fill(wrong)
        expect(await yes.isDisabled(), name).toBe(true)
        await page.keyboard.press('Enter')
      }
      expect(await question.isVisible()).toBe(true)
      await typed.fill(word)
      await page.keyboard.press('Enter')
      await question.waitFor({ state: 'hidden' })
      await panel(page, 'Actions').locator('.outcome [role="status"]').waitFor()
      if (name === 'halt') {
        expect([...(await statuses())]).toEqual(['HALT'])
        await page.locator('#connection', { hasText: '0 of 6 trading' }).waitFor()
        expect(await page.locator('.connection.live').count()).toBe(0)
      }
      if (name === 'resume') {
        expect([...(await statuses())]).toEqual(['TRADING'])
        await page.locator('.connection.live', { hasText: 'Accepts orders' }).waitFor()
      }
    }
    await takeFaults(shown.faults, '', '', '')
  })

  test('a symbol is listed, changed and halted, and the trader sees it', async () => {
    const { page } = shown
    const listing = { base: 'ADA', quote: 'BTC', like: 'ETHBTC' }
    expect(await act(page, 'symbol-list', listing)).toBe('Symbol ADABTC is listed.')
    await panel(page, 'By symbol').getByRole('cell', { name: 'ADABTC' }).waitFor()
    const filters = '[{"filterType":"MAX_NUM_ORDERS","maxNumOrders":7}]'
    expect(await act(page, 'symbol-filters', { symbol: 'ADABTC', filters })).toBe(
      'Filters of ADABTC are set.',
    )
    const trader = await openConsole(browser, `${exchange.url}/#ADABTC`)
    await trader.page.getByRole('heading', { name: 'ADA/BTC' }).waitFor()
    expect(await act(page, 'halt', { symbol: 'ADABTC' })).toBe('Now halted: ADABTC.')
    await trader.page.locator('.halted', { hasText: /HALT|BREAK/ }).waitFor()
    expect(await act(page, 'resume', { symbol: 'ADABTC' })).toBe('Now trading: ADABTC.')
    await trader.page.locator('.halted').waitFor({ state: 'detached' })
    expect(trader.faults).toEqual([])
    await trader.page.context().close()
  })

  test('a schedule is set, held and advanced, and the panel shows it', async () => {
    const { page } = shown
    const given = { schedule: 'day', symbols: 'SOLUSDT', zone: 'UTC', days: 'SUN-SAT' }
    const phases = '00:00:01=TRADING,23:59:59=BREAK'
    expect(await act(page, 'schedule-set', { ...given, phases })).toBe('The schedule day is set.')
    const row = panel(page, 'Schedules').getByRole('row', { name: /^day/ })
    await row.getByRole('cell', { name: 'UTC' }).waitFor()
    expect(await act(page, 'phase-hold', { symbol: 'SOLUSDT' })).toMatch(/^SOLUSDT is held/)
    await row.getByRole('cell', { name: '1', exact: true }).nth(1).waitFor()
    expect(await act(page, 'phase-release', { symbol: 'SOLUSDT' })).toMatch(/^SOLUSDT is released/)
    expect(await act(page, 'phase-advance', { symbol: 'SOLUSDT' })).toMatch(/^SOLUSDT is /)
    expect(await act(page, 'schedule-remove', { schedule: 'day' })).toBe(
      'The schedule day is removed.',
    )
    await row.waitFor({ state: 'detached' })
    expect(await act(page, 'symbol-status', { symbol: 'SOLUSDT', status: 'TRADING' })).toBe(
      'SOLUSDT is TRADING.',
    )
  })

  test('a token of the role watch sees no form of a higher role, by keys alone', async () => {
    expect(await act(shown.page, 'operator-add', { operator: 'carol', role: 'watch' })).toMatch(
      /^Operator carol has the role watch\./,
    )
    const token = await field(shown.page, 'token').innerText()
    const { page, faults } = await openPage(browser, adminUrl())
    await page.getByLabel('Token').focus()
    await page.keyboard.type(token)
    await page.keyboard.press('Enter')
    await page.locator('#role', { hasText: 'watch' }).waitFor()
    await page.locator('.action').first().waitFor()
    const names = await page.locator('.action code').allTextContents()
    expect(names).toContain('orders')
    for (const name of ['halt', 'deposit', 'key-create', 'stop']) expect(names).not.toContain(name)
    await page.getByLabel('Search actions').focus()
    await page.keyboard.type('symbols')
    const focused = () => page.evaluate('document.activeElement.querySelector("code")?.innerText')
    do await page.keyboard.press('Tab')
    while ((await focused()) !== 'symbols')
    await page.keyboard.press('Enter')
    await page.getByRole('form', { name: 'Show the symbols' }).waitFor()
    await page.getByRole('button', { name: 'Show the symbols', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.outcome', { hasText: '7 symbols.' }).waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('warnings appear as they come, and snapshots are listed', async () => {
    const { page } = shown
    expect(await act(page, 'snapshot')).toMatch(/^Snapshot 1 covers /)
    const list = panel(page, 'Snapshots').getByRole('row')
    await list.getByRole('cell', { name: '1', exact: true }).waitFor()
    // A round that fails is a warning, and so is what the next one cannot read.
    const folder = path.join(exchange.data, 'snapshots')
    renameSync(folder, `${folder}.aside`)
    writeFileSync(folder, '')
    await panel(page, 'Snapshots')
      .getByText(/snapshots cannot be used/)
      .waitFor()
    await client('trader1').send('POST', '/api/v3/order', {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      price: 30_000,
      quantity: 0.01,
    })
    // It reads what the checkpointer has moved, which does so each second.
    await expect.poll(() => act(page, 'snapshot')).toMatch(/^No snapshot was made: /)
    await takeFaults(shown.faults, 'status of 400')
    rmSync(folder)
    renameSync(`${folder}.aside`, folder)
    writeFileSync(path.join(folder, 'snapshot-000000000001'), 'damaged')
    await act(page, 'snapshot')
    await panel(page, 'Warnings')
      .getByText(/Snapshot 1 is passed over/)
      .first()
      .waitFor()
  })

  test.each([
    'dark',
    'light',
  ] as const)('axe finds nothing serious in %s colors', async (scheme) => {
    for (const width of [1280, 390]) {
      const options = { width, height: 860, colorScheme: scheme }
      const { page, faults } = await openPage(browser, adminUrl(), options)
      if (width === 1280) expect(await seriousFaults(page)).toEqual([])
      await enter(page, ownToken())
      await page.locator('#connection', { hasText: 'Accepts orders' }).waitFor()
      if (width === 390) expect(await seriousFaults(page)).toEqual([])
      if (width === 390) await page.getByRole('button', { name: 'Actions', exact: true }).click()
      const expectFine = async (what: string) => {
        expect(await seriousFaults(page), what).toEqual([])
        expect(await overflowOf(page), what).toBeLessThanOrEqual(0)
      }
      await expectFine('actions')
      expect(await act(page, 'accounts')).toMatch(/accounts\.$/)
      await expectFine('rows of a result')
      await (await fill(page, 'stop', {})).submit.click()
      await page.getByRole('dialog').waitFor()
      await expectFine('a question')
      await page.keyboard.press('Escape')
      await fill(page, 'symbol-filters', { symbol: 'BTCUSDT' })
      await expectFine('a form')
      if (width === 390) {
        for (const view of ['Warnings', 'Figures']) {
          await page.getByRole('button', { name: view, exact: true }).click()
          await expectFine(view)
        }
      }
      expect(faults).toEqual([])
      await page.context().close()
    }
  })

  test('the exchange is stopped by its form, and the page recovers when it is started', async () => {
    const { page } = shown
    expect(shown.faults).toEqual([])
    expect(await act(page, 'stop')).toBe('The exchange stops.')
    expect((await exchange.ended()).code).toBe(0)
    await page.locator('#connection', { hasText: 'Reconnecting' }).waitFor()
    await page.getByText('The exchange cannot be reached.').waitFor()
    await exchange.run()
    await page.locator('#connection', { hasText: 'Accepts orders' }).waitFor()
    expect(await act(page, 'status')).toBe('The exchange accepts orders.')
    // Chromium reports each reading that failed, until the exchange had started again.
    const isOther = (fault: string) => !/ERR_CONNECTION|ERR_EMPTY|status of 503/.test(fault)
    expect(shown.faults.filter(isOther)).toEqual([])
  })
}
