/**
 * What fan-out costs without an exchange: a bare uWebSockets.js server that publishes frames which were
 * recorded from one, with the present time as the time of the trade. Every WebSocket reads them all; every
 * fourth request publishes as many as a taker's order makes, at the end of the tick: what is published while
 * a request is handled reaches the sockets in smaller pieces, at several times the cost. A separate process:
 * `node publisher.js PORT FRAMES`, where FRAMES is a file with one frame in each line; ends at SIGTERM.
 */

import uWebSockets from 'uWebSockets.js'
import { readFileSync } from 'node:fs'
import { MAKERS_PER_TAKER } from './workload.ts'

const TOPIC = 'frames'
const port = Number(process.argv[2])
/** What stands around the time. */
const frames = readFileSync(process.argv[3]!, 'utf8')
  .trimEnd()
  .split('\n')
  .map((frame) => /^(.*"T":)\d+(.*)$/.exec(frame)!.slice(1) as [string, string])
let requests = 0
let due = 0
let next = 0

function publish(): void {
  const now = Date.now()
  for (; due > 0; due--) {
    const [before, after] = frames[next++ % frames.length]!
    app.publish(TOPIC, before + now + after)
  }
}

const app = uWebSockets.App()
app
  .ws('/*', {
    maxBackpressure: 1024 * 1024,
    closeOnBackpressureLimit: 1,
    open: (socket) => {
      socket.subscribe(TOPIC)
    },
  })
  .any('/*', (response) => {
    response.end('{"orderId":1}')
    if (++requests % (MAKERS_PER_TAKER + 1) !== 0) return
    if (due === 0) setImmediate(publish)
    due += MAKERS_PER_TAKER
  })
  .listen('127.0.0.1', port, (socket) => {
    if (!socket) {
      process.stderr.write(`port ${port} is taken\n`)
      process.exit(1)
    }
  })

process.on('SIGTERM', () => process.exit(0))
