/** An exchange on a copy of a mark's state, which is ready to take the place of another. */
import { ActionError, type RevertSockets } from '../control/action.ts'
import { copyFolder } from '../journal/replacing.ts'
import { FORK_MANIFEST } from '../journal/states.ts'
import type { Exchange } from './exchange.ts'
import { Door, type LoopGround } from './loop/loop-ground.ts'
import type { MarkedMemory } from './main/marked-memory.ts'
import type { RunningExchange } from './main/running-exchange.ts'

export interface SpareParts {
  readonly memory: MarkedMemory
  /** Called when a worker fails before the exchange has its place. */
  readonly failed: (error: Error) => void
  readonly isPlaced: () => boolean
}

type Begin = (door: Door, own: Omit<SpareParts, 'memory'>) => readonly [LoopGround, Exchange]

export class Spare {
  readonly folder: string
  private readonly door = new Door()
  private readonly started: Promise<RunningExchange>
  private made: readonly [LoopGround, Exchange] | undefined = undefined
  private failure: Error | undefined = undefined
  private isPlaced = false

  constructor(folder: string, copy: string, begin: Begin) {
    this.folder = folder
    const own = {
      failed: (error: Error) => {
        this.failure ??= error
      },
      isPlaced: () => this.isPlaced,
    }
    this.started = copyFolder(copy, folder, (name) => name !== FORK_MANIFEST).then(() => {
      this.made = begin(this.door, own)
      return this.exchange.start()
    })
    this.started.catch(own.failed)
  }

  get ground(): LoopGround {
    return this.made![0]
  }

  get exchange(): Exchange {
    return this.made![1]
  }

  /** Resolves when it would listen. Rejects with ActionError. */
  async ready(): Promise<void> {
    await this.settled()
    if (this.failure === undefined) return
    throw new ActionError(`The spare of the mark failed: ${this.failure.message}`)
  }

  /** Resolves when it would listen, or has failed. */
  private async settled(): Promise<void> {
    await Promise.race([this.door.knocked, this.started.catch(() => {})])
  }

  /** Resolves when it serves clients. */
  serve(sockets: RevertSockets): Promise<RunningExchange> {
    this.isPlaced = true
    if (sockets === 'keep') this.door.keep()
    else this.door.open()
    return this.started
  }

  /** Resolves when nothing of it runs any more. A start that is given up halfway might wait for workers that have left. */
  async drop(): Promise<void> {
    await this.settled()
    if (this.made === undefined) return
    const aborted = this.exchange.abort()
    this.door.shut()
    await Promise.all([aborted, this.started.catch(() => {})])
    await this.exchange.release()
    this.ground.clock?.close()
  }
}
