/** Neither a member's note nor a removal goes beyond the watermark, whatever is requested. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { PostgresQuorum } from '../../src/replica/postgres-quorum.ts'
import { Retention } from '../../src/replica/retention.ts'
import { OfferingJournal } from '../model/offering-journal.ts'

const ANSWER_MS = 10_000
const BLOCKS = 6
const MARKED = 3

let servers: PostgresServers
beforeAll(async () => {
  servers = await PostgresServers.start(1)
})
afterAll(() => servers.remove())

/** A quorum with blocks; its leader has marked some. */
async function marked(database: string) {
  await servers.primary.query(`CREATE DATABASE ${database}`)
  const options = { url: servers.url(database), answerMs: ANSWER_MS, time: new RealTime() }
  const quorum = new PostgresQuorum(options)
  await quorum.open()
  await quorum.prepare()
  await quorum.takeLead(undefined, { epoch: 1, member: 'a', address: '' })
  const journal = new OfferingJournal(0, 'a')
  for (let i = 0; i < BLOCKS; i++) journal.offer()
  await quorum.append(1, journal.blocks, 0)
  await quorum.mark(MARKED)
  const retention = new Retention(options)
  await retention.open()
  return { quorum, retention }
}

test('a member that has more than is marked notes what is marked', async () => {
  const { quorum, retention } = await marked('notes')
  const note = async (position: number) => {
    await retention.note('a', 'http://a', new Map([[0, position]]))
    return (await retention.members())[0]?.sequence
  }
  expect(await note(BLOCKS)).toBe(MARKED)
  expect(await note(MARKED + 1)).toBe(MARKED)
  expect(await note(MARKED - 1)).toBe(MARKED - 1)
  retention.close()
  await quorum.close()
})

test('a removal that asks for more than is marked stops there', async () => {
  const { quorum, retention } = await marked('removals')
  // The last block up to the cut stays, so that a member that has it can continue.
  expect(await retention.trim(BLOCKS - 1)).toBe(MARKED - 1)
  expect((await quorum.read(0, 0, 1 << 20)).map(({ position }) => position)).toEqual([3, 4, 5, 6])
  retention.close()
  await quorum.close()
})
