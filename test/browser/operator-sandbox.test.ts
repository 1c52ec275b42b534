/** The fault rules and the clock of a sandbox on the operator's screen. */
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { hasTool } from '../runner/tools.ts'
import { launchChromium, openPage, overflowOf, type Shown, seriousFaults } from './chromium.ts'
import { act, adminUrlOf, enter, field, ownTokenOf, panel } from './operator-page.ts'

const PROFILE = readFileSync('examples/faults/flaky-network.toml', 'utf8')

describe.runIf(hasTool('chromium'))('a sandbox on the screen', sandboxTests)
describe.runIf(hasTool('chromium'))('an exchange that is no sandbox', plainTests)

/** Starts an exchange with the flags before the tests, and opens its screen. */
function screenOf(flags: readonly string[]) {
  const parts: { exchange?: ExchangeProcess; browser?: Browser; shown?: Shown } = {}
  beforeAll(async () => {
    parts.exchange = await ExchangeProcess.start([...FEW_THREADS, ...flags])
    parts.browser = await launchChromium()
    parts.shown = await openPage(parts.browser, adminUrlOf(parts.exchange))
    await enter(parts.shown.page, ownTokenOf(parts.exchange))
  })
  afterAll(async () => {
    await parts.browser?.close()
    await parts.exchange?.remove()
  })
  return { page: () => parts.shown!.page, exchange: () => parts.exchange! }
}

function sandboxTests() {
  const { page, exchange } = screenOf(['--sandbox', 'on', '--clock', 'virtual'])
  const ping = () => fetch(`${exchange().url}/api/v3/time`)

  async function fillRule(values: Readonly<Record<string, string>>) {
    const faults = panel(page(), 'Faults')
    const form = faults.getByRole('form', { name: 'Add a rule' })
    if (!(await form.isVisible())) await faults.getByText('Add a rule').click()
    for (const [name, value] of Object.entries(values)) {
      const input = form.locator(`[name="${name}"]`)
      const isChoice = (await input.evaluate((it) => it.nodeName)) === 'SELECT'
      await (isChoice ? input.selectOption(value) : input.fill(value))
    }
    await form.getByRole('button', { name: 'Add' }).click()
    return faults
  }

  test('a rule is added, counts what it touches, and is removed', async () => {
    const rule = { name: 'lost', do: 'answer', status: '503', operation: '*ime', every: '2' }
    const faults = await fillRule({ ...rule, code: '-1000', message: 'gone' })
    await faults.getByText('The rule lost is in force').waitFor()
    expect([(await ping()).status, (await ping()).status]).toEqual([200, 503])
    const cells = faults.getByRole('row', {
      name: /^lost answer operation=\*ime every=2 .* 2 1 on/,
    })
    await cells.waitFor()
    await faults.getByRole('button', { name: 'Remove lost' }).click()
    await faults.getByText('1 rule removed.').waitFor()
    await faults.getByText('No rule is in force.').waitFor()
    expect([(await ping()).status, (await ping()).status]).toEqual([200, 200])
  })

  test('a rule that is none is refused in the words of the exchange', async () => {
    const faults = await fillRule({ name: 'all', do: 'unknown' })
    await faults.getByRole('alert').getByText('name must be letters').waitFor()
  })

  test('a file of rules is applied, and all are removed', async () => {
    const faults = panel(page(), 'Faults')
    await faults.getByText('Apply a file of rules').click()
    const form = faults.getByRole('form', { name: 'Apply a file of rules' })
    await form.getByLabel('rules').fill(PROFILE)
    await form.getByRole('button', { name: 'Apply' }).click()
    const count = PROFILE.match(/^\[\[fault\]\]/gm)!.length
    await faults.getByText(`${count} rules in force.`).waitFor()
    await expect.poll(() => faults.getByRole('button', { name: /^Remove .*-/ }).count()).toBe(count)
    await faults.getByRole('button', { name: 'Remove all' }).click()
    await faults.getByText(`${count} rules removed.`).waitFor()
    await faults.getByText('No rule is in force.').waitFor()
  })

  const serverTime = async () =>
    ((await (await ping()).json()) as { serverTime: number }).serverTime
  const shownOf = (name: string) =>
    panel(page(), 'Clock')
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`^${name} `) })
      .locator('b')

  test('the clock is paused, sent ahead, sped up and resumed', async () => {
    const clock = panel(page(), 'Clock')
    expect(await shownOf('State').innerText()).toBe('Running')
    await clock.getByRole('button', { name: 'Pause' }).click()
    await shownOf('State').getByText('Paused').waitFor()
    const beganMs = await serverTime()
    await clock.getByLabel('Length').fill('1h')
    await clock.getByRole('button', { name: 'Advance' }).click()
    await clock.getByText('It stands still.').waitFor()
    await expect.poll(serverTime).toBe(beganMs + 3_600_000)
    const shownNow = new Date(beganMs + 3_600_000).toISOString().slice(0, -1).replace('T', ' ')
    await shownOf('Now').getByText(shownNow).waitFor()
    await clock.getByLabel('Times as fast as the machine').fill('60')
    await clock.getByRole('button', { name: 'Set speed' }).click()
    await shownOf('Speed').getByText('60 ×').waitFor()
    await clock.getByRole('button', { name: 'Resume' }).click()
    await shownOf('State').getByText('Running').waitFor()
    await expect.poll(serverTime).toBeGreaterThan(beganMs + 3_600_000 + 10_000)
  })

  test('an operator who may only watch sees both, and no button or form', async () => {
    await act(page(), 'operator-add', { operator: 'carol', role: 'watch' })
    const token = await field(page(), 'token').innerText()
    const context = await page().context().browser()!.newContext()
    const other = await context.newPage()
    await other.goto(adminUrlOf(exchange()))
    await enter(other, token)
    await panel(other, 'Clock').getByText('Now').waitFor()
    await panel(other, 'Faults').getByText('No rule is in force.').waitFor()
    for (const name of ['Clock', 'Faults']) {
      expect(await panel(other, name).locator('button, form, details').count()).toBe(0)
    }
    await context.close()
  })

  test.each([1_280, 390])('axe finds nothing serious in forms at %i pixels', async (width) => {
    const options = { width, height: 860 }
    const browser = page().context().browser()!
    const { page: other, faults } = await openPage(browser, adminUrlOf(exchange()), options)
    await enter(other, ownTokenOf(exchange()))
    for (const title of ['Add a rule', 'Apply a file of rules']) {
      await panel(other, 'Faults').getByText(title).click()
    }
    await panel(other, 'Clock').scrollIntoViewIfNeeded()
    expect(await seriousFaults(other)).toEqual([])
    expect(await overflowOf(other)).toBeLessThanOrEqual(0)
    expect(faults).toEqual([])
    await other.context().close()
  })

  test('a speed that is none is refused in the words of the exchange', async () => {
    const clock = panel(page(), 'Clock')
    await clock.getByLabel('Times as fast as the machine').fill('fast')
    await clock.getByRole('button', { name: 'Set speed' }).click()
    await clock.getByRole('alert').getByText('times must be a number').waitFor()
  })
}

function plainTests() {
  const { page } = screenOf([])

  test('has neither panel', async () => {
    await panel(page(), 'Snapshots').waitFor()
    expect(await panel(page(), 'Faults').count()).toBe(0)
    expect(await panel(page(), 'Clock').count()).toBe(0)
  })
}
