/**
 * The same scenes on the quorum in PostgreSQL, a primary and two standbys on loopback, and on its plain
 * twin. Then what only PostgreSQL has: settings that do not keep the promise, and servers that hang.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { PostgresReader } from '../../src/replica/postgres-reader.ts'
import {
  type Lead,
  OutcomeUnknown,
  type Quorum,
  type QuorumBlock,
  type QuorumReader,
  QuorumRefusal,
  type SequencedBlock,
} from '../../src/replica/quorum.ts'
import { Replicator } from '../../src/replica/replicator.ts'
import { APPEND_BLOCKS_MAX } from '../../src/replica/statements.ts'
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

const claimOf = (epoch: number) => ({
  epoch,
  member: `member ${epoch}`,
  address: `http://member-${epoch}:8080`,
})

async function leader(stage: Stage, epoch: number): Promise<Quorum> {
  const quorum = stage.connect()
  await opened(quorum)
  await quorum.prepare()
  expect(await quorum.takeLead(await quorum.lead(), claimOf(epoch))).toBe(true)
  return quorum
}

/** A server that starts, or has lost its place, is tried again. */
async function opened(quorum: Quorum | QuorumReader): Promise<void> {
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
async function caughtUp(quorum: Quorum, epoch: number): Promise<number> {
  for (;;) {
    await opened(quorum)
    try {
      return await quorum.beat(epoch)
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error
    }
  }
}

/** Follows until the server shows the watermark: a standby is behind for a while. */
async function followed(
  reader: QuorumReader,
  after: number,
  watermark: number,
): Promise<readonly SequencedBlock[]> {
  for (;;) {
    const found = await reader.follow(after, 1 << 24)
    expect(found.watermark).toBeLessThanOrEqual(watermark)
    if (found.watermark === watermark) return found.blocks
  }
}

const placeOf = ({ position, checksum }: QuorumBlock) => ({ position, checksum })
const plain = ({ journal, position, previous, checksum, bytes }: QuorumBlock) => ({
  journal,
  position,
  previous,
  checksum,
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
    expect(await quorum.beat(1)).toBe(0)
    expect(await quorum.append(1, [first[0]!], 0)).toBe(1)
    expect(await quorum.append(1, [control[0]!, first[1]!, first[2]!, control[1]!], 1)).toBe(5)
    expect(await quorum.beat(1)).toBe(5)
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
    await old.append(1, [one!], 0)
    const seen = await old.lead()
    expect(seen).toMatchObject({ ...claimOf(1), successor: '' })
    await old.nameSuccessor(1, 'any')
    expect(await old.lead()).toMatchObject({ ...claimOf(1), successor: 'any' })
    const next = await leader(stage, 2)
    const late = stage.connect()
    await late.open()
    expect(await late.takeLead(seen, claimOf(3))).toBe(false)
    await expect(old.append(1, [two!], 0)).rejects.toThrow(QuorumRefusal)
    await expect(old.beat(1)).rejects.toThrow(QuorumRefusal)
    await expect(old.nameSuccessor(1, 'any')).rejects.toThrow(QuorumRefusal)
    expect(await next.ends()).toEqual(new Map([[0, placeOf(one!)]]))
    await next.append(2, [two!], 0)
    expect(await next.lead()).toMatchObject({ ...claimOf(2), successor: '' })
    for (const quorum of [old, next, late]) await quorum.close()
  })

  test('a claim fails once the leader beats or names another, or when it lacks too much', async () => {
    const stage = await open()
    const quorum = await leader(stage, 1)
    await quorum.append(1, blocksOf(0, 3), 0)
    const claim = async (expected: Lead | undefined, sequenceMax?: number) => {
      const more = sequenceMax === undefined ? {} : { sequenceMax }
      return quorum.takeLead(expected, { ...claimOf(2), ...more })
    }
    const silent = await quorum.lead()
    await quorum.beat(1)
    expect(await claim(silent)).toBe(false)
    const named = await quorum.lead()
    await quorum.nameSuccessor(1, 'another')
    expect(await claim(named)).toBe(false)
    expect(await claim(await quorum.lead(), 2)).toBe(false)
    expect(await claim(await quorum.lead(), 3)).toBe(true)
    await quorum.close()
  })

  test('a block that does not follow is refused, and all that come with it', async () => {
    const quorum = await leader(await open(), 1)
    const [one, two, three] = blocksOf(0, 3)
    await quorum.append(1, [one!], 0)
    const stranger = { ...two!, previous: one!.checksum + 1 }
    const other = blocksOf(1, 1)
    await expect(quorum.append(1, [...other, stranger], 0)).rejects.toThrow(QuorumRefusal)
    await opened(quorum)
    await expect(quorum.append(1, [three!], 0)).rejects.toThrow(QuorumRefusal)
    await opened(quorum)
    expect(await quorum.ends()).toEqual(new Map([[0, placeOf(one!)]]))
    await quorum.close()
  })

  test('blocks of several journals keep the order of their call, also of several statements', async () => {
    const stage = await open()
    const quorum = await leader(stage, 1)
    const journals = [-1, 0, 1].map((journal) => blocksOf(journal, 3 * APPEND_BLOCKS_MAX))
    const mixed = Array.from({ length: 3 * APPEND_BLOCKS_MAX }, (_, i) =>
      journals.map((blocks) => blocks[i]!),
    ).flat()
    let sent = 0
    const next = (count: number) => mixed.slice(sent, sent + count)
    for (const count of [
      1,
      2,
      APPEND_BLOCKS_MAX,
      APPEND_BLOCKS_MAX + 1,
      4 * APPEND_BLOCKS_MAX + 5,
    ]) {
      expect(await quorum.append(1, next(count), sent)).toBe(sent + count)
      sent += count
    }
    await quorum.mark(sent)
    const [reader] = stage.readers()
    await opened(reader!)
    const blocks = await followed(reader!, 0, sent)
    expect(blocks.map(plain)).toEqual(mixed.slice(0, sent).map(plain))
    expect(blocks.map(({ sequence }) => sequence)).toEqual(
      mixed.slice(0, sent).map((_, i) => i + 1),
    )
    for (const it of [quorum, reader!]) await it.close()
  })

  test('of blocks that do not all follow none is written, wherever the stranger is', async () => {
    const quorum = await leader(await open(), 1)
    const blocks = blocksOf(0, 3 * APPEND_BLOCKS_MAX)
    const others = blocksOf(1, 2)
    const strange = (it: QuorumBlock) => ({ ...it, previous: it.previous + 1 })
    const [one, two, three] = blocks
    const bad: (readonly QuorumBlock[])[] = [
      [strange(one!), two!],
      [one!, strange(two!)],
      [one!, two!, others[0]!, strange(three!)],
      [one!, three!],
      [two!, one!],
      [others[0]!, two!],
      [one!, { ...two!, journal: 1 }],
      [...blocks.slice(0, -1), strange(blocks.at(-1)!)],
      [...blocks, strange(others[0]!)],
    ]
    for (const it of bad) {
      await expect(quorum.append(1, it, 0)).rejects.toThrow(QuorumRefusal)
      await opened(quorum)
      expect(await quorum.ends()).toEqual(new Map())
    }
    expect(await quorum.append(1, blocks, 0)).toBe(blocks.length)
    await quorum.close()
  })

  test('a block that is there already has an unknown outcome, and is not doubled', async () => {
    const quorum = await leader(await open(), 1)
    const [one, two] = blocksOf(0, 2)
    await quorum.append(1, [one!], 0)
    await expect(quorum.append(1, [one!], 0)).rejects.toThrow(OutcomeUnknown)
    await caughtUp(quorum, 1)
    await quorum.append(1, [two!], 0)
    expect((await quorum.read(0, 0, 1 << 20)).length).toBe(2)
    await quorum.close()
  })

  test('the outcome of a cancelled wait, and of a late answer, is unknown', async () => {
    const stage = await open()
    const quorum = await leader(stage, 1)
    const [one, two, three] = blocksOf(0, 3)
    await stage.whileWaitIsCancelled(async () => {
      await expect(quorum.append(1, [one!], 0)).rejects.toThrow(OutcomeUnknown)
    })
    await caughtUp(quorum, 1)
    expect(await quorum.ends()).toEqual(new Map([[0, placeOf(one!)]]))
    await stage.whileAnswerIsLate(async () => {
      await expect(quorum.append(1, [two!], 0)).rejects.toThrow(OutcomeUnknown)
    })
    await caughtUp(quorum, 1)
    expect(await quorum.ends()).toEqual(new Map([[0, placeOf(two!)]]))
    await quorum.append(1, [three!], 0)
    await quorum.close()
  })

  test('readers on any server see all journals in one order, up to the watermark', async () => {
    const stage = await open()
    const readers = stage.readers()
    for (const reader of readers) {
      await opened(reader)
      expect(await reader.lead()).toBeUndefined()
      expect(await reader.follow(0, 1 << 20)).toEqual({ blocks: [], watermark: 0 })
      expect(await reader.ends()).toEqual(new Map())
    }
    const quorum = await leader(stage, 1)
    const [one, two, three] = blocksOf(0, 3)
    const [fact] = blocksOf(-1, 1)
    const [other] = blocksOf(1, 1)
    await quorum.append(1, [one!, fact!], 0)
    await quorum.append(1, [other!, two!], 2)
    for (const reader of readers) {
      const first = await followed(reader, 0, 2)
      expect(first.map(plain)).toEqual([one!, fact!].map(plain))
      expect(first.map(({ sequence }) => sequence)).toEqual([1, 2])
      expect((await reader.follow(0, 1)).blocks.length).toBe(1)
      expect(await reader.follow(2, 1 << 20)).toEqual({ blocks: [], watermark: 2 })
      expect(await reader.sequenceAt(-1, 1)).toBe(2)
      expect(await reader.sequenceAt(1, 1)).toBeUndefined()
      expect(await reader.checksumAt(0, 1)).toBe(one!.checksum)
      expect(await reader.checksumAt(0, 2)).toBeUndefined()
      expect(await reader.lead()).toMatchObject(claimOf(1))
    }
    await quorum.mark(4)
    await quorum.mark(3)
    await quorum.append(1, [three!], 4)
    for (const reader of readers) {
      expect((await followed(reader, 2, 4)).map(plain)).toEqual([other!, two!].map(plain))
      expect(await reader.ends()).toEqual(
        new Map([
          [-1, placeOf(fact!)],
          [0, placeOf(two!)],
          [1, placeOf(other!)],
        ]),
      )
      await reader.close()
    }
    await quorum.close()
  })

  test('no reader sees a block whose wait was cancelled before a beat is on the quorum', async () => {
    const stage = await open()
    const quorum = await leader(stage, 1)
    const [one, two] = blocksOf(0, 2)
    await quorum.append(1, [one!], 0)
    await quorum.mark(1)
    const readers = stage.readers()
    for (const reader of readers) await opened(reader)
    await stage.whileWaitIsCancelled(async () => {
      await expect(quorum.append(1, [two!], 1)).rejects.toThrow(OutcomeUnknown)
    })
    for (const reader of readers) {
      expect((await followed(reader, 0, 1)).map(plain)).toEqual([plain(one!)])
    }
    const proven = await caughtUp(quorum, 1)
    expect(proven).toBe(2)
    await quorum.mark(proven)
    for (const reader of readers) {
      expect((await followed(reader, 1, 2)).map(plain)).toEqual([plain(two!)])
      await reader.close()
    }
    await quorum.close()
  })

  test('a replicator continues over a restart and a failover', async () => {
    const stage = await open('alone')
    const quorum = await leader(stage, 1)
    const journal = new OfferingJournal(0, 'first')
    const ends = new Map()
    const replicator = new Replicator({ quorum, epoch: 1, sources: [journal], ends, watermark: 0 })
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
    await replicator.mark()
    const [reader] = stage.readers()
    await opened(reader!)
    const { blocks, watermark } = await reader!.follow(0, 1 << 20)
    expect(watermark).toBe(5)
    expect(blocks.map(plain)).toEqual(journal.blocks.map(plain))
    await reader!.close()
    expect((await quorum.read(0, 0, 1 << 20)).map(plain)).toEqual(journal.blocks.map(plain))
    await quorum.close()
    await stage.close()
  })
})

