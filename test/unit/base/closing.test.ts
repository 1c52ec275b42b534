import { expect, test } from 'vitest'
import { orClose } from '../../../src/base/closing.ts'

const opened = (closed: string[]) =>
  ['first', 'second'].map((name) => ({ close: () => closed.push(name) }))

test('what succeeds closes nothing', () => {
  const closed: string[] = []
  expect(orClose(opened(closed), () => 7)).toBe(7)
  expect(closed).toEqual([])
})

test('what fails closes everything, and says why it failed', () => {
  const closed: string[] = []
  const failing = () => {
    throw new Error('planted')
  }
  expect(() => orClose(opened(closed), failing)).toThrow('planted')
  expect(closed).toEqual(['first', 'second'])
})
