/** What a follower delivers, while servers lag, fail and take each other's place. */
import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Follower, runsOf } from '../../../src/replica/follower.ts'
import {
  CONTROL_JOURNAL,
  OutcomeUnknown,
  type QuorumBlock,
  type QuorumReader,
  QuorumRefusal,
  type SequencedBlock,
} from '../../../src/replica/quorum.ts'
import { PlainQuorum, type PlainReplica } from '../../model/plain-quorum.ts'

const EPOCH = 1
const RUN_BYTES = 40
const JOURNALS = [CONTROL_JOURNAL, 0, 1]

/** The leader's chains, of blocks that are distinguished by their checksums. */
class Writer {
  readonly servers = new PlainQuorum()
  private readonly quorum = this.servers.connect()
  private readonly ends = new Map<number, { position: number; checksum: number }>()
  private count = 0
  private last = 0

  async open(): Promise<void> {
    await this.quorum.open()
    const claim = { epoch: EPOCH, member: 'leader', address: 'http://leader' }
    await this.quorum.takeLead(undefined, claim)
  }

  async append(journals: readonly number[]): Promise<void> {
    const blocks = journals.map((journal): QuorumBlock => {
      const { position, checksum } = this.ends.get(journal) ?? { position: 0, checksum: 0 }
      const next = { position: position + 1, checksum: ++this.count }
      this.ends.set(journal, next)
      return { journal, ...next, previous: checksum, bytes: new Uint8Array(1 + (this.count % 30)) }
    })
    this.last = await this.quorum.append(EPOCH, blocks, this.last)
  }

  async mark(): Promise<void> {
    await this.quorum.mark(this.last)
  }
}

/** Reads one of several replicas, another one each time it is opened, and fails on demand. */
class RovingReader implements QuorumReader {
  isFailing = false
  private at = 0
  private readonly replicas: readonly PlainReplica[]

  constructor(replicas: readonly PlainReplica[]) {
    this.replicas = replicas
  }

  private get reader(): QuorumReader {
    if (this.isFailing) throw new OutcomeUnknown('no connection')
    return this.replicas[this.at % this.replicas.length]!.connect()
  }

  async open(): Promise<void> {
    this.isFailing = false
    this.at++
  }

  lead = async () => this.reader.lead()
  follow = async (after: number) => this.reader.follow(after, 50)
  sequenceAt = async (journal: number, position: number) =>
    this.reader.sequenceAt(journal, position)
  checksumAt = async (journal: number, position: number) =>
    this.reader.checksumAt(journal, position)
  ends = async () => this.reader.ends()
  close = async () => {}
}

const steps = fc.array(
  fc.oneof(
    fc.record({
      append: fc.array(fc.constantFrom(...JOURNALS), { minLength: 1, maxLength: 6 }),
    }),
    fc.record({ receive: fc.nat({ max: 1 }), changes: fc.nat({ max: 9 }) }),
    fc.constantFrom('mark', 'fail', 'step', 'step', 'step'),
  ),
  { maxLength: 60 },
)

test('each block is delivered once, in order, in runs of one journal', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const writer = new Writer()
      await writer.open()
      const replicas = [writer.servers.replica(), writer.servers.replica()]
      const reader = new RovingReader(replicas)
      const delivered: SequencedBlock[] = []
      const deliver = async (journal: number, run: readonly SequencedBlock[]) => {
        const bytes = run.reduce((sum, block) => sum + block.bytes.length, 0)
        expect(run.every((block) => block.journal === journal)).toBe(true)
        expect(run.length === 1 || bytes <= RUN_BYTES).toBe(true)
        delivered.push(...run)
      }
      const follower = new Follower({
        reader,
        cursor: 0,
        ends: new Map(),
        deliver,
        runBytes: RUN_BYTES,
      })
      const step = async () => {
        const before = delivered.length
        try {
          expect(await follower.step()).toBe(delivered.length - before)
        } catch (error) {
          if (!(error instanceof OutcomeUnknown)) throw error
        }
        expect(follower.cursor).toBe(delivered.length)
      }
      for (const it of steps) {
        if (it === 'mark') await writer.mark()
        else if (it === 'fail') reader.isFailing = true
        else if (it === 'step') await step()
        else if ('append' in it) await writer.append(it.append)
        else replicas[it.receive]!.receive(it.changes)
      }
      await writer.mark()
      for (const replica of replicas) replica.receive()
      const all = writer.servers.confirmedBlocks()
      for (let left = all.length + 3; left > 0; left--) await step()
      deepStrictEqual(
        delivered.map(({ sequence, checksum }) => [sequence, checksum]),
        all.map(({ sequence, checksum }) => [sequence, checksum]),
      )
      expect(follower.lag).toBe(0)
    }),
    { numRuns: 200 },
  )
})

test('a block that does not follow is delivered to no journal', async () => {
  const writer = new Writer()
  await writer.open()
  await writer.append([0, 0])
  await writer.mark()
  const delivered: number[] = []
  const follower = new Follower({
    reader: writer.servers.connectReader(),
    cursor: 0,
    runBytes: RUN_BYTES,
    ends: new Map([[0, { position: 0, checksum: 9 }]]),
    deliver: async (_, run) => void delivered.push(run.length),
  })
  await expect(follower.step()).rejects.toThrow(QuorumRefusal)
  expect(delivered).toEqual([])
})

test('blocks that were removed are named', async () => {
  const writer = new Writer()
  await writer.open()
  await writer.append([0, 0, 0])
  await writer.mark()
  const follower = new Follower({
    reader: writer.servers.connectReader(),
    cursor: 1,
    runBytes: RUN_BYTES,
    ends: new Map(),
    deliver: async () => {},
  })
  await expect(follower.step()).rejects.toThrow(
    'Block 1 of journal-0 is not on the quorum any more',
  )
})

test('a run has one block at least', () => {
  const block = { journal: 0, position: 1, previous: 0, checksum: 1, sequence: 1 }
  const long = { ...block, bytes: new Uint8Array(100) }
  const other = { ...long, journal: 1, sequence: 2 }
  expect([...runsOf([long, other], 10)]).toEqual([[long], [other]])
  expect([...runsOf([], 10)]).toEqual([])
})
