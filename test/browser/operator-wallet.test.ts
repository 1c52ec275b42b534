/** The wallet on the operator's screen: withdrawals are decided by one click each, chains and networks change, funds are proven. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { hasTool } from '../runner/tools.ts'
import {
  launchChromium,
  openPage,
  operate,
  overflowOf,
  type Shown,
  seriousFaults,
} from './chromium.ts'
import { adminUrlOf, enter, ownTokenOf, panel, sayYes, takeFaults } from './operator-page.ts'

const OUTSIDE = '0x52908400098527886E0F7030069857D2E4169EE7'
const APPROVE = '**/actions/withdrawal-approve'

describe.runIf(hasTool('chromium'))("the wallet on the operator's screen", () => {
  let exchange: ExchangeProcess
  let browser: Browser
  let shown: Shown
  let page: Page

  beforeAll(async () => {
    exchange = await ExchangeProcess.start([...FEW_THREADS, '--liquidity', 'off'])
    const chain = { chain: 'QUICK', form: 'ethereum', 'block-seconds': '0.2' }
    await operate(exchange, 'chain-list', chain)
    await operate(exchange, 'coin-network-list', {
      ...{ coin: 'USDT', chain: 'QUICK', fee: '1', default: 'on', 'approval-above': '500' },
    })
    browser = await launchChromium()
    shown = await openPage(browser, adminUrlOf(exchange))
    page = shown.page
    await enter(page, ownTokenOf(exchange))
  })
  afterAll(async () => {
    await browser?.close()
    await exchange?.remove()
  })

  const client = () => new SignedClient(exchange.url, exchange.keys().trader1!)
  async function withdraw(amount: number): Promise<string> {
    const to = { coin: 'USDT', network: 'QUICK', address: OUTSIDE }
    const { body } = await client().send('POST', '/sapi/v1/capital/withdraw/apply', {
      ...{ ...to, amount },
    })
    return body.id as unknown as string
  }
  async function statusOf(id: string): Promise<number> {
    const { body } = await client().send('GET', '/sapi/v1/capital/withdraw/history')
    const rows = body as unknown as readonly { id: string; status: number }[]
    return rows.find((row) => row.id === id)!.status
  }
  const queue = () => panel(page, 'Withdrawals to decide')
  const row = (id: string) => queue().getByRole('row', { name: new RegExp(`^${id} trader1 USDT`) })
  const button = (name: string) => queue().getByRole('button', { name, exact: true })
  const said = (text: string) => queue().getByRole('status').getByText(text).waitFor()
  /** Rows that come or go turn buttons off for a moment, in which a click does nothing. */
  const empty = () => queue().getByText('No withdrawal waits for a decision.').waitFor()

  /** Clicks one button twice, and the other one in the moment in which the row of the first is gone. */
  const clickInARow = (one: string, other: string) =>
    page.evaluate(`new Promise((resolve) => {
      const find = (name) => document.querySelector('[aria-label="' + name + '"]')
      const button = find(${JSON.stringify(one)})
      const row = button.closest('tr')
      const observer = new MutationObserver(() => {
        if (row.isConnected) return
        observer.disconnect()
        find(${JSON.stringify(other)}).click()
        resolve()
      })
      observer.observe(document.body, { childList: true, subtree: true })
      button.click()
      button.click()
    })`)

  test('a withdrawal is confirmed and approved by a click each, and another click decides no other one', async () => {
    const [one, two] = [await withdraw(600), await withdraw(700)]
    for (const id of [one, two]) await row(id).getByText(OUTSIDE).waitFor()
    const cells = await row(one).getByRole('cell').allInnerTexts()
    const amounts = ['EMAIL_SENT', '599.00000000', '599.00000000 USDT']
    expect(cells.slice(0, 7)).toEqual([one, 'trader1', 'USDT', 'QUICK', ...amounts])
    expect(cells[7]).toMatch(/^\d+ s$/)
    await panel(page, 'What is due').getByText('Withdrawals that wait for you: 2').waitFor()
    for (const id of [one, two]) {
      await button(`Confirm ${id}`).click()
      await said(`Withdrawal ${id} is confirmed.`)
      await button(`Approve ${id}`).waitFor()
    }
    await expect.poll(() => button(`Approve ${one}`).isEnabled()).toBe(true)
    await clickInARow(`Approve ${one}`, `Approve ${two}`)
    await said(`Withdrawal ${one} is approved.`)
    await expect.poll(() => statusOf(one), { timeout: 20_000 }).toBe(6)
    expect(await statusOf(two)).toBe(2)
    await button(`Reject ${two}`).click()
    await said(`Withdrawal ${two} is rejected.`)
    await empty()
    expect(await statusOf(two)).toBe(3)
  })

  test('one that its account no longer wants is canceled', async () => {
    const id = await withdraw(800)
    await button(`Cancel ${id}`).click()
    await said(`Withdrawal ${id} is canceled.`)
    await empty()
    expect(await statusOf(id)).toBe(1)
  })

  test('a decision whose answer is lost is sent again, and made once', async () => {
    const id = await withdraw(900)
    await button(`Confirm ${id}`).click()
    const keys: (string | undefined)[] = []
    await page.route(APPROVE, async (route) => {
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort('connectionreset')
    })
    await button(`Approve ${id}`).click()
    await said(`Withdrawal ${id} is approved.`)
    await page.unroute(APPROVE)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
    await takeFaults(shown.faults, 'ERR_CONNECTION_RESET')
    await empty()
    await expect.poll(() => statusOf(id), { timeout: 20_000 }).toBe(6)
  })

  test('what another operator has decided is refused in the words of the exchange', async () => {
    const id = await withdraw(1_000)
    await button(`Confirm ${id}`).waitFor()
    await page.route('**/actions/withdrawal-confirm', async (route) => {
      await operate(exchange, 'withdrawal-cancel', { id })
      await route.continue()
    })
    await button(`Confirm ${id}`).click()
    await queue().getByRole('alert').getByText('It is in another state.').waitFor()
    await row(id).waitFor({ state: 'detached' })
    await takeFaults(shown.faults, 'status of 400')
  })

  test('a chain that is stopped or late says so, and is resumed', async () => {
    const chains = panel(page, 'Chains')
    const quick = chains.getByRole('row', { name: /^QUICK/ })
    await quick.getByText('makes blocks').waitFor()
    await chains.getByRole('button', { name: 'Stop QUICK' }).click()
    await quick.getByText(/^stopped since 20\d\d-.* \d\d:\d\d:\d\d$/).waitFor()
    await operate(exchange, 'chain-send', {
      ...{ coin: 'USDT', chain: 'QUICK', amount: '3' },
      address: (await operate(exchange, 'deposit-address', { account: 'trader2', coin: 'USDT' }))
        .address!,
    })
    await quick.getByRole('cell', { name: '1', exact: true }).waitFor()
    await panel(page, 'What is due').getByText('Chains that are stopped: 1').waitFor()
    await chains.getByRole('button', { name: 'Resume QUICK' }).click()
    await quick.getByText('makes blocks').waitFor()
    await quick.getByRole('cell', { name: '0', exact: true }).waitFor()
    await operate(exchange, 'chain-congest', { chain: 'QUICK', blocks: '7' })
    await quick.getByText('7 blocks late').waitFor()
    await operate(exchange, 'chain-congest', { chain: 'QUICK', blocks: '0' })
  })

  test('a network is suspended, once the question is answered, and resumed', async () => {
    const networks = panel(page, 'Networks')
    const quick = networks.getByRole('row', { name: /^USDT QUICK/ })
    await networks.getByRole('button', { name: 'Suspend USDT on QUICK' }).click()
    await page.getByRole('dialog').getByText('Suspend deposits and withdrawals').waitFor()
    await sayYes(page)
    await expect.poll(() => quick.getByText('suspended').count()).toBe(2)
    await networks.getByRole('button', { name: 'Resume USDT on QUICK' }).click()
    await expect.poll(() => quick.getByText('suspended').count()).toBe(0)
    expect(await quick.getByText('on', { exact: true }).count()).toBe(2)
  })

  test('funds are proven, and a shortfall is red', async () => {
    const funds = panel(page, 'Proof of funds')
    await funds.getByRole('button', { name: 'Prove the funds' }).click()
    const usdt = funds.getByRole('row', { name: /^USDT/ })
    const owed = usdt.getByRole('cell').nth(4)
    await funds.getByText('The funds of every asset are proven.').waitFor()
    expect([await owed.innerText(), await owed.getAttribute('class')]).toEqual(['0.00000000', ''])
    await operate(exchange, 'account-open', { account: 'bob' })
    const { address } = await operate(exchange, 'deposit-address', { account: 'bob', coin: 'USDT' })
    const sent = { coin: 'USDT', chain: 'QUICK', amount: '5', address }
    await operate(exchange, 'chain-send', sent)
    const status = async () => (await operate(exchange, 'deposits', { account: 'bob' })).status
    await expect.poll(status, { timeout: 20_000 }).toBe(undefined)
    const out = { account: 'bob', asset: 'USDT', amount: '5', yes: 'on' }
    await operate(exchange, 'withdraw', out)
    await operate(exchange, 'chain-reorganise', { chain: 'QUICK', blocks: '20', drop: 'on' })
    await funds.getByText(/^Accounts owe deposits .* in 1 of the assets\.$/).waitFor()
    await panel(page, 'What is due').getByText('Assets of which accounts owe deposits: 1').waitFor()
    await funds.getByRole('button', { name: 'Prove the funds' }).click()
    await expect.poll(() => owed.innerText()).toBe('5.00000000')
    expect(await owed.getAttribute('class')).toBe('down')
  })

  test('a symbol shows its group of routed orders, and nothing does where there is none', async () => {
    const table = panel(page, 'By symbol')
    const header = table.getByRole('columnheader', { name: 'Group' })
    expect(await header.count()).toBe(0)
    await operate(exchange, 'symbol-list', { base: 'BTC', quote: 'ETH', like: 'ETHBTC' })
    const symbols = 'BTCUSDT,BTCETH'
    await operate(exchange, 'sor-group', { base: 'BTC', symbols, account: 'trader2' })
    await header.waitFor()
    for (const name of symbols.split(',')) {
      await table
        .getByRole('row', { name: new RegExp(`^${name} .*BTC at the next start`) })
        .waitFor()
    }
  })

  test('who only watches sees all of it and no button', async () => {
    const id = await withdraw(1_100)
    const { token } = await operate(exchange, 'operator-add', { operator: 'eve', role: 'watch' })
    const watching = await openPage(browser, adminUrlOf(exchange))
    await enter(watching.page, token!)
    const list = panel(watching.page, 'Withdrawals to decide')
    await list.getByRole('row', { name: new RegExp(`^${id} trader1`) }).waitFor()
    await panel(watching.page, 'Networks')
      .getByRole('row', { name: /^USDT QUICK/ })
      .waitFor()
    for (const name of ['Withdrawals to decide', 'Chains', 'Networks']) {
      expect(await panel(watching.page, name).getByRole('button').count(), name).toBe(0)
    }
    await panel(watching.page, 'Proof of funds').getByRole('button').click()
    await watching.page.getByText('The funds of every asset are proven.').waitFor()
    await watching.page.context().close()
  })

  test('the panels have no serious fault of accessibility, and fit a phone', async () => {
    expect(await seriousFaults(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await queue().scrollIntoViewIfNeeded()
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    expect(shown.faults).toEqual([])
  })
})
