/**
 * `npm run disk-fault -- --folder /mnt/small --fault full|reserve|read-only [--rounds 3] [--seed N]`: an
 * exchange whose data lies in that folder is loaded until the disk refuses, several times over, and all that
 * clients received is compared after each start (chaos/chaos.ts). The folder is the root of a small file
 * system, for instance
 *
 *   mount -t tmpfs -o size=400m tmpfs /mnt/small
 *
 * With `full` the rest of it is filled by a file while the exchange runs, which is removed before the next
 * start. With `reserve` a file leaves less than the reserve: new orders must be refused and cancels carried
 * out, and a stop ends as usual. With `read-only`, which takes root, the file system is remounted between
 * two starts, and a start must be refused meanwhile. Exit code 1 when anything was lost.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Chaos } from './chaos/chaos.ts'
import { oneOf, wholeNumber } from './command-line/tool.ts'
import { runTrial, SEED_FLAG } from './command-line/trial.ts'
import { UsageError } from './command-line/usage-error.ts'
import { ExchangeProcess } from './exchange/exchange-process.ts'
import { SignedClient } from './exchange/signed-client.ts'

const ANSWERS_MAX = 500
const LOOK_MS = 50
/** What is left to the exchange once the disk is as good as full. */
const LEFT_BYTES = 64 << 10
const FILL_BYTES = 1 << 20
/** The reserve, of a disk that has no room for the usual one, and what is left of it. */
const RESERVE_MB = 96
const RESERVE_LEFT_BYTES = 80 << 20
/** How long clients continue trying on the reserve. */
const ON_RESERVE_MS = 2_000
/** Larger ones would take long to fill, and might hold something else. */
const FILE_SYSTEM_BYTES_MAX = 2 ** 32

const faults = ['full', 'reserve', 'read-only'] as const
const tool = {
  name: 'disk-fault',
  about:
    'Loads an exchange until its disk refuses, and compares what clients were told with what is recovered.',
  flags: {
    folder: { value: 'FOLDER', about: 'The root of a small file system of its own' },
    fault: { value: 'HOW', about: `One of ${faults.join(', ')}`, default: 'full' },
    rounds: { value: 'N', about: 'How often', default: '3' },
    seed: SEED_FLAG,
  },
} as const

interface Fault {
  /** Brings the exchange, which runs, to its end. */
  strike(exchange: ExchangeProcess): Promise<void>
  /** The next start has room. */
  mend(): void
}

function faultNamed(name: (typeof faults)[number], folder: string): Fault {
  const filler = path.join(folder, 'filler')
  const remount = (how: string) => execFileSync('mount', ['-o', `remount,${how}`, folder])
  if (name === 'full') {
    const strike = (exchange: ExchangeProcess) => {
      fill(filler, LEFT_BYTES)
      return endByRefusal(exchange)
    }
    return { strike, mend: () => fs.rmSync(filler) }
  }
  if (name === 'reserve') {
    const strike = (exchange: ExchangeProcess) => {
      fill(filler, RESERVE_LEFT_BYTES)
      return stopOnReserve(exchange)
    }
    return { strike, mend: () => fs.rmSync(filler) }
  }
  const strike = async (exchange: ExchangeProcess) => {
    await exchange.stop('SIGTERM')
    remount('ro')
    const { code, output } = await exchange.launch()
    if (code !== 1) throw new Error(`it ended with ${code} on a read-only disk:\n${output}`)
    process.stdout.write(output)
  }
  return { strike, mend: () => remount('rw') }
}

/** Leaves so many bytes of the disk. */
function fill(file: string, leftBytes: number): void {
  const descriptor = fs.openSync(file, 'w')
  const bytes = Buffer.alloc(FILL_BYTES)
  for (;;) {
    const { bavail, bsize } = fs.statfsSync(path.dirname(file))
    const wanted = Math.min(FILL_BYTES, bavail * bsize - leftBytes)
    if (wanted <= 0) break
    fs.writeSync(descriptor, bytes, 0, wanted)
  }
  fs.closeSync(descriptor)
}

