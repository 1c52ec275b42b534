/** The action that removes from the quorum what all of its members have. Asks PostgreSQL alone. */

import { hostUrls } from '../base/postgres-url.ts'
import { RealTime } from '../base/real-time.ts'
import { ActionError, type Arguments } from '../control/action.ts'
import { counted } from '../control/words.ts'
import { StorageError } from '../journal/environment.ts'
import { cutOf, type MemberNote } from '../replica/cut.ts'
import { OutcomeUnknown } from '../replica/quorum.ts'
import { Retention } from '../replica/retention.ts'
import type { LocalAction } from './local-action.ts'

const HOURS = 24
const HOURS_MAX = 24 * 365
const ANSWER_MS = 60_000

export const quorumTrim: LocalAction = {
  name: 'quorum-trim',
  group: 'exchange',
  example: 'quorum-trim postgres://ringbook@db1,db2/ringbook',
  about: 'Removes blocks from the quorum that all members have on their disks.',
  isImmediate: true,
  params: [
    { name: 'url', kind: 'text', about: 'Of PostgreSQL, as in --replica.', required: true },
    {
      name: 'hours',
      kind: 'integer',
      about: `Members that were silent for longer are left behind; ${HOURS} when left out.`,
    },
    { name: 'without', kind: 'text', about: 'Members to leave behind and forget, with commas.' },
  ],
  run: trimQuorum,
}

async function trimQuorum(args: Arguments): Promise<string> {
  const url = args.text('url')
  if (hostUrls(url) === undefined) {
    throw new ActionError('url must be an address, as postgres://user@host1,host2/database.')
  }
  const hours = args.has('hours') ? args.integer('hours', 1, HOURS_MAX) : HOURS
  const without = args.has('without') ? args.text('without').split(',') : []
  const retention = new Retention({ url, answerMs: ANSWER_MS, time: new RealTime() })
  try {
    if (!(await retention.open())) throw new ActionError('The database has no tables of Ringbook.')
    return await trim(retention, hours, without)
  } catch (error) {
    if (!(error instanceof OutcomeUnknown || error instanceof StorageError)) throw error
    throw new ActionError(error.message)
  } finally {
    retention.close()
  }
}

async function trim(
  retention: Retention,
  hours: number,
  without: readonly string[],
): Promise<string> {
  const notes = await retention.members()
  const stranger = without.find((name) => notes.every(({ member }) => member !== name))
  if (stranger !== undefined) throw new ActionError(`There is no member ${stranger}.`)
  const cut = cutOf(notes, hours, without)
  if (cut === undefined) {
    throw new ActionError(
      `No member has said within ${hours} hours what it has: nothing is removed.`,
    )
  }
  const removed = await retention.trim(cut.sequence)
  if (without.length > 0) await retention.forget(without)
  const { first, watermark } = await retention.shown()
  const lines = [
    `Removed ${counted(removed, 'block')} up to sequence ${cut.sequence}; the quorum has ${first} ` +
      `to ${watermark}.`,
    ...cut.leftBehind.map((note) => `${lineOf(note)}: it needs --seed-from when it starts again.`),
    ...notes.filter((note) => !cut.leftBehind.includes(note)).map(lineOf),
  ]
  return `${lines.join('\n')}\n`
}

const lineOf = ({ member, address, sequence, seconds }: MemberNote): string =>
  `${member} (${address}) has all up to ${sequence}, noted ${Math.round(seconds)} s ago`
