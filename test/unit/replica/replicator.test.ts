/**
 * The replicator over the plain quorum, by random tapes of offers, sends, faults, failovers and a second
 * leader: no acknowledged block is lost or doubled, and none is acknowledged to a leader that lost the
 * lead. Followers of the primary and of a replica see no block that the quorum lacks, and see all blocks
 * in one order without gaps. Each guard that is left out is noticed.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  OutcomeUnknown,
  type Quorum,
  type QuorumPoint,
  type QuorumReader,
  QuorumRefusal,
} from '../../../src/replica/quorum.ts'
import { Replicator } from '../../../src/replica/replicator.ts'
import { OfferingJournal } from '../../model/offering-journal.ts'
import { Fault, type Guards, PlainQuorum } from '../../model/plain-quorum.ts'

type Act = 'send' | 'beat' | 'mark'
type Step =
  | { readonly act: 'offer'; readonly journal: number }
  | { readonly act: Act; readonly fault: Fault }
  | { readonly act: 'receive'; readonly changes: number }
  | { readonly act: 'failOver' | 'restart' | 'executeLate' | 'takeOver' }

const faults = fc.constantFrom(...Object.values(Fault))
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ act: fc.constant('offer' as const), journal: fc.nat(1) }) },
    { weight: 6, arbitrary: fc.record({ act: fc.constant('send' as const), fault: faults }) },
    {
      weight: 3,
      arbitrary: fc.record({ act: fc.constantFrom('beat', 'mark'), fault: faults }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ act: fc.constant('receive' as const), changes: fc.nat(5) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        act: fc.constantFrom('failOver', 'restart', 'executeLate', 'takeOver'),
      }),
    },
  ),
  { maxLength: 60, size: 'max' },
)

/** Makes the quorum of a leader: itself, or one with a planted defect. */
type Wrap = (quorum: Quorum) => Quorum

class Leader {
  readonly journals: readonly OfferingJournal[]
  private readonly replicator: Replicator
  /** Whether it stopped, loudly. */
  hasStopped = false

  constructor(
    quorum: Quorum,
    epoch: number,
    ends: ReadonlyMap<number, QuorumPoint>,
    watermark: number,
  ) {
    this.journals = [0, 1].map((it) => new OfferingJournal(it, `epoch ${epoch}`, ends.get(it)))
    this.replicator = new Replicator({ quorum, epoch, sources: this.journals, ends, watermark })
  }

  async act(act: Act): Promise<void> {
    if (this.hasStopped) return
    try {
      await this.replicator[act]()
    } catch (error) {
      if (error instanceof QuorumRefusal) this.hasStopped = true
      else if (!(error instanceof OutcomeUnknown)) throw error
    }
  }
}

async function lead(servers: PlainQuorum, epoch: number, wrap: Wrap): Promise<Leader> {
  const quorum = wrap(servers.connect())
  await quorum.open()
  const claim = { epoch, member: `member ${epoch}`, address: '' }
  expect(await quorum.takeLead(await quorum.lead(), claim)).toBe(true)
  const watermark = await quorum.beat(epoch)
  return new Leader(quorum, epoch, await quorum.ends(), watermark)
}

/** Plays the steps. Throws when what was acknowledged is not what the quorum has. */
async function play(
  all: readonly Step[],
  { wrap, guards }: { readonly wrap: Wrap; readonly guards?: Partial<Guards> },
): Promise<void> {
  const servers = new PlainQuorum(guards)
  const replica = servers.replica()
  const readers = [servers.connectReader(), replica.connect()]
  const leaders = [await lead(servers, 1, wrap)]
  for (const step of all) {
    // Each leader continues as long as it does not know better.
    if (step.act === 'offer') for (const it of leaders) it.journals[step.journal]!.offer()
    else if (step.act === 'takeOver') leaders.push(await lead(servers, leaders.length + 1, wrap))
    else if (step.act === 'receive') replica.receive(step.changes)
    else if ('fault' in step) {
      servers.nextFault = () => step.fault
      for (const it of leaders) await it.act(step.act)
      servers.nextFault = () => Fault.none
    } else servers[step.act]()
    check(servers, leaders)
    for (const reader of readers) await checkReader(servers, reader)
  }
  const last = leaders.at(-1)!
  for (let tries = 0; tries < 3; tries++) await last.act('send')
  for (let tries = 0; tries < 2; tries++) await last.act('mark')
  check(servers, leaders)
  replica.receive()
  for (const reader of readers) {
    await checkReader(servers, reader)
    const shown = await reader.ends()
    for (const { journal, acknowledged } of last.journals) {
      expect(shown.get(journal)?.position ?? 0, 'followers see all').toBe(acknowledged)
    }
  }
  expect(last.hasStopped, 'the last leader continues').toBe(false)
  for (const { blocks, acknowledged } of last.journals) {
    expect(acknowledged, 'all is acknowledged in the end').toBe(
      blocks.at(-1)?.position ?? acknowledged,
    )
  }
}

