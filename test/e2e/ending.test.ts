/**
 * How the process ends when something is in the way: it always does, by itself and in bounded time, with
 * 0 after a clean stop alone, and never by a crash.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess, type ExitReport } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { Trader } from './trader.ts'

const ORDER = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  price: '40000',
  quantity: '0.01',
}
/** In the data folder: what a test puts there, and what a thread does that stands still from then on. */
const FLAG = 'flag'
const STANDING = 'standing'

let exchange: ExchangeProcess
afterEach(async () => {
  delete process.env.NODE_OPTIONS
  await exchange?.remove()
})

const inData = (name: string) => path.join(exchange.data, name)

/** Every exchange that is run from now on runs the code first, in each thread. */
function plant(code: string): void {
  const all = `
    import { existsSync, writeFileSync } from 'node:fs'
    import { isMainThread } from 'node:worker_threads'
    const isOf = (file) => !isMainThread && process.argv[1].endsWith(file)
    const isFlagged = () => existsSync(${JSON.stringify(inData(FLAG))})
    const { wait } = Atomics
    const stand = (ms) => {
      writeFileSync(${JSON.stringify(inData(STANDING))}, '')
      wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    }
    ${code}
  `
  process.env.NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(all)}`
}

const standing = () =>
  eventually('a thread that stands still', () => existsSync(inData(STANDING)) || undefined)

const expectEnd = ({ code, signal, output }: ExitReport, expected: number) =>
  expect([code, signal], output).toEqual([expected, null])

/** Its log goes where nothing can be written. */
async function runMute(): Promise<void> {
  const full = openSync('/dev/full', 'w')
  exchange.launch(full)
  closeSync(full)
  const asked = () => fetch(`http://127.0.0.1:${exchange.adminPort}/readyz`)
  const isReady = () =>
    asked().then(
      ({ ok }) => ok || undefined,
      () => undefined,
    )
  await eventually('an exchange that answers', isReady)
}

test('a log that cannot be written does not keep it from serving or stopping', async () => {
  exchange = await ExchangeProcess.prepare(FEW_THREADS)
  await runMute()
  expect(await new Trader(exchange, 'trader1').place(ORDER)).toMatchObject({ status: 'NEW' })
  expectEnd(await exchange.stop('SIGTERM'), 0)
})

test('nor from the end after the disk refused', async () => {
  exchange = await ExchangeProcess.prepare([...FEW_THREADS, '--read-only-seconds', '0'])
  await runMute()
  execFileSync('prlimit', ['--pid', String(exchange.pid), '--fsize=0'])
  await new Trader(exchange, 'trader1').place(ORDER).catch(() => undefined)
  expectEnd(await exchange.ended(), 1)
})

test('an error that the main thread did not expect ends it, also in the midst of a transaction', async () => {
  exchange = await ExchangeProcess.prepare(FEW_THREADS)
  plant(`
    if (isMainThread) process.on('SIGUSR2', () => { throw new Error('planted') })
    Atomics.wait = (cells, at, value, ms) => wait(cells, at, value, ms < 5 ? 50 : ms)
  `)
  await exchange.run()
  const trader = new Trader(exchange, 'trader1')
  await Promise.all(Array.from({ length: 100 }, () => trader.place(ORDER)))
  const ended = await exchange.stop('SIGUSR2')
  expectEnd(ended, 1)
  expect(ended.output).toContain('planted')
})

test('a stop that a thread holds up is given up, and the log says which', async () => {
  exchange = await ExchangeProcess.prepare([...FEW_THREADS, '--stop-seconds', '3'])
  plant(`
    Atomics.wait = (...given) =>
      isOf('/matching.thread.js') && isFlagged() ? stand() : wait(...given)
  `)
  await exchange.run()
  writeFileSync(inData(FLAG), '')
  await standing()
  const ended = await exchange.stop('SIGTERM')
  expectEnd(ended, 1)
  expect(ended.output).toContain('the stop takes too long and is given up')
  // On a slow machine steps before the matcher's take as long, and it is not the only one.
  expect(ended.output).toMatch(/"threads":\[[^\]]*"matching-0"/)
})

test('a scheduler that does not answer holds up neither start nor stop', async () => {
  exchange = await ExchangeProcess.prepare([...FEW_THREADS, '--stop-seconds', '60'])
  const { PATH } = process.env
  writeFileSync(inData('nice'), '#!/bin/sh\nexec sleep 90\n', { mode: 0o755 })
  process.env.PATH = `${exchange.data}:${PATH}`
  await exchange.run().finally(() => {
    process.env.PATH = PATH
  })
  expectEnd(await exchange.stop('SIGTERM'), 0)
})

test('a stop that comes before anything was accepted ends the start, wherever it is', async () => {
  exchange = await ExchangeProcess.start(FEW_THREADS)
  expectEnd(await exchange.stop('SIGTERM'), 0)
  // In the midst of a journal's first transaction, until the signal has come.
  plant(`
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    if (isMainThread) process.on('SIGTERM', () => writeFileSync(${JSON.stringify(inData(FLAG))}, ''))
    if (isOf('/matching.thread.js')) {
      const { statfsSync } = fs
      fs.statfsSync = (...given) => {
        while (!isFlagged()) stand(10)
        return statfsSync(...given)
      }
      syncBuiltinESMExports()
    }
  `)
  exchange.launch()
  await standing()
  const ended = await exchange.stop('SIGTERM')
  expectEnd(ended, 0)
  expect(ended.output).toContain('stopped before it had started')
})

test('a port that is taken after it was probed ends the start in a sentence', async () => {
  exchange = await ExchangeProcess.prepare(FEW_THREADS)
  plant(`
    import net from 'node:net'
    if (isMainThread) {
      const { close } = net.Server.prototype
      net.Server.prototype.close = function (closed) {
        if (this.address()?.port !== ${exchange.port}) return close.call(this, closed)
        net.Server.prototype.close = close
        const taken = { host: '127.0.0.1', port: ${exchange.port}, exclusive: true }
        return close.call(this, () => net.createServer().listen(taken, closed).unref())
      }
    }
  `)
  const ended = await exchange.launch()
  expectEnd(ended, 1)
  expect(ended.output).toBe(
    `Port ${exchange.port} on 127.0.0.1 cannot be listened on. Pass another --port.\n`,
  )
})
