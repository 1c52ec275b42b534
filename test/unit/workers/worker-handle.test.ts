/** The end of a thread: by its heap, by its own error, and before it began. */
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pino from 'pino'
import { expect, test } from 'vitest'
import { builtPath } from '../../../src/base/package-folder.ts'
import { ThreadWorker } from '../../../src/workers/thread-worker.ts'
import type { HeapBound, WorkerHandle } from '../../../src/workers/worker-handle.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const threads = builtPath('src/workers')
const hungry = 'const kept = []; for (;;) kept.push(new Array(1_000).fill(Math.random()))'

const folder = folderPerTest()

function threadOf(code: string, onFailure: (error: Error) => void, heap?: HeapBound): WorkerHandle {
  const file = folder('hungry.thread.js')
  writeFileSync(file, code)
  const events = { log: pino({ level: 'silent' }), warned: () => {}, onFailure }
  return new ThreadWorker(
    {
      kind: path.relative(threads, file).replace('.thread.js', ''),
      time: new SharedArrayBuffer(8),
    },
    1,
    events,
    heap,
  )
}

const endOf = (code: string, heap?: HeapBound) =>
  new Promise<Error>((resolve) => threadOf(code, resolve, heap))

test('that names the thread, its bound and the flag', async () => {
  const { message, stack } = await endOf(hungry, { megabytes: 32, flag: 'gateway-heap-mb' })
  expect(message).toMatch(/hungry-1 ran out of memory \(32 MiB; --gateway-heap-mb\)$/)
  expect(stack).toBe(message)
})

test('other ends keep their own reason', async () => {
  expect((await endOf('throw new Error("why")')).message).toBe('why')
})

test('a thread that never began has left once it has loaded', async () => {
  const mark = folder('loaded')
  const thread = threadOf(
    `const { workerData } = require('node:worker_threads')
    const cell = new Int32Array(workerData)
    Atomics.wait(cell, 0, 0, 300)
    require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')
    Atomics.compareExchange(cell, 0, 0, 1)
    Atomics.notify(cell, 0)
    Atomics.wait(cell, 0, 1)`,
    () => {},
  )
  await thread.left()
  expect(existsSync(mark)).toBe(true)
  await thread.terminate()
})

test('one that fails while it loads has left', async () => {
  const thread = threadOf('throw new Error("why")', () => {})
  await thread.left()
  await thread.terminate()
})
