/** Shows what each command made an engine write, before its matcher does anything with it. */
import { unreachable } from '../../src/base/assert.ts'
import type { Ms } from '../../src/base/units.ts'
import { Counter } from '../../src/core/matching/counters.ts'
import type { Engine } from '../../src/core/matching/engine.ts'
import type { EngineOutput } from '../../src/core/matching/output.ts'
import type { Wallet } from '../../src/core/wallet/wallet.ts'
import { RecordHeader } from '../../src/layout/accessors.gen.ts'
import type { RecordBuffer } from '../../src/layout/record-buffer.ts'
import { WALLET } from '../../src/market/listing.ts'
import { type Command, decode, decodeWallet, type WalletCommand } from './commands.ts'
import { type NamedRecord, readRecords } from './records.ts'

/** One command's execution: its sender, from the ring's slot, and all that it caused. */
export interface Execution<Executed = Command> {
  readonly symbolId: number
  readonly gateway: number
  readonly correlation: number
  readonly timeMs: Ms
  /** By which it has expired or not. */
  readonly clockMs: Ms
  readonly command: Executed
  readonly records: readonly NamedRecord[]
  /** The symbol's last event after it. */
  readonly sequence: number
}

/** What a further batch added to a command that the one before had no room for. */
export type Continuation = Pick<Execution, 'symbolId' | 'timeMs' | 'records'>

export interface Watch {
  executed(execution: Execution): void
  /** Left out where every batch has room for all. */
  wentOn?(continuation: Continuation): void
  /** The time at which a phase ends by itself has come. Left out where none does. */
  phaseEnded?(symbolId: number): void
  /** Countdowns up to this moment are over. */
  countdownsExpired?(symbolId: number, clockMs: Ms): void
}

/** From now on the engine reports each command that it executes or continues. */
export function watchEngine(engine: Engine, watch: Watch): void {
  const { output } = engine
  const execute = engine.execute.bind(engine)
  engine.execute = (commands: RecordBuffer, at: number, timeMs: Ms, clockMs: Ms) => {
    const { eventsEnd, repliesEnd } = output
    const gateway = RecordHeader.gateway(commands, at)
    const correlation = RecordHeader.correlation(commands, at)
    const command = decode(commands, at)
    execute(commands, at, timeMs, clockMs)
    const records = [
      ...readRecords(output.events, eventsEnd, output.eventsEnd),
      ...readRecords(output.replies, repliesEnd, output.repliesEnd),
    ]
    const sequence = engine.counters[Counter.sequence]!
    const asked = { symbolId: engine.spec.id, gateway, correlation, command, records }
    watch.executed({ ...asked, timeMs, clockMs, sequence })
  }
  const endPhase = engine.endPhase.bind(engine)
  engine.endPhase = () => {
    endPhase()
    if (watch.phaseEnded === undefined) unreachable('no phase ends by itself')
    watch.phaseEnded(engine.spec.id)
  }
  const expireCountdowns = engine.expireCountdowns.bind(engine)
  engine.expireCountdowns = (clockMs: Ms) => {
    expireCountdowns(clockMs)
    watch.countdownsExpired?.(engine.spec.id, clockMs)
  }
  const goOn = engine.goOn.bind(engine)
  engine.goOn = (timeMs: Ms) => {
    const { eventsEnd } = output
    goOn(timeMs)
    const records = readRecords(output.events, eventsEnd, output.eventsEnd)
    if (watch.wentOn === undefined) unreachable('a batch has room for all')
    watch.wentOn({ symbolId: engine.spec.id, timeMs, records })
  }
}

/** What the wallet did because its time had come. */
export type WalletFiring = Pick<Execution, 'timeMs' | 'clockMs' | 'records'>

export interface WalletWatch {
  walletExecuted(execution: Execution<WalletCommand>): void
  walletFired(firing: WalletFiring): void
}

/** From now on the wallet reports each command that it executes, and all that it does by itself. */
export function watchWallet(wallet: Wallet, output: EngineOutput, watch: WalletWatch): void {
  const execute = wallet.execute.bind(wallet)
  wallet.execute = (commands, at, timeMs, clockMs = timeMs) => {
    const { eventsEnd, repliesEnd } = output
    const gateway = RecordHeader.gateway(commands, at)
    const correlation = RecordHeader.correlation(commands, at)
    const command = decodeWallet(commands, at)
    execute(commands, at, timeMs, clockMs)
    const records = [
      ...readRecords(output.events, eventsEnd, output.eventsEnd),
      ...readRecords(output.replies, repliesEnd, output.repliesEnd),
    ]
    const asked = { symbolId: WALLET, gateway, correlation, command, records }
    watch.walletExecuted({ ...asked, timeMs, clockMs, sequence: wallet.state.sequence })
  }
  const fire = wallet.fire.bind(wallet)
  wallet.fire = (timeMs, clockMs) => {
    const { eventsEnd } = output
    fire(timeMs, clockMs)
    const records = readRecords(output.events, eventsEnd, output.eventsEnd)
    watch.walletFired({ timeMs, clockMs, records })
  }
}
