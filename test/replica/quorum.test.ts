/**
 * The same scenes on the quorum in PostgreSQL, a primary and two standbys on loopback, and on its plain
 * twin. Then what only PostgreSQL has: settings that do not keep the promise, and servers that hang.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import {
  OutcomeUnknown,
  type Quorum,
  type QuorumBlock,
  QuorumRefusal,
} from '../../src/replica/quorum.ts'
import { Replicator } from '../../src/replica/replicator.ts'
import { OfferingJournal } from '../model/offering-journal.ts'
import { PlainStage, PostgresStage, type Stage } from './stages.ts'

let servers: PostgresServers
beforeAll(async () => {
  servers = await PostgresServers.start(2)
})
afterAll(() => servers.remove())

/** Blocks of one journal, in order. */
function blocksOf(journal: number, count: number, writer = 'first'): readonly QuorumBlock[] {
  const journalOf = new OfferingJournal(journal, writer)
  for (let i = 0; i < count; i++) journalOf.offer(40 + i * 1_000)
  return journalOf.blocks
}

async function leader(stage: Stage, epoch: number): Promise<Quorum> {
  const quorum = stage.connect()
  await opened(quorum)
  await quorum.prepare()
  expect(await quorum.takeLead(await quorum.lead(), `member ${epoch}`, epoch)).toBe(true)
  return quorum
}

