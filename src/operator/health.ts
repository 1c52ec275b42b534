/**
 * The operator door: `/healthz` answers 200 while the process lives, `/readyz` 200 while the exchange
 * accepts orders and 503 before and after, `/counters` what the exchange counts about itself
 * (ring/counters.ts), `/acts` what operators may do (act-door.ts). Always on the loopback address.
 */
import http from 'node:http'
import type { CounterReading } from '#ring/counters.ts'
import type { ActDoor, Answer } from './act-door.ts'

/** What the door opens on once the exchange runs. */
export interface HealthParts {
  readonly readCounters: () => readonly CounterReading[]
  readonly acts: Pick<ActDoor, 'answer'>
}

export class HealthDoor {
  #isReady = false
  #parts: HealthParts | undefined
  readonly #server = http.createServer(async (request, response) => {
    const [status, answer] = await this.#answerTo(request)
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(answer))
  })

  /** Rejects with the socket's error, EADDRINUSE among them. */
  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host: '127.0.0.1', port, exclusive: true }, resolve)
    })
  }

  ready(parts: HealthParts): void {
    this.#isReady = true
    this.#parts = parts
  }

  unready(): void {
    this.#isReady = false
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  async #answerTo(request: http.IncomingMessage): Promise<Answer> {
    const { url = '' } = request
    const ready = { ready: this.#isReady }
    if (url === '/healthz') return [200, ready]
    if (url === '/readyz') return [this.#isReady ? 200 : 503, ready]
    if (url === '/counters') return [200, this.#parts?.readCounters() ?? []]
    if (url !== '/acts' && !url.startsWith('/acts/')) return [404, {}]
    if (this.#parts === undefined) return [503, { error: 'The exchange has not started yet.' }]
    try {
      return await this.#parts.acts.answer(request)
    } catch (error) {
      return [500, { error: `The act failed: ${(error as Error).message}` }]
    }
  }
}
