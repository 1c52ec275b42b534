/**
 * The operator door, as far as it is open: `/healthz` answers 200 while the process lives, `/readyz`
 * 200 while the exchange accepts orders and 503 before and after, `/counters` what the exchange counts
 * about itself (ring/counters.ts). `PUT /maintenance/on` and `/off` announce maintenance in the system
 * status, which changes nothing else. Always on the loopback address.
 */
import http from 'node:http'
import type { CounterReading } from '#ring/counters.ts'

/** What the door opens on once the exchange runs. */
export interface HealthParts {
  readonly readCounters: () => readonly CounterReading[]
  /** One i32 cell, written here: 1 while maintenance is announced. */
  readonly maintenance: SharedArrayBuffer
}

export class HealthDoor {
  #isReady = false
  #parts: HealthParts | undefined
  readonly #server = http.createServer((request, response) => {
    const [status, answer] = this.#answerTo(request.method ?? '', request.url ?? '')
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

  #answerTo(method: string, url: string): readonly [status: number, answer: unknown] {
    const ready = { ready: this.#isReady }
    if (url === '/healthz') return [200, ready]
    if (url === '/readyz') return [this.#isReady ? 200 : 503, ready]
    if (url === '/counters') return [200, this.#parts?.readCounters() ?? []]
    if (method === 'PUT' && url === '/maintenance/on') return this.#announce(1)
    if (method === 'PUT' && url === '/maintenance/off') return this.#announce(0)
    return [404, {}]
  }

  #announce(maintenance: 0 | 1): readonly [status: number, answer: unknown] {
    if (this.#parts === undefined) return [503, { ready: false }]
    Atomics.store(new Int32Array(this.#parts.maintenance), 0, maintenance)
    return [200, { maintenance: maintenance === 1 }]
  }
}
