/**
 * A leader and members that watch it, over the plain quorum, with clocks that run at one pace: no member that
 * takes the lead over a silence does so while the leader before still takes itself for confirmed. Calls are
 * lost or late, links cut, and processes stand still. A bound that is too long is planted.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SILENCE_MS } from '../../../src/replica/join.ts'
import { LeadWatch } from '../../../src/replica/lead-watch.ts'
import { OutcomeUnknown, type Quorum } from '../../../src/replica/quorum.ts'
import { takeOver } from '../../../src/replica/take-over.ts'
import { ROLE_BYTES, Role, RoleCells } from '../../../src/shared/role.ts'
import { Fault, PlainQuorum } from '../../model/plain-quorum.ts'

interface Step {
  /** The clock's time before the step. */
  readonly ms: number
  readonly who: number
  readonly fault: Fault
  /** How long the answer takes; the caller stands still meanwhile. */
  readonly answerMs: number
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    ms: fc.integer({ min: 1, max: 1_500 }),
    who: fc.nat({ max: 2 }),
    fault: fc.oneof(
      { weight: 4, arbitrary: fc.constant(Fault.none) },
      { weight: 1, arbitrary: fc.constantFrom(...Object.values(Fault)) },
    ),
    answerMs: fc.nat({ max: 2_000 }),
  }),
  { maxLength: 60 },
)

class Member {
  readonly name: string
  readonly watch: LeadWatch
  readonly cells: RoleCells
  private readonly clock: { ms: number }
  private readonly servers: PlainQuorum
  private readonly leaseMs: number
  private epoch: number | undefined = undefined

  constructor(name: string, servers: PlainQuorum, clock: { ms: number }, leaseMs: number) {
    this.name = name
    this.servers = servers
    this.clock = clock
    this.leaseMs = leaseMs
    this.watch = new LeadWatch({ member: name, afterMs: SILENCE_MS, passedMs: 0 })
    const elapsedNs = () => clock.ms * 1_000_000
    this.cells = new RoleCells(new SharedArrayBuffer(ROLE_BYTES), { elapsedNs })
    this.cells.become(Role.FOLLOWER)
  }

  async act(answerMs: number): Promise<void> {
    const quorum = this.slow(answerMs)
    try {
      await quorum.open()
      if (this.epoch !== undefined) await quorum.beat(this.epoch)
      else await this.look(quorum)
    } catch (error) {
      if (error instanceof OutcomeUnknown) return
      // Another member leads.
      this.epoch = undefined
      this.cells.become(Role.FOLLOWER)
    }
  }

  private async look(quorum: Quorum): Promise<void> {
    const passedMs = () => this.clock.ms
    this.watch.saw(await quorum.lead(), passedMs())
    if (this.watch.cause(passedMs()) === undefined) return
    const taken = await takeOver({
      quorum,
      watch: this.watch,
      claimer: { member: this.name, address: '' },
      follower: { cursor: 0, lag: 0 },
      lastEpoch: 0,
      passedMs,
      pause: async () => false,
    })
    if (taken === undefined) return
    this.epoch = taken.epoch
    this.cells.become(Role.LEADER)
  }

  /** Notes what a beat confirms, from the moment before it was sent. */
  private slow(answerMs: number): Quorum {
    const quorum = this.servers.connect()
    const beat = quorum.beat.bind(quorum)
    quorum.beat = async (epoch) => {
      const sinceMs = this.clock.ms
      const sequence = await beat(epoch)
      this.clock.ms += answerMs
      this.cells.confirm(sinceMs + this.leaseMs)
      return sequence
    }
    return quorum
  }
}

/** Throws when two members take themselves for the leader at once. */
async function play(all: readonly Step[], leaseMs: number): Promise<void> {
  const servers = new PlainQuorum()
  const clock = { ms: 0 }
  const members = ['one', 'two', 'three'].map((it) => new Member(it, servers, clock, leaseMs))
  for (const { ms, who, fault, answerMs } of all) {
    clock.ms += ms
    servers.nextFault = () => fault
    await members[who]!.act(answerMs)
    if (fault === Fault.lostRequest) servers.executeLate()
    const leaders = members.filter(({ cells }) => cells.isLeading)
    expect(leaders.length, `at ${clock.ms} ms`).toBeLessThanOrEqual(1)
  }
}

const plays = (leaseMs: number) => fc.asyncProperty(steps, (all) => play(all, leaseMs))

test('at most one member takes itself for the leader at any moment', async () => {
  await fc.assert(plays(SILENCE_MS), { numRuns: 2_000 })
})

test('a confirmation that lasts longer than the silence bound is noticed', async () => {
  const { failed } = await fc.check(plays(2 * SILENCE_MS), { numRuns: 5_000, seed: 7 })
  expect(failed).toBe(true)
})
