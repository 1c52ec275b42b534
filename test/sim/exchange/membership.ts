/**
 * The members of a simulated quorum beside its leader, up to two: they come and go, are cut off, follow, note
 * what they have, are left behind by a trim, are seeded from a backup, and take the lead when there is a cause.
 */

import { strictEqual } from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { assert } from '../../../src/base/assert.ts'
import type { ManualClock } from '../../../src/base/manual-time.ts'
import type { Prng } from '../../../src/base/prng.ts'
import { cutOf } from '../../../src/replica/cut.ts'
import { handOver } from '../../../src/replica/handover.ts'
import { ANY_MEMBER } from '../../../src/replica/lead-watch.ts'
import { QuorumRefusal } from '../../../src/replica/quorum.ts'
import type { FalseQuorum } from './false-quorum.ts'
import { loseMachine } from './false-replica.ts'
import type { Machine } from './machine.ts'
import type { WanderingClock } from './wandering-clock.ts'

const SILENT_HOURS = 24
const MACHINE_LOST_CHANCE = 0.4
const PATIENCE_MS = 5_000
/** Turns after which a member must lead. */
const TURNS_MAX = 2_000
const TOO_FAR_BEHIND = /is not on the quorum any more, and this member lacks it/

export interface MembershipParts {
  readonly prng: Prng
  readonly time: ManualClock
  readonly clock: WanderingClock
  readonly quorum: FalseQuorum
  readonly count: (what: string) => void
  readonly newMachine: (name: string) => Machine
  /** Returns the number of a new process. */
  readonly leader: () => Machine
  /** The folder of the newest backup. */
  readonly backup: () => string | undefined
}

export class Membership {
  /** How many there are to be. */
  readonly count: number
  /** The member that has taken the lead after a handover. */
  heir: Machine | undefined
  /** Whether an operator wants another leader, which waits for no lease of the one that leads. */
  isAsked = false
  private readonly parts: MembershipParts
  private machines: Machine[] = []
  /** By name of a member: the sequence up to which its folder has all. */
  private readonly notes = new Map<string, number>()
  /** The quorum has no more than the newest blocks of what is up to here. */
  private trimmedTo = 0

  constructor(parts: MembershipParts) {
    this.parts = parts
    this.count = parts.prng.pick([0, 1, 2])
  }

  get running(): number {
    return this.runningMachines.length
  }

  /** Whether a leader that is cut off has a successor. */
  get mayBeCut(): boolean {
    return this.runningMachines.some(({ isCut }) => !isCut)
  }

  private get runningMachines(): readonly Machine[] {
    return this.machines.filter(({ isFollowing }) => isFollowing)
  }

  /** Running members that have all there is. */
  level(): readonly Machine[] {
    const { blocks } = this.parts.quorum.servers.state()
    const last = blocks.at(-1)?.sequence
    return this.runningMachines.filter((it) => it.cursor === last)
  }

  /** What one of them does. Resolves to the one that has taken the lead. */
  async step(): Promise<Machine | undefined> {
    const { prng, leader, count } = this.parts
    const dice = prng.unit()
    if (dice < 0.3) return this.turn()
    if (dice < 0.306) this.note(prng.pick([leader(), ...this.runningMachines]))
    else if (dice < 0.309) this.trim()
    else if (dice < 0.319) await this.start()
    else if (dice < 0.321) this.end()
    else if (dice < 0.325) this.cut()
    else if (dice < 0.329 && this.running > 0) {
      prng.pick(this.runningMachines).askToLead()
      this.isAsked = true
      count('asked to lead')
    }
    return undefined
  }

  /** All act, while no leader beats. Resolves to the one that has taken the lead. */
  async succeed(): Promise<Machine | undefined> {
    for (const machine of this.machines) machine.isCut = false
    await this.ensureOne()
    for (const machine of this.runningMachines) await this.turnOne(machine)
    const causes = this.runningMachines.filter(({ shallLead }) => shallLead)
    const leads = await Promise.all(causes.map((it) => it.takeOver()))
    const heirs = causes.filter((_, at) => leads[at] !== undefined)
    assert(heirs.length <= 1, 'one member leads')
    return heirs[0]
  }

  /** The leader, which has stopped, hands the lead over. Resolves to whether another member leads. */
  async handOver(): Promise<boolean> {
    const { prng, time, clock, leader, count } = this.parts
    const replica = leader().replica!
    const successor = prng.chance(0.5) ? ANY_MEMBER : prng.pick(this.runningMachines).member
    await replica.connection.open()
    const isDone = await handOver({
      quorum: replica.connection,
      epoch: replica.epoch,
      successor,
      patienceMs: PATIENCE_MS,
      passedMs: () => time.passedMs,
      pause: async () => {
        clock.advance(prng.between(20, 200))
        this.heir ??= await this.succeed()
        return true
      },
    })
    assert(isDone === (this.heir !== undefined), 'a leader knows whether it has handed over')
    if (isDone) count('handed over')
    return isDone
  }

  /** The heir leads, and the leader before may come back as one that follows. */
  replace(heir: Machine, before: Machine): void {
    const { prng, count } = this.parts
    this.heir = undefined
    this.isAsked = false
    this.machines = this.machines.filter((it) => it !== heir)
    this.machines.push(before)
    if (!prng.chance(MACHINE_LOST_CHANCE)) return
    loseMachine(before.folder)
    before.mayLack = true
    count('machine lost')
  }

