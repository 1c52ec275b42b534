import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Chains } from '../../../../src/core/book/chains.ts'

const RECORDS = 60
/** From one record's number to the next. */
const STEP = 4

/** The records that a search from this home meets, first one first. */
function met(chains: Chains, home: number): number[] {
  const records: number[] = []
  for (let at = chains.homes[home]!; at !== 0; at = chains.next(at)) records.push(at)
  return records
}

test('a home has what was added to it and not removed, newest first', () => {
  const act = fc.record({ home: fc.integer({ min: 0, max: 3 }), pick: fc.nat() })
  fc.assert(
    fc.property(fc.array(act, { maxLength: RECORDS, size: 'max' }), (acts) => {
      const chains = new Chains(new Int32Array(4), new Int32Array((RECORDS + 1) * STEP))
      const added: { home: number; record: number }[] = []
      for (const [index, { home, pick }] of acts.entries()) {
        if (added.length > 0 && pick % 3 === 0) {
          const [gone] = added.splice(pick % added.length, 1)
          chains.remove(gone!.home, gone!.record)
        } else {
          const record = (index + 1) * STEP
          chains.add(home, record)
          added.unshift({ home, record })
        }
        for (let of = 0; of < 4; of++) {
          const expected = added.filter((entry) => entry.home === of).map(({ record }) => record)
          expect(met(chains, of)).toEqual(expected)
        }
      }
    }),
  )
})