test('servers that wait for no standby are not trusted, before and while they are used', async () => {
  const stage = await PostgresStage.on(servers, 'unsafe')
  const quorum = await leader(stage, 1)
  const [one, two] = blocksOf(0, 2)
  await quorum.append(1, [one!], 0)
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
  expect(await quorum.append(1, [two!], 0).catch((error) => error)).toBeInstanceOf(OutcomeUnknown)
  await names('ANY 1 (*)')
  await caughtUp(quorum, 1)
  expect(await quorum.ends()).toEqual(new Map([[0, placeOf(one!)]]))
  await quorum.append(1, [two!], 0)
  await quorum.close()
})

test.each([
  1,
  3,
  2 * APPEND_BLOCKS_MAX,
])('a leader that loses the lead while %i of its blocks wait writes none', async (count) => {
  const database = `lost_${count}`
  const stage = await PostgresStage.on(servers, database)
  const quorum = await leader(stage, 1)
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
  await servers.primary.session(async (ask) => {
    await ask('BEGIN')
    await ask("UPDATE ringbook_leader SET epoch = 2, member = 'member 2'")
    const refused = expect(quorum.append(1, blocksOf(0, count), 0)).rejects.toThrow(QuorumRefusal)
    await expect.poll(() => servers.primary.query(waiting)).toHaveLength(1)
    await ask('COMMIT')
    await refused
  }, database)
  await opened(quorum)
  expect(await quorum.ends()).toEqual(new Map())
  await quorum.close()
})

