/** A Chromium of the machine, and pages of the console in it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { toolPath } from '../runner/tools.ts'

const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
]
/** Slow machines take long: a condition that never comes fails the test. */
const PATIENCE_MS = 60_000

export const launchChromium = (flags: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: toolPath('chromium')!, args: [...FLAGS, ...flags] })

export interface Shown {
  readonly page: Page
  /** Errors and warnings of the browser's console. */
  readonly faults: string[]
}

interface ViewOptions {
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: 'dark' | 'light'
}

/** Opens the console in its own window. */
export async function openConsole(
  browser: Browser,
  url: string,
  options: ViewOptions = {},
): Promise<Shown> {
  const shown = await openPage(browser, url, options)
  await shown.page.locator('#connection', { hasText: 'Live' }).waitFor()
  return shown
}

/** Opens a page in its own window. */
export async function openPage(
  browser: Browser,
  url: string,
  { width = 1280, height = 860, colorScheme = 'dark' }: ViewOptions = {},
): Promise<Shown> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text())
  })
  await page.goto(url)
  return { page, faults }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  readonly violations: readonly { id: string; impact: string; nodes: { html: string }[] }[]
}

/** Returns what axe finds of serious faults in the page as it is shown. */
export async function seriousFaults(page: Page): Promise<string[][]> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate('axe.run()')) as AxeResult
  const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
  return serious.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
}

/** Returns how many pixels the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')

/** Signs in with an account of the demo, by its button. */
export async function signIn(page: Page, account: string): Promise<void> {
  await page.getByRole('button', { name: account, exact: true }).click()
  await page.getByRole('form', { name: 'Order ticket' }).waitFor()
}

/** Signs in with a key of any account. */
export async function enter(page: Page, apiKey: string, secret: string): Promise<void> {
  const panel = page.getByRole('region', { name: 'Sign in' })
  await panel.getByLabel('API key').fill(apiKey)
  await panel.getByLabel(/^HMAC secret/).fill(secret)
  await panel.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Carries out an operator's action. Resolves to its first row. */
export async function operate(
  { data, adminPort }: ExchangeProcess,
  act: string,
  given: object,
): Promise<Record<string, string>> {
  const token = readFileSync(path.join(data, 'operator-token'), 'utf8').trim()
  const answer = await fetch(`http://127.0.0.1:${adminPort}/actions/${act}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify(given),
  })
  const { rows } = (await answer.json()) as { rows?: Record<string, string>[] }
  return rows?.[0] ?? {}
}

/** Turns on the keys that cancel orders. */
export async function switchCancelKeysOn(page: Page): Promise<void> {
  const list = page.getByText('Keys', { exact: true })
  await list.click()
  await page.getByLabel('X and Shift X cancel at once').check()
  await list.click()
}

/** Empties the fields that are shown, those too that are shown only once another one is empty. */
async function emptyFields(form: Locator): Promise<void> {
  for (;;) {
    const inputs = await form.locator('input[name]:visible').all()
    const values = await Promise.all(inputs.map((input) => input.inputValue()))
    const input = inputs[values.findIndex((value) => value !== '')]
    if (input === undefined) return
    await input.fill('')
  }
}

/** Notices except fills and expiries, newest first. */
const NOTICE = '.notice:not(.news)'

/** The newest notice, or the newest one with this text. */
export const saidOf = (page: Page, text: string | RegExp = ''): Locator =>
  page.locator(`${NOTICE} .said`, { hasText: text }).first()

/** The figures of the newest notice that has some. */
export const outcomeOf = (page: Page): Locator => page.locator(`${NOTICE} .outcome`).first()

/** Fills the ticket, accepts its warnings, sends it, returns the page's text then. Earlier requests are answered first. */
export async function order(
  page: Page,
  side: 'Buy' | 'Sell',
  kind: string,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  const form = page.getByRole('form', { name: 'Order ticket' })
  await page.locator('#notices[aria-busy="false"]').waitFor({ state: 'attached' })
  const newest = `Number(document.querySelector('${NOTICE}')?.dataset.number ?? 0)`
  const before = await page.evaluate(newest)
  await form.getByRole('button', { name: side, exact: true }).click()
  await form.locator('#order-kind').selectOption(kind)
  await emptyFields(form)
  for (const [name, value] of Object.entries(values)) {
    const field = form.locator(`[name="${name}"]`)
    const isChoice = name.endsWith('Type') || name.endsWith('Side') || name.endsWith('InForce')
    if (isChoice) await field.selectOption(value)
    else await field.fill(value)
  }
  const send = form.getByRole('button', { name: /^(Buy|Sell) \w{3}/ })
  const accept = form.getByLabel('Send it all the same')
  await send.and(page.locator(':enabled')).or(accept).first().waitFor()
  if (await accept.isVisible()) await accept.check()
  await send.click()
  while (Number(await page.evaluate(newest)) <= Number(before)) await pause(50)
  return saidOf(page).innerText()
}

/** The best levels with side, price and size, as the ladder's table for screen readers has them. */
export async function mirrorRows(page: Page): Promise<string[][]> {
  return (await mirrorCells(page)).map((cells) => cells.slice(0, 3))
}

/** The best levels and the size of own orders on them, without separators. Read at one moment. */
export const mirrorCells = (page: Page): Promise<string[][]> =>
  page.evaluate(
    "[...document.querySelectorAll('#ladder-mirror tbody tr')]" +
      ".map((row) => [...row.cells].map((cell) => cell.textContent.replaceAll(',', '')))",
  )