function check(servers: PlainQuorum, leaders: readonly Leader[]): void {
  const confirmed = servers.confirmedBlocks()
  for (const journal of [0, 1]) {
    const there = confirmed.filter((it) => it.journal === journal)
    expect(there.map(({ position }) => position)).toEqual(there.map((_, i) => i + 1))
    for (const leader of leaders) {
      for (const block of leader.journals[journal]!.acknowledgedBlocks) {
        expect(there[block.position - 1]?.checksum).toBe(block.checksum)
      }
    }
  }
}

/** A follower sees what the quorum has, from the first block on. */
async function checkReader(servers: PlainQuorum, reader: QuorumReader): Promise<void> {
  const { blocks, watermark } = await reader.follow(0, Number.POSITIVE_INFINITY)
  const confirmed = servers.confirmedBlocks()
  const isRight = blocks.every((block, i) => {
    const there = confirmed[i]
    const isThere = there?.journal === block.journal && there.checksum === block.checksum
    return isThere && block.sequence === i + 1
  })
  expect([blocks.length, isRight]).toEqual([watermark, true])
}

const plays = (options: { readonly wrap: Wrap; readonly guards?: Partial<Guards> }) =>
  fc.asyncProperty(steps, (all) => play(all, options))
const itself: Wrap = (quorum) => quorum

test('nothing acknowledged is lost, doubled or undone', async () => {
  await fc.assert(plays({ wrap: itself }), { numRuns: 1_000 })
})

/** A quorum some of whose calls do something else. */
const changed =
  (changes: (quorum: Quorum) => Partial<Quorum>): Wrap =>
  (quorum) =>
    new Proxy(quorum, {
      get: (target, name: keyof Quorum) => {
        const own = changes(quorum)[name] ?? target[name]
        return own.bind(target)
      },
    })

test.each<[defect: string, options: { wrap: Wrap; guards?: Partial<Guards> }]>([
  ['the fence is left out', { wrap: itself, guards: { fence: false } }],
  ['a retry doubles', { wrap: itself, guards: { chain: false } }],
  [
    'a cancelled wait is trusted',
    {
      wrap: changed((quorum) => ({
        append: (...args) =>
          quorum.append(...args).catch((error) => {
            if (error.message !== 'cancelled wait') throw error
            return args[2]
          }),
      })),
    },
  ],
  [
    'an acknowledgement does not wait for the quorum',
    {
      wrap: changed((quorum) => ({
        append: (...args) =>
          quorum.append(...args).catch((error) => {
            if (!(error instanceof OutcomeUnknown)) throw error
            return args[2]
          }),
      })),
    },
  ],
  ['no beat is committed before looking again', { wrap: changed(() => ({ beat: async () => 0 })) }],
  [
    'the watermark covers the block that carries it',
    {
      wrap: changed((quorum) => ({
        append: (epoch, blocks, watermark) =>
          quorum.append(epoch, blocks, watermark + blocks.length),
      })),
    },
  ],
])('a defect is noticed: %s', async (_, options) => {
  const { failed } = await fc.check(plays(options), { numRuns: 3_000 })
  expect(failed).toBe(true)
})

test('a watermark is shown again after it rose, and after a look: a failover loses a mark', async () => {
  const servers = new PlainQuorum()
  const quorum = servers.connect()
  await quorum.open()
  await quorum.takeLead(undefined, { epoch: 1, member: 'one', address: '' })
  const journal = new OfferingJournal(0, 'one')
  const own = { quorum, epoch: 1, sources: [journal], ends: new Map(), watermark: 0 }
  const replicator = new Replicator(own)
  const shown = async () => (await servers.connectReader().follow(0, 1 << 20)).watermark
  for (let block = 1; block <= 2; block++) {
    journal.offer()
    await replicator.send()
    expect([replicator.isMarked, await shown()], 'a block carries what was before it').toEqual([
      false,
      block - 1,
    ])
    await replicator.mark()
    expect([replicator.isMarked, await shown()]).toEqual([true, block])
  }
  servers.failOver()
  expect(await shown(), 'the mark is lost').toBe(1)
  await expect(replicator.beat()).rejects.toThrow(OutcomeUnknown)
  await replicator.beat()
  expect(replicator.isMarked).toBe(false)
  await replicator.mark()
  expect(await shown()).toBe(2)
})
