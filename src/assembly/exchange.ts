/**
 * The assembly of an exchange: its stages in the order in which they start, each a record of what the later ones
 * need. Production, simulators, tests and embedding programs use it. How it stops is in running-exchange.ts.
 *
 * The stages: both ports and the folder → lead of the quorum, if there is one → control journal → shared memory →
 * snapshot → matchers recover → checkpointer → matchers match → indexer → gateways → snapshots → operators.
 */
import { Phase } from '../agents/memory.ts'
import { elapsedMs } from '../base/time.ts'
import type { RunningExchange } from './main/running-exchange.ts'
import { claimFolderAndPorts } from './stages/claim.ts'
import { openExchange } from './stages/open.ts'
import { operate } from './stages/operate.ts'
import { recover } from './stages/recover.ts'
import { reserveMemory } from './stages/reserve.ts'
import { serveClients } from './stages/serve.ts'
import { type Assembly, Starting } from './stages/starting.ts'
import { beginTrading, watchOver } from './stages/watch.ts'

export class Exchange {
  private readonly starting: Starting

  /** Nothing begins before `start`. */
  constructor(parts: Assembly) {
    this.starting = new Starting(parts)
  }

  /** Resolves when the exchange serves clients. Rejects with StartError, VaultError or JournalDamage. */
  async start(): Promise<RunningExchange> {
    const { starting } = this
    const { wall } = starting.parts.time
    const beganMs = elapsedMs(wall)
    const claimed = await claimFolderAndPorts(starting)
    const opened = await openExchange(starting)
    const reserved = reserveMemory(starting, opened, claimed)
    const recovered = await recover(starting, opened, reserved)
    await serveClients(starting, claimed, opened, reserved, recovered)
    starting.phase.enter(Phase.RUNNING)
    const operated = operate(starting, claimed, opened, reserved, recovered)
    const quoted = await beginTrading(starting, opened, recovered, operated)
    const begun = { claimed, opened, reserved, recovered, operated, quoted, beganMs }
    return watchOver(starting, begun)
  }

  /** Whether clients may have connected, or soon will. */
  get isOpening(): boolean {
    return this.starting.isOpening
  }

  /** Returns the names of the workers that the stop waits for. */
  awaited(): readonly string[] {
    return this.starting.roster.awaited()
  }

  /**
   * Ends every worker without finishing its work: acknowledged orders are on the disk already. May never
   * resolve, when a thread does not leave LMDB.
   */
  async abort(): Promise<void> {
    const { phase, roster } = this.starting
    phase.enter(Phase.ENDING)
    await roster.end()
  }

  /** Gives back what the start has claimed, once it is aborted, where the process continues. */
  release(): Promise<void> {
    return this.starting.release()
  }
}
