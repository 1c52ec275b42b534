/**
 * Members that take the lead from each other over the plain quorum, with faults and failovers drawn by
 * fast-check: at most one of them writes, and it has every block that was acknowledged. Left-out steps are
 * planted, and must be found.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Follower } from '../../../src/replica/follower.ts'
import { type Cause, LACK_MAX, LeadWatch } from '../../../src/replica/lead-watch.ts'
import {
  type Lead,
  NO_POINT,
  OutcomeUnknown,
  type Quorum,
  type QuorumPoint,
  QuorumRefusal,
} from '../../../src/replica/quorum.ts'
import { readRest, type TakenOver, takeOver } from '../../../src/replica/take-over.ts'
import { Fault, PlainQuorum } from '../../model/plain-quorum.ts'

const AFTER_MS = 3_000
const PAUSES_MAX = 20

/** A step that is left out, to see whether the test notices. */
type Defect = 'no barrier' | 'no rest' | 'no second look' | 'no claim' | undefined

class Member {
  readonly name: string
  readonly watch: LeadWatch
  readonly follower: Follower
  /** Checksums of the blocks that it has applied, in order. */
  readonly applied: number[] = []
  taken: TakenOver | undefined
  private readonly servers: PlainQuorum
  private readonly defect: Defect
  private readonly reader
  private readonly ends = new Map<number, QuorumPoint>()
  private readonly quorum: Quorum

  constructor(
    name: string,
    servers: PlainQuorum,
    defect: Defect,
    reader = servers.connectReader(),
  ) {
    this.name = name
    this.servers = servers
    this.defect = defect
    this.watch = new LeadWatch({ member: name, afterMs: AFTER_MS, passedMs: 0 })
    this.reader = reader
    this.quorum = servers.connect()
    this.follower = new Follower({
      reader: this.reader,
      cursor: 0,
      ends: new Map(),
      runBytes: 1 << 20,
      deliver: async (journal, blocks) => {
        for (const { position, checksum } of blocks) {
          this.applied.push(checksum)
          this.ends.set(journal, { position, checksum })
        }
      },
    })
  }

  /** Follows what is marked, and sees who leads. */
  async look(passedMs: number): Promise<void> {
    while ((await this.follower.step()) > 0);
    this.watch.saw(await this.reader.lead(), passedMs)
  }

  async lead(passedMs: number, isPatient = true): Promise<boolean> {
    let pauses = 0
    const pause = async () => {
      if (!isPatient) return false
      this.servers.executeLate()
      return ++pauses < PAUSES_MAX
    }
    const quorum = this.planted()
    const claimer = { member: this.name, address: `http://${this.name}` }
    const watch = this.defect === 'no second look' ? this.trusting(passedMs) : this.watch
    const clock = () => passedMs
    const taken = await takeOver({
      quorum,
      watch,
      claimer,
      follower: this.follower,
      lastEpoch: 0,
      passedMs: clock,
      pause,
    })
    if (taken === undefined) return false
    if (this.defect !== 'no rest') {
      const rest = { quorum: this.quorum, follower: this.follower, reader: this.reader }
      if (!(await readRest({ ...rest, taken, passedMs: clock, pause }))) return false
    }
    this.taken = taken
    return true
  }

  /** Writes a block as the leader that it takes itself for. Returns whether it is acknowledged. */
  async write(checksum: number): Promise<boolean> {
    const { position, checksum: previous } = this.ends.get(0) ?? NO_POINT
    const block = { journal: 0, position: position + 1, previous, checksum, bytes: Buffer.of(1) }
    await this.quorum.append(this.taken!.epoch, [block], 0)
    this.ends.set(0, block)
    this.applied.push(checksum)
    return true
  }

  async beat(): Promise<void> {
    await this.quorum.open()
    await this.quorum.beat(this.taken!.epoch)
  }

  /** The cause is decided before the server that accepts writes is seen. */
  private trusting(passedMs: number): Pick<LeadWatch, 'saw' | 'cause'> {
    const cause: Cause | undefined = this.watch.cause(passedMs)
    return { saw: () => {}, cause: () => cause }
  }

  private planted(): Quorum {
    const quorum = this.quorum
    const own = (name: string, replaced: unknown) =>
      new Proxy(quorum, {
        get: (target, key) => {
          if (key === name) return replaced
          const value = target[key as keyof Quorum] as () => unknown
          return value.bind(target)
        },
      })
    if (this.defect === 'no barrier') {
      return own('beat', async () => this.servers.state().blocks.at(-1)?.sequence ?? 0)
    }
    if (this.defect !== 'no claim') return quorum
    // Forgets that a lost answer may have granted the claim.
    return own('lead', async () => {
      const lead = await quorum.lead()
      return lead?.member === this.name ? { ...lead, member: 'another' } : lead
    })
  }
}

