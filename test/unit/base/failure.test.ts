/** A failure rejects every wait, and no outcome of a finished wait stays in memory. */
import { expect, test } from 'vitest'
import { Failure } from '../../../src/base/failure.ts'
import { collectGarbage } from '../../sim/collect-garbage.ts'

const never = new Promise<never>(() => {})

test('present and later waits reject with the first error', async () => {
  const failure = new Failure()
  const waits = [failure.orFirst(never), failure.orFirst(never)]
  failure.fail(new Error('first'))
  failure.fail(new Error('second'))
  for (const wait of [...waits, failure.orFirst(never), failure.orFirst(Promise.resolve(1))]) {
    await expect(wait).rejects.toThrow('first')
  }
})

test('a wait that is over before is settled as its promise', async () => {
  const failure = new Failure()
  expect(await failure.orFirst(Promise.resolve(1))).toBe(1)
  await expect(failure.orFirst(Promise.reject(new Error('own')))).rejects.toThrow('own')
  failure.fail(new Error('late'))
})

test('an outcome is not kept', async () => {
  const failure = new Failure()
  const outcomes: WeakRef<object>[] = []
  for (let i = 0; i < 10; i++) {
    outcomes.push(new WeakRef(await failure.orFirst(Promise.resolve({ number: i }))))
  }
  await new Promise(setImmediate)
  collectGarbage()
  expect(outcomes.filter((it) => it.deref() !== undefined)).toEqual([])
  failure.fail(new Error('late'))
})
