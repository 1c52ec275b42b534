/** Sockets of both kinds write WebSocket pings without an end; each demands a pong. */
import type { Attack } from '../attack.ts'
import { frameBytes, Opcode, repeated } from '../bytes.ts'

const EVERY_MS = 5
const PINGS = 250
const PAYLOAD = 'x'.repeat(100)

export const pings: Attack = {
  name: 'pings',
  about: 'writes 100,000 pings a second to both kinds of WebSocket',
  addresses: 1,
  run: (raid) => {
    const frames = repeated(frameBytes(PAYLOAD, Opcode.PING), raid.size(PINGS))
    const lines = ['/ws-api/v3', '/ws'].map((path, index) =>
      raid.webSocket(0, path, { reads: index === 0 }),
    )
    raid.every(EVERY_MS, () => {
      for (const line of lines) line.write(frames)
    })
  },
}