/** A server that starts, or has lost its place, is tried again. */
async function opened(quorum: Quorum): Promise<void> {
  for (;;) {
    try {
      return await quorum.open()
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** Connects again as after an unknown outcome, until a beat is committed. */
async function caughtUp(quorum: Quorum, epoch: number): Promise<void> {
  for (;;) {
    await opened(quorum)
    try {
      return await quorum.beat(epoch)
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error
    }
  }
}

const placeOf = ({ position, checksum }: QuorumBlock) => ({ position, checksum })
const plain = ({ journal, position, previous, checksum, bytes }: QuorumBlock) => ({
  ...{ journal, position, previous, checksum },
  text: Buffer.from(bytes).toString('latin1'),
})

let databases = 0
describe.each<[string, (alone?: 'alone') => Promise<Stage>]>([
  ['the plain twin', async () => new PlainStage()],
  [
    'PostgreSQL',
    (alone) => (alone ? PostgresStage.alone() : PostgresStage.on(servers, `scene_${++databases}`)),
  ],
])('a quorum: %s', (_, open) => {
  test('keeps blocks as they were written', async () => {
    const quorum = await leader(await open(), 1)
    const first = blocksOf(0, 3)
    const control = blocksOf(-1, 2)
    expect(await quorum.ends()).toEqual(new Map())
    await quorum.append(1, [first[0]!])
    await quorum.append(1, [control[0]!, first[1]!, first[2]!, control[1]!])
    expect(await quorum.ends()).toEqual(
      new Map([
        [-1, placeOf(control[1]!)],
        [0, placeOf(first[2]!)],
      ]),
    )
    expect((await quorum.read(0, 0, 1 << 20)).map(plain)).toEqual(first.map(plain))
    expect((await quorum.read(0, 1, 1)).map(plain)).toEqual([plain(first[1]!)])
    expect(await quorum.read(0, 3, 1)).toEqual([])
    expect(await quorum.checksumAt(0, 2)).toBe(first[1]!.checksum)
    expect(await quorum.checksumAt(0, 4)).toBeUndefined()
    await quorum.close()
  })

  test('one member takes the lead, and the one before writes nothing more', async () => {
    const stage = await open()
    const old = await leader(stage, 1)
    const [one, two] = blocksOf(0, 2)
    await old.append(1, [one!])
    const seen = await old.lead()
    expect(seen).toMatchObject({ epoch: 1, member: 'member 1' })
    const next = await leader(stage, 2)
    const late = stage.connect()
    await late.open()
    expect(await late.takeLead(seen, 'member 3', 3)).toBe(false)
    await expect(old.append(1, [two!])).rejects.toThrow(QuorumRefusal)
    await expect(old.beat(1)).rejects.toThrow(QuorumRefusal)
    expect(await next.ends()).toEqual(new Map([[0, placeOf(one!)]]))
    await next.append(2, [two!])
    expect(await next.lead()).toMatchObject({ epoch: 2, member: 'member 2' })
    for (const quorum of [old, next, late]) await quorum.close()
  })

  test('a block that does not follow is refused, and all that come with it', async () => {
    const quorum = await leader(await open(), 1)
    const [one, two, three] = blocksOf(0, 3)
    await quorum.append(1, [one!])
    const stranger = { ...two!, previous: one!.checksum + 1 }
    const other = blocksOf(1, 1)
    await expect(quorum.append(1, [...other, stranger])).rejects.toThrow(QuorumRefusal)
    await opened(quorum)
    await expect(quorum.append(1, [three!])).rejects.toThrow(QuorumRefusal)
    await opened(quorum)
    expect(await quorum.ends()).toEqual(new Map([[0, placeOf(one!)]]))
    await quorum.close()
  })

  test('a block that is there already has an unknown outcome, and is not doubled', async () => {
    const quorum = await leader(await open(), 1)
    const [one, two] = blocksOf(0, 2)
    await quorum.append(1, [one!])
    await expect(quorum.append(1, [one!])).rejects.toThrow(OutcomeUnknown)
    await caughtUp(quorum, 1)
    await quorum.append(1, [two!])
    expect((await quorum.read(0, 0, 1 << 20)).length).toBe(2)
    await quorum.close()
  })

  test('the outcome of a cancelled wait, and of a late answer, is unknown', async () => {
    const stage = await open()
    const quorum = await leader(stage, 1)
    const [one, two, three] = blocksOf(0, 3)
    await stage.whileWaitIsCancelled(async () => {
      await expect(quorum.append(1, [one!])).rejects.toThrow(OutcomeUnknown)
    })
    await caughtUp(quorum, 1)
    expect(await quorum.ends()).toEqual(new Map([[0, placeOf(one!)]]))
    await stage.whileAnswerIsLate(async () => {
      await expect(quorum.append(1, [two!])).rejects.toThrow(OutcomeUnknown)
    })
    await caughtUp(quorum, 1)
    expect(await quorum.ends()).toEqual(new Map([[0, placeOf(two!)]]))
    await quorum.append(1, [three!])
    await quorum.close()
  })

  test('a replicator goes on over a restart and a failover', async () => {
    const stage = await open('alone')
    const quorum = await leader(stage, 1)
    const journal = new OfferingJournal(0, 'first')
    const ends = new Map()
    const replicator = new Replicator({ quorum, epoch: 1, sources: [journal], ends })
    const sent = async () => {
      while (journal.offered().length > 0) {
        await replicator.send().catch((error) => {
          if (!(error instanceof OutcomeUnknown)) throw error
        })
      }
    }
    journal.offer()
    await sent()
    for (const fault of ['restart', 'failOver'] as const) {
      await stage[fault]()
      journal.offer()
      await sent()
      journal.offer()
      await sent()
    }
    expect(journal.acknowledged).toBe(5)
    expect((await quorum.read(0, 0, 1 << 20)).map(plain)).toEqual(journal.blocks.map(plain))
    await quorum.close()
    await stage.close()
  })
})

test('servers that wait for no standby are not trusted, before and while they are used', async () => {
  const stage = await PostgresStage.on(servers, 'unsafe')
  const quorum = await leader(stage, 1)
  const [one, two] = blocksOf(0, 2)
  await quorum.append(1, [one!])
  const names = async (value: string) => {
    await servers.primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${value}'`)
    await servers.primary.query('SELECT pg_reload_conf()')
  }
  await names('')
  const sentence = /waits for no standby/
  // The server's processes read their settings when they next have time.
  for (let isTold = false; !isTold; ) {
    await quorum.open().catch((error) => {
      expect(error).toBeInstanceOf(OutcomeUnknown)
      expect(error.message).toMatch(sentence)
      isTold = true
    })
  }
  expect(await quorum.append(1, [two!]).catch((error) => error)).toBeInstanceOf(OutcomeUnknown)
  await names('ANY 1 (*)')
  await caughtUp(quorum, 1)
  expect(await quorum.ends()).toEqual(new Map([[0, placeOf(one!)]]))
  await quorum.append(1, [two!])
  await quorum.close()
})

test('a primary that hangs and comes back doubles nothing', async () => {
  const stage = await PostgresStage.on(servers, 'hanging')
  const quorum = await leader(stage, 1)
  const journal = new OfferingJournal(0, 'first')
  const replicator = new Replicator({ quorum, epoch: 1, sources: [journal], ends: new Map() })
  for (let i = 0; i < 3; i++) {
    journal.offer()
    servers.primary.hang('SIGSTOP')
    await expect(replicator.send()).rejects.toThrow(OutcomeUnknown)
    servers.primary.hang('SIGCONT')
    while (journal.offered().length > 0) {
      await replicator.send().catch((error) => expect(error).toBeInstanceOf(OutcomeUnknown))
    }
  }
  expect((await quorum.read(0, 0, 1 << 20)).map(plain)).toEqual(journal.blocks.map(plain))
  await quorum.close()
})
