/** The load generator (native-bench/load.cpp) seen from TypeScript. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runNative } from '../harness/native.ts'

export interface LoadOptions {
  readonly port: number
  /** A file that `Plans.write` made. */
  readonly plan: string
  readonly seconds: number
  readonly connections?: number
  readonly warmup?: number
  /** Requests per second, for an open loop. */
  readonly rate?: number
  readonly cycle?: boolean
  readonly require?: string
  /** Requests in flight on each connection of a closed loop. */
  readonly pipeline?: number
  /** Path of a WebSocket: the plan's lines are text frames. */
  readonly websocket?: string
  /** With `websocket`: send each line once, then count what arrives. */
  readonly listen?: boolean
  /** With `listen`: latency counts from the ms since the Unix epoch behind this text. */
  readonly clock?: string
  /** With `listen`: latency counts from the µs since the Unix epoch in the 8 bytes there. */
  readonly micros?: number
  /** With `websocket`: an API key, which the handshake names. */
  readonly key?: string
  /** With `listen`: more connections, which never read. */
  readonly stalled?: number
  /** With `websocket`: the plan is of sessions (native-bench/load/session-load.h). */
  readonly sessions?: boolean
  /** Texts whose answers are counted, by name. */
  readonly counts?: Readonly<Record<string, string>>
}

export interface LoadReport {
  readonly sent: number
  readonly answered: number
  readonly errors: number
  readonly errorTexts: readonly string[]
  readonly seconds: number
  readonly rate: number
  /** Processor time of the generator over the measured time. */
  readonly processorShare: number
  readonly latencyUs: Readonly<
    Record<'p50' | 'p90' | 'p99' | 'p999' | 'p9999' | 'max' | 'mean', number>
  >
  readonly counts: Readonly<Record<string, number>>
}

/** Runs one load; throws when a single answer was wrong. */
export async function load(options: LoadOptions): Promise<LoadReport> {
  const report = await runLoad(options)
  if (report.errors > 0) {
    throw new Error(`${report.errors} wrong answers, first: ${report.errorTexts.join(' | ')}`)
  }
  return report
}

/** Runs one load and answers what came of it, wrong answers included. */
export function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { cycle, listen, sessions, counts, ...valued } = options
  const args = Object.entries(valued).flatMap(([name, value]) => [`--${name}`, String(value)])
  if (cycle) args.push('--cycle')
  if (listen) args.push('--listen')
  if (sessions) args.push('--sessions')
  for (const [name, text] of Object.entries(counts ?? {})) args.push('--count', `${name}=${text}`)
  return runNative<LoadReport>('load', args, options.rate !== undefined)
}

/** What came of an overload (native-bench/load/overload-load.h). */
export interface OverloadReport {
  readonly sent: number
  /** Frames that were due while their connection had enough in flight. */
  readonly withheld: number
  readonly seconds: number
  /** From the last frame that was sent to the last answer. */
  readonly drainSeconds: number
  readonly inFlightMax: number
  readonly others: readonly string[]
  readonly accepted: AnswerReport
  readonly busy: AnswerReport
  readonly other: AnswerReport
}
type AnswerReport = Pick<LoadReport, 'answered' | 'rate' | 'latencyUs'>

/** Overloads the server with a plan of sessions; without a rate, as much as the generator can. */
export function overload(options: LoadOptions): Promise<OverloadReport> {
  const valued = { ...options, pipeline: options.pipeline ?? 1 }
  const args = Object.entries(valued).flatMap(([name, value]) => [`--${name}`, String(value)])
  return runNative<OverloadReport>('load', [...args, '--overload'])
}

/** A folder of plan files; `remove` it. They may hold secrets, so only the owner may read them. */
export class Plans {
  private written = 0
  private readonly folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-plans-'))

  /** Writes one more file and answers its path. */
  write(name: string, text: string): string {
    const file = path.join(this.folder, `${this.written++}-${name}.plan`)
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
