/** A thread that fails beside an exchange that continues: another one takes its place. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ThreadStart } from '../../../src/agents/messages.ts'
import { builtPath } from '../../../src/base/package-folder.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { DerivedWorker } from '../../../src/workers/derived-worker.ts'
import { ThreadWorker } from '../../../src/workers/thread-worker.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const threads = builtPath('src/workers')

/** Reports that it is ready, with the number that it was started with; then does what the test wants. */
const member = (then: string) => `
  const { parentPort, workerData } = require('node:worker_threads')
  const gate = new Int32Array(workerData)
  Atomics.compareExchange(gate, 0, 0, 1)
  Atomics.notify(gate, 0)
  parentPort.on('message', (message) => {
    if (message.order === undefined) {
      const { index } = message.start
      parentPort.postMessage({ report: 'ready', thread: index })
      ${then}
    } else if (message.order === 'control' || message.order === 'snapshot') {
      parentPort.postMessage({ report: 'applied', number: message.number, said: 'Done.' })
    } else {
      parentPort.postMessage({ report: 'stopped' })
      parentPort.close()
    }
  })`

const folder = folderPerTest()
let worker: DerivedWorker
let log: string[]
let degraded: Map<string, string>
let replaced: (number | undefined)[][]
let begun = 0
let beats = 0

beforeEach(() => {
  log = []
  degraded = new Map()
  replaced = []
  begun = 0
})
afterEach(() => worker.terminate())

function begin(code: string, more: { beats?: () => number; announceMs?: number } = {}): void {
  const file = folder('member.thread.js')
  writeFileSync(file, code)
  const logger = pino({ level: 'error' }, { write: (json) => log.push(JSON.parse(json)) })
  worker = new DerivedWorker({
    time: new RealTime(),
    launch: (events) =>
      new ThreadWorker(
        {
          kind: path.relative(threads, file).replace('.thread.js', ''),
          time: new SharedArrayBuffer(8),
        },
        0,
        {
          log: logger,
          warned: () => {},
          ...events,
        },
      ),
    log: logger,
    degrade: (part, why) => {
      if (why === undefined) degraded.delete(part)
      else degraded.set(part, why)
    },
    replaced: (ended, thread) => replaced.push([ended, thread]),
    pauseMs: 10,
    lookMs: 10,
    ...more,
  })
  worker.begin(() => ({ index: ++begun }) as ThreadStart)
}

test.each([
  ['throws', 'throw new Error("why")', 'why'],
  ['exits', 'process.exit(7)', 'ended with code 7'],
  ['reports a failure', `parentPort.postMessage({ report: 'failed', message: 'why' })`, 'why'],
])('one that %s is replaced by one that starts with the state of that moment', async (_, then, why) => {
  begin(member(`if (index < 4) ${then}`))
  await eventually('the fourth thread', () => (begun === 4 ? true : undefined))
  await worker.ready()
  expect((await worker.snapshot()).said).toBe('Done.')
  expect([...degraded.values()]).toEqual([expect.stringContaining(why)])
  const pauses = (log as unknown as { seconds: number }[]).map(({ seconds }) => seconds)
  expect(pauses).toEqual([0.01, 0.02, 0.04])
  // A thread that ends at once may not have sent its number.
  await eventually('its number', () => (replaced.at(-1)?.[1] === 4 ? true : undefined))
  expect(replaced.every(([ended, thread]) => ended! < thread!)).toBe(true)
})

test('no action waits for one that failed, or hangs', async () => {
  begin(member('if (index === 1) for (;;);'), { announceMs: 20 })
  await worker.ready()
  await worker.notify([])
  await worker.terminate()
  begin(member('if (index === 2) throw new Error("why")'))
  await worker.notify([])
  await expect(worker.snapshot()).rejects.toThrow('why')
})

test('one that hangs is told of, until it continues', async () => {
  begin(member(''), { beats: () => beats })
  await eventually('a sentence', () => (degraded.size > 0 ? true : undefined))
  expect([...degraded.values()][0]).toMatch(/has not moved for 0\.0\d seconds, and may hang\.$/)
  const beating = setInterval(() => beats++, 1)
  await eventually('no sentence', () => (degraded.size === 0 ? true : undefined))
  clearInterval(beating)
})

test('at the end none is replaced, and none is waited for that failed', async () => {
  begin(member('throw new Error("why")'))
  await eventually('a failure', () => (log.length > 0 ? true : undefined))
  await worker.stopped()
  await worker.left()
  const before = begun
  expect(worker.isAwaited).toBe(false)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(begun).toBe(before)
})
