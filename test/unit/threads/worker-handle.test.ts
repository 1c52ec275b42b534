/** A thread that meets the end of its heap ends with a sentence. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pino from 'pino'
import { expect, test } from 'vitest'
import { type HeapBound, WorkerHandle } from '../../../src/threads/worker-handle.ts'

const threads = path.resolve('src/threads')
const hungry = 'const kept = []; for (;;) kept.push(new Array(1_000).fill(Math.random()))'

async function endOf(code: string, heap: HeapBound | undefined): Promise<Error> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-member-'))
  const file = path.join(folder, 'hungry.thread.js')
  writeFileSync(file, code)
  try {
    return await new Promise((resolve) => {
      const events = { log: pino({ level: 'silent' }), warned: () => {}, onFailure: resolve }
      new WorkerHandle(path.relative(threads, file), 1, events, heap)
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('that names the thread, its bound and the flag', async () => {
  const { message, stack } = await endOf(hungry, { megabytes: 32, flag: 'gateway-heap-mb' })
  expect(message).toMatch(/hungry-1 ran out of memory \(32 MiB; --gateway-heap-mb\)$/)
  expect(stack).toBe(message)
})

test('other ends keep their own reason', async () => {
  expect((await endOf('throw new Error("why")', undefined)).message).toBe('why')
})
