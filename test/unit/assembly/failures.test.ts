/** Failures of an exchange's workers, at each moment of its start, and of the start of the next one. */
import { expect, test } from 'vitest'
import type { Exchange } from '../../../src/assembly/exchange.ts'
import { Failures, onlyFirst } from '../../../src/assembly/failures.ts'
import type { Claimed, RunningExchange } from '../../../src/assembly/main/running-exchange.ts'
import { Succession } from '../../../src/assembly/succession.ts'

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

test.each([
  ['a process', true, ['first', 'second']],
  ['an embedding program', false, ['first']],
])("those after the start are the program's: %s", (_, hearsAll, heard) => {
  const seen: string[] = []
  const failed = ({ message }: Error) => void seen.push(message)
  const failures = new Failures(hearsAll ? failed : onlyFirst(failed))
  failures.hasStarted()
  failures.note(new Error('first'))
  failures.note(new Error('second'))
  expect(seen).toEqual(heard)
})

const place = {} as Claimed
const ended = { leave: async () => place } as RunningExchange
const started = { start: async () => ended } as Exchange

test("one while another exchange starts rejects that, and is the program's as well", async () => {
  const seen: string[] = []
  const failures = new Failures(onlyFirst(({ message }) => seen.push(message)))
  const hangs = { start: () => never as Promise<RunningExchange> } as Exchange
  const succession = new Succession((at) => (at === place ? hangs : started), failures)
  await succession.start()
  failures.hasStarted()
  const replacing = succession.replace(() => failures.note(new Error('matching-0 failed')))
  await expect(replacing).rejects.toThrow('matching-0 failed')
  expect(seen).toEqual(['matching-0 failed'])
  await expect(succession.replace(() => {})).rejects.toThrow('The exchange is stopping.')
})