test('a primary that hangs and comes back doubles nothing', async () => {
  const stage = await PostgresStage.on(servers, 'hanging')
  const quorum = await leader(stage, 1)
  const journal = new OfferingJournal(0, 'first')
  const ends = new Map()
  const replicator = new Replicator({ quorum, epoch: 1, sources: [journal], ends, watermark: 0 })
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

test('tables of another layout are refused in one sentence, and not changed', async () => {
  const stage = await PostgresStage.on(servers, 'elsewhere')
  const quorum = await leader(stage, 1)
  await servers.primary.query('UPDATE ringbook_leader SET layout = 1', 'elsewhere')
  await servers.primary.query('DROP TABLE ringbook_watermark', 'elsewhere')
  const sentence = /^The tables of the quorum have layout 1, and this Ringbook uses layout \d+: /
  await expect(quorum.prepare()).rejects.toThrow(sentence)
  const [reader, onStandby] = stage.readers()
  await expect(reader!.open()).rejects.toThrow(sentence)
  await expect(reader!.follow(0, 1)).rejects.toThrow(sentence)
  for (const it of [quorum, reader!, onStandby!]) await it.close()
  const [row] = await servers.primary.query(
    "SELECT to_regclass('ringbook_watermark') AS it",
    'elsewhere',
  )
  expect(row).toEqual({ it: null })
})

test('a dump that is under way keeps no member from the lead', async () => {
  const stage = await PostgresStage.on(servers, 'dumped')
  const quorum = await leader(stage, 1)
  const ask = (text: string) => servers.primary.query(text, 'dumped')
  const dump =
    "BEGIN; LOCK TABLE ringbook_blocks IN ACCESS SHARE MODE; SELECT 'dump', pg_sleep(600)"
  const dumped = ask(dump).catch((error: Error) => error.message)
  const held = `FROM pg_locks WHERE relation = 'ringbook_blocks'::regclass AND mode = 'AccessShareLock'`
  await expect.poll(() => ask(`SELECT pid ${held}`), { timeout: 60_000 }).toHaveLength(1)
  const next = await leader(stage, 2)
  await ask(`SELECT pg_terminate_backend(pid) ${held}`)
  expect(await dumped).toContain('terminat')
  await quorum.close()
  await next.close()
})

test('a reader follows a standby of a standby', async () => {
  const stage = await PostgresStage.on(servers, 'cascade')
  const quorum = await leader(stage, 1)
  const blocks = blocksOf(0, 3)
  for (const [i, block] of blocks.entries()) await quorum.append(1, [block], i)
  await quorum.mark(3)
  const server = await servers.addCascading()
  const url = `postgres://ringbook@127.0.0.1:${server.port}/cascade`
  const reader = new PostgresReader({ url, answerMs: 10_000, time: new RealTime() })
  await opened(reader)
  expect((await followed(reader, 0, 3)).map(plain)).toEqual(blocks.map(plain))
  await reader.close()
  await quorum.close()
})