  bury(): void {
    for (const machine of this.machines) machine.bury()
  }

  private async turn(): Promise<Machine | undefined> {
    if (this.running === 0) return undefined
    const machine = this.parts.prng.pick(this.runningMachines)
    await this.turnOne(machine)
    if (!machine.isFollowing || machine.isCut || !machine.shallLead) return undefined
    const isLeading = (await machine.takeOver()) !== undefined
    return isLeading ? machine : undefined
  }

  private async turnOne(machine: Machine): Promise<void> {
    try {
      if (!(await machine.turn())) return
      this.parts.count('followed a new beginning')
      machine.bury()
    } catch (error) {
      this.bearLack(machine, error)
      loseMachine(machine.folder)
    }
    await this.follow(machine)
  }

  /** A new one, or one that was stopped. */
  private async start(): Promise<void> {
    const { prng } = this.parts
    if (this.machines.length < this.count) this.machines.push(this.recruit())
    const idle = this.machines.filter(({ isFollowing }) => !isFollowing)
    if (idle.length > 0) await this.follow(prng.pick(idle))
  }

  private recruit(): Machine {
    const { newMachine, leader } = this.parts
    const machine = newMachine(String.fromCharCode('b'.charCodeAt(0) + this.machines.length))
    const key = 'secret.key'
    fs.copyFileSync(path.join(leader().folder, key), path.join(machine.folder, key))
    machine.mayLack = true
    return machine
  }

  private async follow(machine: Machine): Promise<void> {
    const { prng, backup, count } = this.parts
    const seed = backup()
    if (machine.isEmpty && seed !== undefined && prng.chance(0.5)) machine.seedFrom(seed)
    if (await this.mayFollow(machine)) return
    // What is left of it is of no use: the operator empties the folder.
    count('too far behind')
    loseMachine(machine.folder)
    if (seed === undefined) return
    machine.seedFrom(seed)
    if (!(await this.mayFollow(machine))) loseMachine(machine.folder)
  }

  /** Resolves to false when the quorum lacks what it needs. */
  private async mayFollow(machine: Machine): Promise<boolean> {
    const { count } = this.parts
    try {
      if (await machine.follow()) {
        count('follows')
        // What it begins with may come from a standby that shows no trim yet.
        machine.mayLack = machine.cursor < this.trimmedTo
        this.note(machine)
      } else machine.bury()
      return true
    } catch (error) {
      this.bearLack(machine, error)
      return false
    }
  }

  /** Ends a machine because the quorum lacks what it needs. Rethrows any other error. */
  private bearLack(machine: Machine, error: unknown): void {
    if (!(error instanceof QuorumRefusal)) throw error
    const isLeftBehind = machine.mayLack && TOO_FAR_BEHIND.test(error.message)
    assert(isLeftBehind, `nobody who lacks nothing is shut out: ${error.message}`)
    machine.bury()
  }

  /** At least one follows, which lacks nothing that the quorum has not. */
  private async ensureOne(): Promise<void> {
    for (let turns = 0; this.running === 0; turns++) {
      assert(turns < TURNS_MAX, 'a member comes to follow')
      for (const machine of this.machines) if (!machine.isFollowing) await this.follow(machine)
    }
  }

  private end(): void {
    const { prng, count } = this.parts
    if (this.running === 0) return
    prng.pick(this.runningMachines).bury()
    count('follower killed')
  }

  private cut(): void {
    const { prng, count } = this.parts
    if (this.running === 0) return
    const machine = prng.pick(this.runningMachines)
    machine.isCut = !machine.isCut
    if (machine.isCut) count('follower cut off')
  }

  /** Notes, as a member does at its start, and each minute. */
  note(machine: Machine): void {
    const { quorum, leader } = this.parts
    const { servers } = quorum
    const sequence = servers.coveredBy(machine.noted())
    const isWhole = machine.process!.wals.every(
      ({ checkpointed, written }) => checkpointed === written,
    )
    if (isWhole && machine === leader()) {
      strictEqual(sequence, servers.watermark, 'a leader notes all that is on its disk')
    }
    this.notes.set(machine.member, sequence)
  }

  /** An operator removes what all have, and may leave one behind that does not run. */
  private trim(): void {
    const { prng, quorum, count } = this.parts
    const idle = this.machines.filter(({ isFollowing, isEmpty }) => !isFollowing && !isEmpty)
    const left = idle.length > 0 && prng.chance(0.3) ? prng.pick(idle) : undefined
    const notes = [...this.notes].map(([member, sequence]) => {
      return { member, address: '', sequence, seconds: 0 }
    })
    const cut = cutOf(notes, SILENT_HOURS, left === undefined ? [] : [left.member])
    if (cut === undefined) return
    if (left !== undefined) {
      left.mayLack = true
      this.notes.delete(left.member)
    }
    quorum.check()
    this.trimmedTo = Math.max(this.trimmedTo, cut.sequence)
    if (quorum.servers.trim(cut.sequence) > 0) count('trimmed')
    if (left !== undefined && cut.leftBehind.length > 0) count('left behind')
  }
}
