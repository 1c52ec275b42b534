import { expect, test } from 'vitest'
import { cutOf } from '../../../src/replica/cut.ts'

const note = (member: string, sequence: number, hours: number) => ({
  member,
  address: `http://${member}`,
  sequence,
  seconds: hours * 3_600,
})
const notes = [note('slow', 10, 1), note('gone', 20, 100), note('quick', 90, 0)]

test.each<[what: string, leftOut: string[], hours: number, sequence: number, behind: string[]]>([
  ['behind the member that has least', [], 24, 10, []],
  ['a member that is left out may be behind', ['slow'], 24, 90, ['slow', 'gone']],
  ['a member that was silent for long may be behind', ['slow'], 101, 20, ['slow']],
  ['a silent member that has more is not behind', ['quick'], 24, 10, []],
])('cuts %s', (_, leftOut, hours, sequence, behind) => {
  const cut = cutOf(notes, hours, leftOut)!
  expect(cut.sequence).toBe(sequence)
  expect(cut.leftBehind.map(({ member }) => member)).toEqual(behind)
})

test('cuts nowhere while no member says what it has', () => {
  expect(cutOf([], 24, [])).toBeUndefined()
  expect(cutOf(notes, 24, ['slow', 'quick'])).toBeUndefined()
})
