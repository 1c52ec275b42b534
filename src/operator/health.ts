/**
 * The operator door, as far as it is open: `/healthz` answers 200 while the process lives, `/readyz`
 * 200 while the exchange accepts orders and 503 before and after. Always on the loopback address.
 */
import http from 'node:http'

export class HealthDoor {
  #isReady = false
  readonly #server = http.createServer((request, response) => {
    const status = this.#statusOf(request.url ?? '')
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ ready: this.#isReady }))
  })

  /** Rejects with the socket's error, EADDRINUSE among them. */
  listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host: '127.0.0.1', port, exclusive: true }, resolve)
    })
  }

  ready(): void {
    this.#isReady = true
  }

  unready(): void {
    this.#isReady = false
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  #statusOf(url: string): number {
    if (url === '/healthz') return 200
    if (url === '/readyz') return this.#isReady ? 200 : 503
    return 404
  }
}
