/**
 * The mark of an embedded exchange: a copy of its state, and a spare exchange that has started on a copy of that, up to
 * where it would listen. A revert puts the spare behind the same addresses, and begins the next one. There is one mark
 * at a time, which is used by a revert.
 */
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ClockParts } from '../base/participants.ts'
import { Turns } from '../base/turns.ts'
import { ActionError, type MarkBegun, type RevertSockets } from '../control/action.ts'
import type { Marks } from '../control/saved-states.ts'
import { makeFolders } from '../journal/environment.ts'
import { replaceByOpen } from '../journal/replacing.ts'
import { marksFolder, removeMarks } from '../journal/states.ts'
import type { Exchange } from './exchange.ts'
import { LoopGround, type MarkedClock } from './loop/loop-ground.ts'
import { isSameMemory, type MarkedMemory } from './main/marked-memory.ts'
import type { Claimed } from './main/running-exchange.ts'
import { Spare, type SpareParts } from './spare.ts'
import type { Succession } from './succession.ts'

/** What of an exchange is in no journal, at one moment. */
interface Moment {
  readonly memory: MarkedMemory
  readonly clock: MarkedClock | undefined
  /** Clients that take part in the clock. */
  readonly clockParts: ClockParts
}

/** One moment to go back to. */
interface Mark {
  readonly id: string
  readonly copy: string
  readonly moment: Moment
  /** All exchanges of the program have the same. */
  readonly claimed: Claimed
  readonly spare: Spare
}

/** How an exchange was when it took its place. */
interface Seen extends Moment {
  readonly decided: string
}

export interface VenueMarksParts {
  readonly dataFolder: string
  readonly time: ConstructorParameters<typeof LoopGround>[0]['time']
  /** What the exchange that runs stands on. */
  readonly ground: () => LoopGround
  readonly succession: () => Succession
  /** Makes an exchange that waits for its place. */
  readonly assembled: (ground: LoopGround, claimed: Claimed, own: SpareParts) => Exchange
  /** The exchange stands on this from now on. */
  readonly stands: (ground: LoopGround) => void
}

export class VenueMarks implements Marks {
  private readonly parts: VenueMarksParts
  private readonly prefix = randomBytes(3).toString('hex')
  private readonly turns = new Turns()
  /** Folders so far. */
  private made = 0
  private last: Mark | undefined = undefined
  /** How the exchange was behind the last revert. */
  private seen: Seen | undefined = undefined
  private isClosed = false

  constructor(parts: VenueMarksParts) {
    this.parts = parts
  }

  mark(): MarkBegun | { readonly mark: string } {
    const { dataFolder, ground, succession } = this.parts
    if (this.isClosed) throw new ActionError('The exchange is stopping.')
    if (ground().config.tlsCert !== '') throw new ActionError('With TLS there are no marks.')
    if (this.last !== undefined && this.isUnchanged()) return { mark: this.last.id }
    makeFolders(marksFolder(dataFolder), 0o700)
    const folder = this.newFolder('copy')
    const { claimed } = succession().present
    let moment: Moment | undefined
    return {
      folder,
      cut: () => {
        moment = this.look()
      },
      copied: () => this.turns.run(() => this.madeOf(folder, moment!, claimed)),
    }
  }

  revert(id: string, sockets: RevertSockets): Promise<string> {
    return this.turns.run(async () => {
      const mark = this.last
      if (mark === undefined || mark.id !== id) throw new ActionError(this.whyNone(id))
      await mark.spare.ready()
      const { dataFolder, succession, stands, ground } = this.parts
      const { spare, moment } = mark
      const before = ground()
      const swap = () => {
        replaceByOpen(dataFolder, spare.folder)
        // The link that a revert before has left.
        if (before.config.data !== dataFolder) fs.rmSync(before.config.data)
        stands(spare.ground)
        if (moment.clock !== undefined) spare.ground.goOn(moment.clock)
      }
      const handOver = () => {
        spare.ground.gateway.takeOver(before.gateway, moment.clockParts)
        stands(spare.ground)
      }
      await succession().exchangeFor(spare, swap, sockets === 'keep' ? handOver : undefined)
      this.last = undefined
      this.seen = this.look()
      return this.begin(mark.copy, moment, mark.claimed)
    })
  }

  /** Nothing can be marked or reverted to any more; resolves when no spare runs. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.turns.run(() => this.drop())
  }

  /** Once nothing runs. */
  removeAll(): void {
    removeMarks(this.parts.dataFolder)
  }

  private async madeOf(copy: string, moment: Moment, claimed: Claimed): Promise<string> {
    await this.drop()
    if (this.isClosed) throw new ActionError('The exchange is stopping.')
    const id = this.begin(copy, moment, claimed)
    await this.last!.spare.ready()
    return id
  }

  /** Begins a spare. Returns the name of the mark. */
  private begin(copy: string, moment: Moment, claimed: Claimed): string {
    const { assembled, ground, time } = this.parts
    const folder = this.newFolder('spare')
    const spare = new Spare(folder, copy, (door, own) => {
      const config = { ...ground().config, data: folder }
      const stood = new LoopGround({ config, time, begins: moment.clock, door })
      const { memory } = moment
      return [stood, assembled(stood, claimed, { ...own, memory })]
    })
    const id = `${this.prefix}-${this.made}`
    this.last = { id, copy, moment, claimed, spare }
    return id
  }

  private async drop(): Promise<void> {
    const mark = this.last
    this.last = undefined
    this.seen = undefined
    if (mark === undefined) return
    await mark.spare.drop()
    for (const folder of [mark.copy, mark.spare.folder]) {
      fs.rmSync(folder, { recursive: true, force: true })
    }
  }

  private whyNone(id: string): string {
    return id.startsWith(`${this.prefix}-`)
      ? `The mark ${id} was used, or another one was made since.`
      : `${id} is no mark of this exchange.`
  }

  private look(): Seen {
    const ground = this.parts.ground()
    const { clockParts } = ground.gateway
    return { ...this.parts.succession().present.seen(), clock: ground.readClock(), clockParts }
  }

  /** Whether the last mark, which a revert made, is of the present moment. */
  private isUnchanged(): boolean {
    const { seen } = this
    if (seen === undefined) return false
    const now = this.look()
    const isSameTime = isDeepStrictEqual(seen.clock, now.clock)
    const isSameParts = areSameParts(seen.clockParts, now.clockParts)
    const isSame = isSameTime && isSameParts && seen.decided === now.decided
    return isSame && isSameMemory(seen.memory, now.memory)
  }

  private newFolder(kind: 'copy' | 'spare'): string {
    return path.resolve(marksFolder(this.parts.dataFolder), `${kind}-${++this.made}`)
  }
}

function areSameParts(one: ClockParts, other: ClockParts): boolean {
  if (one.size !== other.size) return false
  return [...one].every(([client, part]) => isDeepStrictEqual(part, other.get(client)))
}