/** Throws UsageError unless it is a file system that may be filled. */
function smallDisk(folder: string | undefined): string {
  if (folder === undefined || !fs.existsSync(folder)) {
    throw new UsageError('--folder must name the root of a small file system of its own.')
  }
  const root = path.resolve(folder)
  const isRoot = fs.statSync(root).dev !== fs.statSync(path.dirname(root)).dev
  const { blocks, bsize } = fs.statfsSync(root)
  if (isRoot && blocks * bsize <= FILE_SYSTEM_BYTES_MAX) return root
  throw new UsageError(`${folder} is not the root of a file system of at most 4 GiB of its own.`)
}

/** Until health fails; market data is readable then, and the exit code shows that something is wrong. */
async function endByRefusal(exchange: ExchangeProcess): Promise<void> {
  while ((await statusOf(`http://127.0.0.1:${exchange.adminPort}/healthz`)) === 200) {
    await delay(LOOK_MS)
  }
  const depth = await statusOf(`${exchange.url}/api/v3/depth?symbol=BTCUSDT`)
  if (depth !== 200) throw new Error(`depth is answered ${depth} after the disk refused`)
  const { code, output } = await exchange.stop('SIGTERM')
  if (code !== 1) throw new Error(`it ended with ${code} after the disk refused:\n${output}`)
  process.stdout.write(`${/"reason":"([^"\\]*)/.exec(output)?.[1]}\n`)
}

/** New orders are refused, a cancel is not, and the exchange stays in rotation until it is stopped. */
async function stopOnReserve(exchange: ExchangeProcess): Promise<void> {
  const admin = `http://127.0.0.1:${exchange.adminPort}`
  const isRestricted = async () =>
    (await (await fetch(`${admin}/readyz`)).text()).includes('no new orders')
  while (!(await isRestricted())) await delay(LOOK_MS)
  await delay(ON_RESERVE_MS)
  const key = exchange.keys().trader1
  if (key === undefined) throw new Error('the demo has no trader1')
  const client = new SignedClient(exchange.url, key)
  const symbol = 'BTCUSDT'
  const order = {
    symbol,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    price: '1',
    quantity: '9',
  }
  const placed = await client.send('POST', '/api/v3/order', order)
  if (placed.body.code !== -1008) throw new Error(`an order got ${JSON.stringify(placed.body)}`)
  const canceled = await client.send('DELETE', '/api/v3/order', { symbol, orderId: 1 })
  const isServed = canceled.status === 200 || canceled.body.code === -2011
  if (!isServed) throw new Error(`a cancel got ${JSON.stringify(canceled.body)}`)
  if ((await statusOf(`${admin}/readyz`)) !== 200) throw new Error('it is out of rotation')
  const { code, output } = await exchange.stop('SIGTERM')
  if (code !== 0) throw new Error(`it ended with ${code} on the reserve:\n${output}`)
  process.stdout.write(`an order got ${placed.body.msg}\n`)
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

await runTrial(tool, async (values, trial) => {
  const folder = smallDisk(values.folder)
  const fault = faultNamed(oneOf('fault', values.fault, faults), folder)
  const rounds = wholeNumber('rounds', values.rounds)
  trial.begin(`${rounds} times ${values.fault}`)
  const data = fs.mkdtempSync(path.join(folder, 'ringbook-'))
  const reserveMb = values.fault === 'reserve' ? RESERVE_MB : 0
  const flags = ['--read-only-seconds', '3600', '--disk-reserve-mb', String(reserveMb)]
  const exchange = await ExchangeProcess.prepare(flags, undefined, undefined, data)
  const chaos = new Chaos({
    exchange,
    kills: rounds,
    seed: trial.seed,
    answersMax: ANSWERS_MAX,
    logFile: path.join(trial.folder, 'clients.jsonl'),
    struck: trial.progress('faults', rounds),
    plan: ['kill'],
    verify: () => [],
    end: () => fault.strike(exchange),
    whileDown: () => fault.mend(),
  })
  const { findings, ...figures } = await chaos.run().finally(() => exchange.stop('SIGKILL'))
  const { tookEffect, didNot } = figures.resolved
  return {
    lines: [
      `answers compared: ${JSON.stringify(figures.answers)}`,
      `unknown: ${tookEffect} had taken effect, ${didNot} had not`,
      `lost, undone or impossible: ${findings.length}`,
    ],
    findings,
    figures,
    folders: [data],
  }
})
