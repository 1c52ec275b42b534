/**
 * Watches the machine's clock, on the main thread, and steers the time of all threads by it
 * (clock-judge.ts). A step that is not believed leaves the time as it is: orders, cancels and recvWindow
 * continue by it, and health, metrics and one sentence in the log show it.
 */

import { elapsedMsExactly, type SteeredClock, type Time, type Timer } from '../../base/time.ts'
import { lengthText } from '../../base/time-text.ts'
import type { Ms } from '../../base/units.ts'
import type { MachineClock, MachineReading } from '../../control/action.ts'
import { AGREE_MS, ClockJudge, type Doubt, differs, isGap } from './clock-judge.ts'

/** Between two looks at the machine's clock. */
const LOOK_MS = 100
/** Between two queries to the quorum about a doubted clock. */
const ASK_MS = 5_000
const NAME = 'clock'

export interface ClockWatchParts {
  readonly clock: SteeredClock
  /** The timers of the watch, which no step of the clock moves. */
  readonly time: Pick<Time, 'every'>
  /** --clock-step-seconds, in ms. */
  readonly stepMs: number
  /** Whether a start believes the clock (--accept-clock). */
  readonly accepts: boolean
  readonly degrade: (part: string, why: string | undefined) => void
  readonly log: Record<'info' | 'warn', (fields: object, sentence: string) => void>
}

export class ClockWatch implements MachineClock {
  private readonly parts: ClockWatchParts
  private readonly judge: ClockJudge
  private timer: Timer | undefined = undefined
  private doubt: Doubt | undefined = undefined
  private witness: (() => Promise<boolean>) | undefined = undefined
  private askedMs = Number.NEGATIVE_INFINITY
  /** Whether an exchange of this process had the time before: then no absence is to be explained. */
  private continues = false

  constructor(parts: ClockWatchParts) {
    this.parts = parts
    this.judge = new ClockJudge(parts.stepMs)
  }

  /** Watches from now on. Returns undefined where a program steers the time, or each step is believed. */
  static begin(
    time: Time,
    stepSeconds: number,
    parts: Omit<ClockWatchParts, 'clock' | 'time' | 'stepMs'>,
  ): ClockWatch | undefined {
    const { steered } = time
    if (steered === undefined || stepSeconds === 0) return undefined
    const watch = new ClockWatch({ ...parts, clock: steered, time, stepMs: stepSeconds * 1_000 })
    watch.start()
    return watch
  }

  start(): void {
    const { clock, time } = this.parts
    const elapsedMs = elapsedMsExactly(clock)
    this.continues = clock.isSteered && !clock.isAwaited
    const nowMs = this.continues ? clock.nowMs() : clock.machineMs()
    clock.steer(nowMs, elapsedMs)
    this.judge.trust({ nowMs, elapsedMs })
    this.timer = time.every(LOOK_MS, () => this.look())
  }

  stop(): void {
    this.timer?.cancel()
    // The quorum may still answer.
    this.doubt = undefined
  }

  /** What is journaled ends at `lastMs`, before this start notes anything; 0 for an empty folder. */
  opened(lastMs: Ms): void {
    const { clock, accepts } = this.parts
    if (lastMs === 0 || accepts || this.continues || !isGap(lastMs, clock.machineMs())) return
    const elapsedMs = elapsedMsExactly(clock)
    clock.steer(lastMs, elapsedMs, true)
    this.judge.trust({ nowMs: lastMs, elapsedMs })
    this.look()
  }

  /** `agrees` resolves to whether the majority of a quorum has the time of this machine. */
  askQuorum(agrees: () => Promise<boolean>): void {
    this.witness = agrees
  }

  reading(): MachineReading {
    const { clock } = this.parts
    return { machineMs: clock.machineMs(), nowMs: clock.nowMs(), doubt: this.doubt }
  }

  accept(): void {
    this.believe("an operator believes the machine's clock")
  }

  look(): void {
    const { clock } = this.parts
    const elapsedMs = elapsedMsExactly(clock)
    const { isAwaited } = clock
    const reading = { machineMs: clock.machineMs(), nowMs: clock.nowMs(), elapsedMs, isAwaited }
    const doubt = this.judge.judge(reading)
    if (doubt === undefined && differs(reading)) clock.steer(reading.machineMs, elapsedMs)
    this.note(doubt)
    if (doubt !== undefined) this.ask(elapsedMs)
  }

  private ask(elapsedMs: number): void {
    const witness = this.witness
    if (witness === undefined || elapsedMs - this.askedMs < ASK_MS) return
    this.askedMs = elapsedMs
    const agreed = () => {
      if (this.doubt !== undefined) this.believe('the majority of the quorum has the same time')
    }
    // A quorum that does not answer proves nothing of the clock.
    witness().then(
      (agrees) => agrees && agreed(),
      () => {},
    )
  }

  private believe(why: string): void {
    const { clock, log } = this.parts
    const elapsedMs = elapsedMsExactly(clock)
    const machineMs = clock.machineMs()
    clock.steer(machineMs, elapsedMs)
    this.judge.trust({ nowMs: machineMs, elapsedMs })
    log.info({ why }, "goes by the machine's clock")
    this.note(undefined)
  }

  private note(doubt: Doubt | undefined): void {
    const { log, degrade } = this.parts
    const before = this.doubt
    this.doubt = doubt
    if ((before === undefined) === (doubt === undefined)) return
    if (doubt === undefined) {
      degrade(NAME, undefined)
      log.info({}, "the machine's clock is doubted no more")
      return
    }
    const why = doubtText(doubt, this.parts.clock.isAwaited)
    degrade(NAME, why)
    log.warn({ aheadMs: Math.round(doubt.aheadMs) }, why)
  }
}

/** Returns the text for the log and for health. */
function doubtText({ aheadMs, believedInMs }: Doubt, isAwaited: boolean): string {
  const ahead = `The machine's clock is ${lengthText(aheadMs)} ahead of`
  const believe = 'clock-accept believes it'
  if (isAwaited) {
    const right = `If it is right, as after a long rest, ${believe}, and so does a start with --accept-clock`
    return `${ahead} the journal's end, so no order is taken. ${right}. Otherwise put it right.`
  }
  const until = believedInMs === undefined ? '' : `${AGREE_MS / 1_000} s without a change or `
  return `${ahead} the exchange's time, which does not follow it: ${until}${believe}.`
}
