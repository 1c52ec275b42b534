/**
 * The console before a busy market: level changes and trades at fixed rates, from a generator and a
 * server of lower priority than the browser. Chromium draws in software on the same processors, so a
 * page that only counts frames is measured beside it. With `--own` the page is signed in as the maker, who
 * has so many open orders: each level change and each trade is an event of the account then. Frames and the
 * main thread are measured over the whole run, and at its two ends, between which a page that leaks slows down.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { UsageError } from '../../scripts/command-line/usage-error.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { BACKGROUND_NICENESS } from '../../src/workers/hosting.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, printTable } from '../harness/report.ts'

export const flags = {
  levels: 2_000,
  trades: 500,
  own: { usual: 0, mayBeZero: true },
  seconds: 60,
  settle: 20,
} as const satisfies Flags

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const CHROMIUM_FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
]
const VIEW = { width: 1280, height: 800 }
const MB = 1e6
/** Longest measurement of one end of the run. */
const END_SECONDS_MAX = 60
/** A frame that comes later than this after the one before is late: three of them at 60 a second. */
const LATE_FRAME_MS = 50
const COUNT_FRAMES = `
  globalThis.frames_ = { count: 0, late: 0, longestMs: 0 }
  let lastMs = performance.now()
  const count = (nowMs) => {
    frames_.count++
    if (nowMs - lastMs > ${LATE_FRAME_MS}) frames_.late++
    frames_.longestMs = Math.max(frames_.longestMs, nowMs - lastMs)
    lastMs = nowMs
    requestAnimationFrame(count)
  }
  requestAnimationFrame(count)`

interface Frames {
  readonly count: number
  readonly late: number
  readonly longestMs: number
}

interface Sample extends Frames {
  readonly taskSeconds: number
  readonly wallMs: number
}

export async function run(settings: SettingsOf<typeof flags>): Promise<BenchResult> {
  const browser = await launchBrowser()
  const exchange = await startExchange().catch(async (error) => {
    await browser.close()
    throw error
  })
  const generator = startGenerator(exchange, settings)
  try {
    const hello = await helloFrames(browser, exchange.url)
    const figures = await measure(browser, exchange.url, settings)
    const all = { ...figures, helloFramesPerSecond: hello, ...rates(settings) }
    printTable('the console', Object.entries(all))
    return { ratios: {}, figures: all }
  } finally {
    generator.kill()
    await once(generator, 'exit')
    await browser.close()
    await exchange.remove()
  }
}

/** Throws one sentence on a machine without Chromium, before anything else is started. */
async function launchBrowser(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) {
    throw new UsageError(
      `There is no Chromium at ${CHROMIUM}. Install it (apt-get install chromium), or name one in CHROMIUM.`,
    )
  }
  return chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_FLAGS })
}

async function startExchange(): Promise<ExchangeProcess> {
  const exchange = await ExchangeProcess.start([
    ...['--liquidity', 'off', '--gateways', '1', '--pending-orders', '16384'],
    ...['--command-ring-slots', '65536'],
  ])
  os.setPriority(exchange.pid, BACKGROUND_NICENESS)
  return exchange
}

const rates = ({ levels, trades, own, seconds }: SettingsOf<typeof flags>) => ({
  ownOrders: own,
  levelsPerSecond: levels,
  tradesPerSecond: trades,
  seconds,
})

/** Orders of the maker that are open at a time, unless they are shown. */
const LIVE_ORDERS = 400

function startGenerator(exchange: ExchangeProcess, settings: SettingsOf<typeof flags>) {
  const { levels, trades, own } = settings
  const live = own === 0 ? LIVE_ORDERS : own
  const program = path.join(import.meta.dirname, 'market-mover.js')
  const [maker, taker] = ['maker', 'taker'].map((name) => exchange.keys()[name]!)
  const args = [exchange.wsUrl, JSON.stringify(maker), JSON.stringify(taker), levels, trades, live]
  const child = spawn(process.execPath, [program, ...args.map(String)], { stdio: 'inherit' })
  os.setPriority(child.pid!, BACKGROUND_NICENESS)
  return child
}

/** Frames of a page that does nothing but ask for them, under the same load. */
async function helloFrames(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage({ viewport: VIEW })
  await page.goto(`${url}/api/v3/ping`)
  await page.evaluate(COUNT_FRAMES)
  const seconds = 5
  await delay(seconds * 1_000)
  const { count } = (await page.evaluate('frames_')) as Frames
  await page.close()
  return count / seconds
}

async function measure(
  browser: Browser,
  url: string,
  { seconds, settle, own }: SettingsOf<typeof flags>,
) {
  const page = await browser.newPage({ viewport: VIEW })
  const session = await page.context().newCDPSession(page)
  // Time of the thread itself: what other processes take of the machine does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const beganMs = performance.now()
  const loaded = page.waitForEvent('load')
  await page.goto(url)
  await loaded
  const firstScreenKB = bytes / 1_000
  await page.locator('#connection', { hasText: 'Live' }).waitFor()
  const firstScreenMs = performance.now() - beganMs
  if (own > 0) await signIn(page)
  await page.evaluate(COUNT_FRAMES)
  await delay(settle * 1_000)
  const settled = await kept(session)
  const endSeconds = Math.min(END_SECONDS_MAX, (seconds - settle) / 2)
  await page.evaluate('frames_.longestMs = 0')
  const begin = await sample(page, session)
  await delay(endSeconds * 1_000)
  const beginEnd = await sample(page, session)
  await delay((seconds - settle - 2 * endSeconds) * 1_000)
  const lastBegin = await sample(page, session)
  await delay(endSeconds * 1_000)
  const last = await sample(page, session)
  const end = await kept(session)
  const [atBegin, atEnd] = [between(begin, beginEnd), between(lastBegin, last)]
  return {
    ...between(begin, last),
    framesAtBegin: atBegin.framesPerSecond,
    framesAtEnd: atEnd.framesPerSecond,
    busyAtBegin: atBegin.mainThreadBusy,
    busyAtEnd: atEnd.mainThreadBusy,
    lateFrames: last.late - begin.late,
    longestFrameMs: last.longestMs,
    heapAtBeginMB: settled.heapMB,
    heapGrowthMB: end.heapMB - settled.heapMB,
    elementsAtBegin: settled.elements,
    elementsGrowth: end.elements - settled.elements,
    firstScreenKB,
    firstScreenMs,
  }
}

function between(from: Sample, until: Sample) {
  const wallSeconds = (until.wallMs - from.wallMs) / 1_000
  return {
    framesPerSecond: (until.count - from.count) / wallSeconds,
    mainThreadBusy: (until.taskSeconds - from.taskSeconds) / wallSeconds,
  }
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'maker', exact: true }).click()
  await page.locator('[data-order]').first().waitFor()
}

/** What the page keeps after a forced collection. */
async function kept(session: CDPSession) {
  await session.send('HeapProfiler.collectGarbage')
  const heapMB = (await metric(session, 'JSHeapUsedSize')) / MB
  return { heapMB, elements: await metric(session, 'Nodes') }
}

async function metric(session: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === wanted)!.value
}

const sample = async (page: Page, session: CDPSession): Promise<Sample> => ({
  ...((await page.evaluate('frames_')) as Frames),
  taskSeconds: await metric(session, 'TaskDuration'),
  wallMs: performance.now(),
})
