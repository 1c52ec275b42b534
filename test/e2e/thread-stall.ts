/**
 * Holds one thread of a running exchange still, wherever it is, as a debugger does: no signal can stop a
 * single thread, and the exchange has nothing for it.
 */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import WebSocket from 'ws'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: {
    readonly sessionId?: string
    readonly workerInfo?: { readonly url: string }
    readonly message?: string
  }
}

/** NODE_OPTIONS to run an exchange with, so that its debugger finds a free port. */
export const DEBUGGABLE = '--inspect-port=127.0.0.1:0'

export class ThreadStall {
  private readonly socket: WebSocket
  private readonly messages: Message[] = []
  /** Debugger sessions of the threads that may stand still. */
  private sessions: readonly string[] = []
  private count = 0

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => this.messages.push(JSON.parse(String(data))))
  }

  /** Stops the first thread whose file is that, `gateway.thread.js`; resolves when it stands still. */
  static async begin(exchange: ExchangeProcess, file: string): Promise<ThreadStall> {
    const stall = await ThreadStall.attach(exchange, file)
    stall.sessions = stall.sessions.slice(0, 1)
    stall.tell('Debugger.pause')
    await stall.standsStill()
    return stall
  }

  /**
   * Will stop a thread of that file where it comes to the line that has `code`, for the `times`th time; any of
   * them that has not stopped continues.
   */
  static async at(
    exchange: ExchangeProcess,
    file: string,
    code: string,
    times: number,
  ): Promise<ThreadStall> {
    const stall = await ThreadStall.attach(exchange, file)
    // What the file loads: src/base/compiled-program.ts.
    const program = file.replace(/js$/, 'cjs')
    const lines = readFileSync(`dist/src/workers/${program}`, 'utf8').split('\n')
    const found = [...lines.keys()].filter((number) => lines[number]!.includes(code))
    expect(found, `lines with ${code}`).toHaveLength(1)
    const condition = `(globalThis.passed = (globalThis.passed ?? 0) + 1) === ${times}`
    const place = { lineNumber: found[0], urlRegex: `${program}$`, condition }
    stall.tell('Debugger.setBreakpointByUrl', place)
    await eventually('a breakpoint', () => stall.heard('locations', stall.sessions.length))
    return stall
  }

  private static async attach(exchange: ExchangeProcess, file: string): Promise<ThreadStall> {
    process.kill(exchange.pid, 'SIGUSR1')
    const url = await eventually(
      'a debugger',
      () => /Debugger listening on (ws:\S+)/.exec(exchange.output)?.[1],
    )
    const socket = new WebSocket(url)
    const stall = new ThreadStall(socket)
    await new Promise((resolve) => socket.once('open', resolve))
    stall.send('NodeWorker.enable', { waitForDebuggerOnStart: false })
    await eventually('all threads', () => stall.messages.some(({ id }) => id === 1) || undefined)
    stall.sessions = stall.messages.flatMap(({ params }) =>
      params?.workerInfo?.url.endsWith(`/${file}`) ? [params.sessionId!] : [],
    )
    expect(stall.sessions, `threads of ${file}`).not.toEqual([])
    stall.tell('Debugger.enable')
    return stall
  }

  /** Resolves when a thread has stopped. */
  async standsStill(): Promise<void> {
    await eventually('a thread that stands still', () => this.heard('Debugger.paused'))
  }

  /** Lets it continue. */
  async end(): Promise<void> {
    this.tell('Debugger.resume')
    await eventually('a thread that continues', () => this.heard('Debugger.resumed'))
    this.leave()
  }

  /** Leaves the debugger of a process that is gone. */
  leave(): void {
    this.socket.terminate()
  }

  /** Whether threads have sent it, as many times. */
  private heard(word: string, times = 1): true | undefined {
    const isIt = ({ params }: Message) =>
      this.sessions.includes(String(params?.sessionId)) &&
      params?.message?.includes(`"${word}"`) === true
    return this.messages.filter(isIt).length >= times || undefined
  }

  private tell(method: string, params: object = {}): void {
    const message = JSON.stringify({ id: ++this.count, method, params })
    for (const sessionId of this.sessions) {
      this.send('NodeWorker.sendMessageToWorker', { sessionId, message })
    }
  }

  private send(method: string, params: object): void {
    this.socket.send(JSON.stringify({ id: ++this.count, method, params }))
  }
}
