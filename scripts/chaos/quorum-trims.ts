/** What an operator removes from the quorum while members run, and while one does not. */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { RealTime } from '../../src/base/real-time.ts'
import { journalsIn } from '../../src/journal/recovery.ts'
import { cutOf } from '../../src/replica/cut.ts'
import { localJournal } from '../../src/replica/local-journals.ts'
import { CONTROL_JOURNAL } from '../../src/replica/quorum.ts'
import { Retention } from '../../src/replica/retention.ts'

const ANSWER_MS = 15_000
const SILENT_HOURS = 24

/** Does the action `quorum-trim`; members `without` are left behind and forgotten. Resolves to blocks removed. */
export function trimQuorum(url: string, without: readonly string[] = []): Promise<number> {
  return withRetention(url, async (retention) => {
    const cut = cutOf(await retention.members(), SILENT_HOURS, without)
    const removed = cut === undefined ? 0 : await retention.trim(cut.sequence)
    if (without.length > 0) await retention.forget(without)
    return removed
  })
}

/**
 * Notes what the folder of a member that does not run has on its disk, as its last note would have it had
 * it come in time.
 */
export function noteStopped(url: string, data: string): Promise<void> {
  return withRetention(url, (retention) => retention.note(nameIn(data), '', placesIn(data)))
}

/** Whether no member has noted less, so that a trim cuts right behind what the stopped one has. */
export function isLeast(url: string, data: string): Promise<boolean> {
  return withRetention(url, async (retention) => {
    const notes = await retention.members()
    const own = notes.find(({ member }) => member === nameIn(data))
    return notes.length > 1 && own?.sequence === notes[0]?.sequence
  })
}

/** Returns the name of the member whose folder it is. */
export const nameIn = (data: string): string =>
  readFileSync(path.join(data, 'replica-member'), 'utf8').split('\n')[0]!

function placesIn(data: string): ReadonlyMap<number, number> {
  const journals = [CONTROL_JOURNAL, ...journalsIn(data)]
  return new Map(
    journals.map((journal) => {
      const opened = localJournal(data, journal, () => {})
      const { last } = opened
      opened.close()
      return [journal, last]
    }),
  )
}

async function withRetention<T>(
  url: string,
  action: (retention: Retention) => Promise<T>,
): Promise<T> {
  const retention = new Retention({ url, answerMs: ANSWER_MS, time: new RealTime() })
  try {
    await retention.open()
    return await action(retention)
  } finally {
    retention.close()
  }
}
