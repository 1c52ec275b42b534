/**
 * Holds one thread of a running exchange still, wherever it is, as a debugger does: no signal can stop a
 * single thread, and the exchange has nothing for it.
 */
import WebSocket from 'ws'
import type { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'

interface Message {
  readonly method?: string
  readonly params?: {
    readonly sessionId?: string
    readonly workerInfo?: { readonly url: string }
    readonly message?: string
  }
}

/** NODE_OPTIONS to run an exchange with, so that its debugger finds a port of its own. */
export const DEBUGGABLE = '--inspect-port=127.0.0.1:0'

export class ThreadStall {
  private readonly socket: WebSocket
  private readonly messages: Message[] = []
  private session: string | undefined = undefined
  private count = 0

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => this.messages.push(JSON.parse(String(data))))
  }

  /** Stops the first thread whose file is that, `gateway.thread.js`; resolves when it stands still. */
  static async begin(exchange: ExchangeProcess, file: string): Promise<ThreadStall> {
    process.kill(exchange.pid, 'SIGUSR1')
    const url = await eventually(
      'a debugger',
      () => /Debugger listening on (ws:\S+)/.exec(exchange.output)?.[1],
    )
    const socket = new WebSocket(url)
    const stall = new ThreadStall(socket)
    await new Promise((resolve) => socket.once('open', resolve))
    stall.send('NodeWorker.enable', { waitForDebuggerOnStart: false })
    stall.session = await eventually(`a thread of ${file}`, () => {
      const found = stall.messages.find((it) => it.params?.workerInfo?.url.endsWith(`/${file}`))
      return found?.params?.sessionId
    })
    stall.tell('Debugger.enable')
    stall.tell('Debugger.pause')
    await eventually('a thread that stands still', () => stall.heard('Debugger.paused'))
    return stall
  }

  /** Lets it continue. */
  async end(): Promise<void> {
    this.tell('Debugger.resume')
    await eventually('a thread that continues', () => this.heard('Debugger.resumed'))
    this.leave()
  }

  /** Of a process that is gone. */
  leave(): void {
    this.socket.terminate()
  }

  private heard(method: string): true | undefined {
    const isIt = ({ params }: Message) =>
      params?.sessionId === this.session && params?.message?.includes(`"${method}"`) === true
    return this.messages.some(isIt) || undefined
  }

  private tell(method: string): void {
    const message = JSON.stringify({ id: ++this.count, method })
    this.send('NodeWorker.sendMessageToWorker', { sessionId: this.session, message })
  }

  private send(method: string, params: object): void {
    this.socket.send(JSON.stringify({ id: ++this.count, method, params }))
  }
}
