/** Bringing an archive up to date in pieces, beside whatever else its thread does. */

import { expect, test } from 'vitest'
import { CatchUp } from '../../../src/agents/indexer-agent.ts'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { Ms } from '../../../src/base/units.ts'

const EVENTS_PER_BLOCK = 10

/** An archive that is so many blocks behind and archives one at a time; `worked` is called for each. */
class Behind {
  readonly isProving = false
  blocks: number
  private readonly worked: () => void

  constructor(blocks: number, worked = () => {}) {
    this.blocks = blocks
    this.worked = worked
  }

  get isCurrent(): boolean {
    return this.blocks === 0
  }

  get waitMs(): number {
    return 0
  }

  blocksLeft(): number {
    return this.blocks
  }

  doWork(): number {
    this.worked()
    this.blocks--
    return EVENTS_PER_BLOCK
  }
}

test('what is little is done at once, without a word', () => {
  const time = new ManualTime(new ManualClock(Ms(0)))
  const said: Record<string, number>[] = []
  const behind = new Behind(3)
  expect(new CatchUp(behind, time, (fields) => said.push(fields)).run(60_000)).toBe(true)
  expect([behind.blocks, said]).toEqual([0, []])
})

test('what is much is left when the time is over, and gone on with', () => {
  const time = new ManualTime(new ManualClock(Ms(0)))
  const said: Record<string, number>[] = []
  const behind = new Behind(10, () => {
    time.clock.advance(700)
  })
  const catchUp = new CatchUp(behind, time, (fields) => said.push(fields))
  expect(catchUp.run(2_000)).toBe(false)
  expect(behind.blocks).toBe(7)
  expect(catchUp.run(50)).toBe(false)
  expect(behind.blocks).toBe(6)
  expect(catchUp.run(60_000)).toBe(true)
  expect(behind.blocks).toBe(0)
  expect(said[0]).toMatchObject({ events: 20, percent: 20 })
  expect(said.at(-1)).toEqual({ events: 100, seconds: 7 })

  // Applied again while it ran: from the beginning again.
  behind.blocks = 4
  said.length = 0
  expect(catchUp.run(60_000)).toBe(true)
  expect(said.at(-1)).toEqual({ events: 40, seconds: 3 })
})
