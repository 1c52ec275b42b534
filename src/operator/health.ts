/**
 * The operator door, as far as it is open: `/healthz` answers 200 while the process lives, `/readyz`
 * 200 while the exchange accepts orders and 503 before and after, `/counters` what the exchange counts
 * about itself (ring/counters.ts). Always on the loopback address; it only looks.
 */
import http from 'node:http'
import type { CounterReading } from '#ring/counters.ts'

export class HealthDoor {
  #isReady = false
  #readCounters: () => readonly CounterReading[] = () => []
  readonly #server = http.createServer((request, response) => {
    const [status, answer] = this.#answerTo(request.url ?? '')
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

  ready(readCounters: () => readonly CounterReading[]): void {
    this.#isReady = true
    this.#readCounters = readCounters
  }

  unready(): void {
    this.#isReady = false
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  #answerTo(url: string): readonly [status: number, answer: unknown] {
    const ready = { ready: this.#isReady }
    if (url === '/healthz') return [200, ready]
    if (url === '/readyz') return [this.#isReady ? 200 : 503, ready]
    if (url === '/counters') return [200, this.#readCounters()]
    return [404, {}]
  }
}
