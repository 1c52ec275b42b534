/**
 * Sends alerts by webhook and by command, one after the other and at a bounded rate. A target that fails is tried once
 * again; a message that did not arrive is counted and forgotten.
 */
import { type ExecFileOptions, execFile } from 'node:child_process'
import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import type { Logger } from 'pino'
import { pause, type Time } from '../../base/time.ts'
import type { AlertChange } from '../../telemetry/alert-evaluator.ts'
import type { AlertTargets } from './alert-file.ts'

/** What a receiver is sent. */
export interface AlertMessage extends AlertChange {
  /** The address of the member that sends it. */
  readonly member: string
  /** Such as 2027-01-31T12:00:00.000Z. */
  readonly time: string
}

/** A target that takes longer has failed. */
export const TIMEOUT_MS = 10_000
/** Before the second try. */
const AGAIN_MS = 1_000
/** Between two messages: at most 30 a minute. */
export const GAP_MS = 2_000
/** Messages that wait; those of one evaluation of all alerts fit. */
export const WAITING_MAX = 64
const OUTPUT_BYTES_MAX = 64 * 1_024

/** What a sender counts. */
export interface AlertCounts {
  readonly sent: () => void
  readonly failed: () => void
}

interface SenderParts {
  readonly time: Pick<Time, 'after' | 'nowMs'>
  readonly log: Pick<Logger, 'info'>
  readonly member: string
  readonly counts: AlertCounts
}

export class AlertSender {
  private readonly parts: SenderParts
  private readonly targets: () => AlertTargets
  private waiting: AlertMessage[] = []
  private isSending = false
  private readonly ended = new AbortController()

  /** `targets` returns those in force. */
  constructor(targets: () => AlertTargets, parts: SenderParts) {
    this.targets = targets
    this.parts = parts
  }

  send(change: AlertChange): void {
    if (this.ended.signal.aborted) return
    const { severities, off } = this.targets()
    if (!severities.includes(change.severity) || off.includes(change.name)) return
    const { time, member, counts } = this.parts
    if (this.waiting.length === WAITING_MAX) {
      counts.failed()
      return
    }
    const now = new Date(time.nowMs()).toISOString()
    this.waiting.push({ ...change, member, time: now })
    if (!this.isSending) void this.run()
  }

  /** Ends what is under way; nothing is sent any more. */
  stop(): void {
    this.waiting = []
    this.ended.abort()
  }

  private async run(): Promise<void> {
    this.isSending = true
    for (
      let message = this.waiting.shift();
      message !== undefined;
      message = this.waiting.shift()
    ) {
      const { webhooks, commands } = this.targets()
      const sent = message
      await Promise.all([
        ...webhooks.map((url) =>
          this.deliver(new URL(url).host, (signal) => post(url, sent, signal)),
        ),
        ...commands.map((words) => this.deliver(words[0]!, (signal) => run(words, sent, signal))),
      ])
      await pause(this.parts.time, GAP_MS)
    }
    this.isSending = false
  }

  private async deliver(to: string, attempt: (signal: AbortSignal) => Promise<void>) {
    const { time, counts, log } = this.parts
    for (const isLast of [false, true]) {
      if (this.ended.signal.aborted) return
      try {
        await this.within(attempt)
        return counts.sent()
      } catch (error) {
        // No warning: warnings are an alert themselves.
        log.info({ to, reason: (error as Error).message }, 'an alert did not arrive')
      }
      if (!isLast) await pause(time, AGAIN_MS)
    }
    counts.failed()
  }

  private async within(attempt: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const late = new AbortController()
    const timer = this.parts.time.after(TIMEOUT_MS, () => late.abort())
    try {
      await attempt(AbortSignal.any([late.signal, this.ended.signal]))
    } finally {
      timer.cancel()
    }
  }
}

/** Follows no redirection. Rejects unless the answer is 2xx. */
async function post(url: string, message: AlertMessage, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify(message)
  const { request } = url.startsWith('https:') ? https : http
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
  const sent = request(url, { method: 'POST', headers, signal, agent: false })
  sent.end(body)
  const [response] = (await once(sent, 'response', { signal })) as [http.IncomingMessage]
  // Its body is not read.
  response.destroy()
  const { statusCode = 0 } = response
  if (statusCode < 200 || statusCode > 299) throw new Error(`the webhook responded ${statusCode}`)
}

/** Starts the program without a shell, with the message behind its own arguments. */
function run(
  [program = '', ...words]: readonly string[],
  { state, name, severity, text, member, time }: AlertMessage,
  signal: AbortSignal,
): Promise<void> {
  const args = [...words, state, name, severity, text, member, time]
  const options: ExecFileOptions = {
    ...({ signal, killSignal: 'SIGKILL' } as const),
    maxBuffer: OUTPUT_BYTES_MAX,
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  }
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error) => (error === null ? resolve() : reject(error)))
  })
}