/** What happens at one point of a take-over. */
interface Scene {
  readonly faults: readonly Fault[]
  /** Blocks that the first leader writes, and those that followers are shown. */
  readonly blocks: number
  readonly marked: number
  readonly failsOver: boolean
  readonly isAlive: boolean
}

/** Plays one scene: a leader falls silent or not, and two members take over. */
async function play(scene: Scene, defect: Defect): Promise<void> {
  const servers = new PlainQuorum()
  const first = new Member('first', servers, undefined)
  first.watch.saw(undefined, 0)
  expect(await first.lead(AFTER_MS)).toBe(true)
  for (let i = 1; i <= scene.blocks; i++) await first.write(i)
  const leader = servers.connect()
  await leader.open()
  await leader.mark(Math.min(scene.marked, scene.blocks))
  const [two, three] = ['two', 'three'].map((name) => new Member(name, servers, defect))
  for (const member of [two!, three!]) await member.look(0)
  const passedMs = AFTER_MS
  if (scene.isAlive) await first.beat()
  const acknowledged = servers.confirmedBlocks().map(({ checksum }) => checksum)
  const faults = [...scene.faults]
  servers.nextFault = () => faults.shift() ?? Fault.none
  const winners: Member[] = []
  for (const member of [two!, three!]) if (await member.lead(passedMs)) winners.push(member)
  servers.nextFault = () => Fault.none
  if (scene.failsOver) servers.failOver()
  if (scene.isAlive) {
    expect(winners, 'a leader that beats continues').toEqual([])
    return
  }
  expect(winners.length, 'one member wins').toBe(1)
  const [winner] = winners
  expect(winner!.applied.slice(0, acknowledged.length)).toEqual(acknowledged)
  const confirmed = servers.confirmedBlocks().map(({ checksum }) => checksum)
  expect(winner!.applied, 'one history').toEqual(confirmed)
  await winner!.beat()
  expect(await winner!.write(1_000)).toBe(true)
  await expect(first.beat()).rejects.toThrow(QuorumRefusal)
  await expect(first.write(2_000)).rejects.toThrow(QuorumRefusal)
}

const faults = fc.array(fc.constantFrom(...Object.values(Fault)), { maxLength: 6 })
const scenes: fc.Arbitrary<Scene> = fc.record({
  faults,
  blocks: fc.nat({ max: 5 }),
  marked: fc.nat({ max: 5 }),
  failsOver: fc.boolean(),
  isAlive: fc.boolean(),
})

describe('two members whose leader falls silent', () => {
  test('one wins and has every block, whatever is lost on the way', async () => {
    await fc.assert(
      fc.asyncProperty(scenes, (scene) => play(scene, undefined)),
      { numRuns: 300 },
    )
  })

  test.each<[Defect]>([
    ['no barrier'],
    ['no rest'],
    ['no second look'],
    ['no claim'],
  ])('%s is found', async (defect) => {
    const property = fc.asyncProperty(scenes, (scene) => play(scene, defect))
    const { failed } = await fc.check(property, { numRuns: 1_000, seed: 7 })
    expect(failed).toBe(true)
  })
})

test('a member that was asked takes the lead from one that beats', async () => {
  const servers = new PlainQuorum()
  const [one, two] = ['one', 'two'].map((name) => new Member(name, servers, undefined))
  await one!.lead(AFTER_MS)
  await two!.look(0)
  expect(await two!.lead(0)).toBe(false)
  two!.watch.ask()
  expect(await two!.lead(0)).toBe(true)
  await expect(one!.beat()).rejects.toThrow(QuorumRefusal)
})

test('a member that finds no server that accepts writes continues following', async () => {
  const servers = new PlainQuorum()
  const quorum = Object.assign(Object.create(servers.connect()) as Quorum, {
    open: async () => {
      throw new OutcomeUnknown('no server of PostgreSQL accepts writes')
    },
  })
  const taken = await takeOver({
    quorum,
    watch: { saw: () => {}, cause: () => 'silence' as const },
    claimer: { member: 'me', address: '' },
    follower: { cursor: 0, lag: 0 },
    lastEpoch: 0,
    passedMs: () => 0,
    pause: async () => true,
  })
  expect([taken, servers.state().lead]).toEqual([undefined, undefined])
})

