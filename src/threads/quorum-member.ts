/**
 * The main thread's end of the replica thread: this exchange as a member of a quorum, which leads it or
 * follows the leader.
 */
import type { Config } from '../config.ts'
import type { CommandExecutor } from '../operator/command-executor.ts'
import type { Fact } from '../operator/facts.ts'
import type { Registry } from '../operator/registry.ts'
import { linesOf } from '../replica/control-facts.ts'
import { ReplicaSlot } from '../replica/slots.ts'
import { Doorbell } from '../ring/doorbell.ts'
import type { RoleCells } from '../shared/role.ts'
import { StartError } from './exclusive.ts'
import type { Regions } from './memory.ts'
import type { Lead } from './open-folder.ts'
import { controlQuorum, type ReplicaMemory, replicaMemory } from './replica-link.ts'
import type { WorkerHandle } from './worker-handle.ts'

export const isMember = ({ durability, follow }: Config): boolean =>
  durability === 'replicated' || follow !== ''

export interface FollowingParts {
  readonly registry: Registry
  readonly regions: Regions
  readonly executor: CommandExecutor
  /** Called when a fact does not apply here; the process must then exit. */
  readonly failed: (error: Error) => void
}

export class QuorumMember {
  readonly worker: WorkerHandle
  /** Shared with the threads that write journals. */
  memory: ReplicaMemory | undefined
  readonly #config: Config
  #parts: FollowingParts | undefined
  /** Facts of an act whose last one has not come yet. */
  #act: string[] = []

  /** `launch` gets what to do when the thread has delivered facts. */
  constructor(config: Config, launch: (delivered: () => void) => WorkerHandle) {
    this.#config = config
    this.worker = launch(() => void this.#applyFacts())
  }

  /** Returns the lead of the quorum, which then has what the folder has. */
  async lead(): Promise<Lead> {
    const { matchers, replicaSeconds } = this.#config
    const memory = replicaMemory(matchers)
    this.memory = memory
    this.worker.begin({ config: this.#config, memory })
    const leads = await this.worker.waitFor('leads')
    const epoch = leads.report === 'leads' ? leads.epoch : 0
    return { epoch, before: controlQuorum(memory, replicaSeconds) }
  }

  /** Resolves when the folder has what the quorum has. */
  async catchUp(): Promise<void> {
    this.worker.begin({ config: this.#config })
    await this.worker.waitFor('follows')
  }

  /** Makes the memory of as many matchers as the leader has. Throws StartError when it did not say. */
  reserve(matchers: number): void {
    if (matchers === 0) {
      throw new StartError('The leader is of a version without followers: start it again first.')
    }
    this.memory = replicaMemory(matchers)
  }

  /** Blocks and facts are delivered from now on: all threads run. */
  follow(parts: FollowingParts): void {
    this.#parts = parts
    const { bells, role } = parts.regions
    this.worker.deliver({ memory: this.memory!, bells, role })
  }

  /** Delivers nothing any more. */
  async stop(): Promise<void> {
    await this.worker.ask('stop', 'stopped')
  }

  /** Resolves when the thread is not inside LMDB, and will not be. */
  async left(): Promise<void> {
    if (this.#config.follow === '') await this.worker.left('leads')
    else await this.worker.leave()
  }

  async #applyFacts(): Promise<void> {
    const { memory } = this
    const parts = this.#parts!
    const slot = new ReplicaSlot(memory!.control)
    const run = slot.take()
    if (run === undefined) return
    try {
      for (const text of linesOf(run.bytes)) await this.#add(text, parts)
    } catch (error) {
      parts.failed(error as Error)
      return
    }
    slot.acknowledge(run.last)
    new Doorbell(memory!.bell).ring()
  }

  /** Applies whole acts, so that what an act decides together is in force together. */
  async #add(text: string, { registry, executor }: FollowingParts): Promise<void> {
    const fact = JSON.parse(text) as Fact
    this.#act.push(text)
    if (fact.fact === 'start') checkPlaces(fact, registry)
    if (fact.fact !== 'act' && fact.fact !== 'start' && fact.fact !== 'journals') return
    await executor.follow(this.#act.splice(0))
  }
}

/** Returns why no act changes anything here; undefined where this member leads. */
export function whyNoActs(role: RoleCells): string | undefined {
  if (role.isLeading) return undefined
  const { leader } = role
  return `This member follows ${leader === '' ? 'another one' : leader}: acts that change something go there.`
}

/** Throws StartError when the leader has other matchers than before. */
function checkPlaces(start: Extract<Fact, { fact: 'start' }>, registry: Registry): void {
  const { matchers, owners = [] } = start
  const isSame = registry.symbols.every(({ id }) => owners[id] === registry.owners[id])
  if (matchers === registry.matchers && isSame) return
  throw new StartError(
    'The leader has begun again with other matchers: this member begins again too.',
  )
}
