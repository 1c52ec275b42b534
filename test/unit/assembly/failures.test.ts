/** Failures of an embedded exchange's workers, at each moment of its start. */
import { expect, test } from 'vitest'
import { Failures } from '../../../src/assembly/failures.ts'

const never = new Promise(() => {})
const noFailures = (error: Error) => expect.unreachable(error.message)

test('one while workers start rejects the start, and another says nothing more', async () => {
  const failures = new Failures(noFailures)
  const start = failures.orFirst(never)
  failures.note(new Error('first'))
  failures.note(new Error('second'))
  await expect(start).rejects.toThrow('first')
  expect(failures.hasAny).toBe(true)
})

test.each(['before', 'after'])('one %s accounts begin to open rejects the start', async (when) => {
  const failures = new Failures(noFailures)
  await failures.orFirst(Promise.resolve())
  if (when === 'before') failures.note(new Error('matching-0 failed'))
  const opening = failures.orFirst(never)
  if (when === 'after') failures.note(new Error('matching-0 failed'))
  await expect(opening).rejects.toThrow('matching-0 failed')
})

test("one after the start is the program's", () => {
  const seen: string[] = []
  const failures = new Failures(({ message }) => seen.push(message))
  failures.hasStarted()
  failures.note(new Error('first'))
  failures.note(new Error('second'))
  expect(seen).toEqual(['first'])
})