test('a member that another one overtakes at its barrier follows', async () => {
  const servers = new PlainQuorum()
  const quorum = servers.connect()
  const rival = servers.connect()
  await rival.open()
  const taken = await takeOver({
    quorum: Object.assign(Object.create(quorum) as Quorum, {
      open: () => quorum.open(),
      prepare: () => quorum.prepare(),
      lead: () => quorum.lead(),
      takeLead: async (expected: Lead | undefined) => {
        await quorum.takeLead(expected, { epoch: 1, member: 'me', address: '' })
        return rival.takeLead(await rival.lead(), { epoch: 2, member: 'rival', address: '' })
      },
      beat: (epoch: number) => quorum.beat(epoch),
    }),
    watch: { saw: () => {}, cause: () => 'silence' },
    claimer: { member: 'me', address: '' },
    follower: { cursor: 0, lag: 0 },
    lastEpoch: 0,
    passedMs: () => 0,
    pause: async () => false,
  })
  expect(taken).toBeUndefined()
  expect(servers.state().lead?.member).toBe('rival')
})

test('a server that shows nothing more is left for the next one', async () => {
  let opened = 0
  const follower = {
    cursor: 0,
    ends: new Map(),
    async step() {
      if (opened === 0) throw new OutcomeUnknown('no answer')
      if (opened < 3) return 0
      this.cursor = 5
      return 5
    },
  }
  const reader = {
    async open() {
      opened++
    },
  }
  const pause = async () => {
    if (opened === 0) opened = 1
    return true
  }
  let beats = 0
  const quorum = {
    open: async () => {},
    mark: async () => {},
    ends: async () => new Map(),
    beat: async () => ++beats,
    lead: async () => undefined,
  }
  let timeMs = 0
  const taken = { epoch: 2, watermark: 5 }
  const options = { quorum, taken, follower, reader, passedMs: () => (timeMs += 200) }
  expect(await readRest({ ...options, pause })).toBe(true)
  expect(beats).toBeGreaterThan(0)
  expect(opened).toBe(3)
  follower.cursor = 0
  opened = 1
  const stops = async () => false
  expect(await readRest({ ...options, pause: stops })).toBe(false)
})

test('a member that is far behind loses to one that is level, and leads when there is none', async () => {
  const servers = new PlainQuorum()
  const [first, level] = ['first', 'level'].map((name) => new Member(name, servers, undefined))
  await first!.lead(AFTER_MS)
  for (let i = 1; i <= LACK_MAX + 1; i++) await first!.write(i)
  const leader = servers.connect()
  await leader.open()
  await leader.mark(LACK_MAX + 1)
  await level!.look(0)
  // Its server shows it no blocks, so it cannot know how far behind it is.
  const standby = servers.replica()
  const behind = new Member('behind', servers, undefined, standby.connect())
  behind.watch.saw(await leader.lead(), 0)
  expect(await behind.lead(AFTER_MS)).toBe(false)
  expect(servers.state().lead?.member).toBe('first')
  standby.receive()
  expect(await behind.lead(2 * AFTER_MS)).toBe(true)
  expect(await level!.lead(2 * AFTER_MS)).toBe(false)
})

test('a claim that waits in the server until the leader beats again overthrows no leader', async () => {
  const servers = new PlainQuorum()
  const [first, late] = ['first', 'late'].map((name) => new Member(name, servers, undefined))
  await first!.lead(AFTER_MS)
  await late!.look(0)
  servers.nextFault = () => Fault.late
  const gaveUp = late!.lead(AFTER_MS, false)
  expect(await gaveUp).toBe(false)
  servers.nextFault = () => Fault.none
  await first!.beat()
  servers.executeLate()
  expect(servers.state().lead).toMatchObject({ member: 'first', epoch: 1 })
})

test.each([
  [0, 2],
  [7, 8],
])('a member that knows of epoch %i claims epoch %i', async (lastEpoch, epoch) => {
  const servers = new PlainQuorum()
  await new Member('first', servers, undefined).lead(AFTER_MS)
  const taken = await takeOver({
    quorum: servers.connect(),
    watch: { saw: () => {}, cause: () => 'silence' as const },
    claimer: { member: 'me', address: '' },
    follower: { cursor: 0, lag: 0 },
    lastEpoch,
    passedMs: () => 0,
    pause: async () => false,
  })
  expect(taken?.epoch).toBe(epoch)
})

test('the rest is marked again when a server is lost, which may have lost the mark', async () => {
  let marks = 0
  let steps = 0
  const follower = {
    cursor: 0,
    ends: new Map(),
    async step() {
      steps++
      if (steps === 2) throw new OutcomeUnknown('no answer')
      if (steps < 4) return 0
      this.cursor = 5
      return 5
    },
  }
  const quorum = {
    open: async () => {},
    beat: async () => 0,
    lead: async () => undefined,
    ends: async () => new Map(),
    mark: async () => {
      marks++
    },
  }
  const options = { quorum, follower, reader: { open: async () => {} }, passedMs: () => 0 }
  const taken = { epoch: 2, watermark: 5 }
  expect(await readRest({ ...options, taken, pause: async () => true })).toBe(true)
  expect([steps, marks]).toEqual([4, 2])
})
