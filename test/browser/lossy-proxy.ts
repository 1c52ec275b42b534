/** A proxy between a browser and an exchange that loses, delays and rewrites answers of the WebSocket API. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'

/** The connection ends in place of the answer. */
export const CUT = Symbol('cut')

/** What the browser gets of an answer; undefined for nothing. */
export type Fate = string | typeof CUT | undefined

/** Texts of a minute's traffic of a page that waits. */
const UNSENT_MAX = 10_000

export class LossyProxy {
  /** By method. Everything passes at first. */
  answered: (method: string, text: string) => Fate | Promise<Fate> = (_, text) => text
  /** Whether connections fall silent and no request is answered, as of a network that is gone. */
  isDark = false
  /** Whether WebSockets are refused, as by a proxy that knows none. */
  isBlocking = false
  /** What every frame that passes to the browser is late by. */
  delayMs = 0
  /** Requests of this method are held back until `release`, and their connection ends; '' for none. */
  heldMethod = ''
  /** Methods of requests that reached the exchange, in order. */
  readonly methods: string[] = []
  private readonly server = http.createServer((request, response) => this.pass(request, response))
  private readonly sockets = new WebSocketServer({ noServer: true })
  private readonly target: string
  private held: string[] = []

  private constructor(target: string) {
    this.target = target
    this.server.on('upgrade', (request, socket, head) => this.upgrade(request, socket, head))
  }

  static async start(target: string): Promise<LossyProxy> {
    const proxy = new LossyProxy(target)
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** How often the exchange received this. */
  count(method: string): number {
    return this.methods.filter((it) => it === method).length
  }

  /** Ends all connections. */
  cutAll(): void {
    for (const socket of this.sockets.clients) socket.terminate()
  }

  /** Lets what was held back arrive after all. */
  async release(): Promise<void> {
    const texts = this.held.splice(0)
    const there = new WebSocket(`${this.target.replace('http', 'ws')}/ws-api/v3`)
    await new Promise((resolve) => there.once('open', resolve))
    for (const text of texts) {
      there.send(text)
      await new Promise((resolve) => there.once('message', resolve))
    }
    there.terminate()
  }

  close(): void {
    this.cutAll()
    this.server.closeAllConnections()
    this.server.close()
  }

  private pass(request: http.IncomingMessage, response: http.ServerResponse): void {
    if (this.isDark) {
      request.socket.destroy()
      return
    }
    const { method, headers } = request
    const asked = http.request(`${this.target}${request.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    asked.on('error', () => request.socket.destroy())
    request.pipe(asked)
  }

  private upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.isDark || this.isBlocking) {
      socket.end(this.isDark ? '' : 'HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n')
      return
    }
    const there = new WebSocket(`${this.target.replace('http', 'ws')}${request.url}`)
    this.sockets.handleUpgrade(request, socket, head, (here) => this.join(here, there))
  }

  private join(here: WebSocket, there: WebSocket): void {
    const methods = new Map<number, string>()
    const unsent: string[] = []
    const end = () => {
      here.terminate()
      there.terminate()
    }
    for (const socket of [here, there]) {
      socket.on('close', () => this.isDark || end())
      socket.on('error', end)
    }
    here.on('message', (data) => {
      if (this.isDark) return
      const text = String(data)
      const { id, method = '' } = JSON.parse(text) as { id?: number; method?: string }
      if (id !== undefined) methods.set(id, method)
      if (method === this.heldMethod) {
        this.held.push(text)
        end()
        return
      }
      this.methods.push(method)
      if (there.readyState === WebSocket.OPEN) there.send(text)
      else if (unsent.length < UNSENT_MAX) unsent.push(text)
    })
    there.on('open', () => {
      for (const text of unsent) there.send(text)
    })
    there.on('message', async (data) => {
      const text = String(data)
      const { id = 0 } = JSON.parse(text) as { id?: number }
      const method = methods.get(id)
      const fate = method === undefined ? text : await this.answered(method, text)
      if (fate === CUT) end()
      else if (fate !== undefined && !this.isDark) {
        if (this.delayMs === 0) here.send(fate)
        else setTimeout(() => here.send(fate), this.delayMs)
      }
    })
  }
}
