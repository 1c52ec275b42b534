/** One socket writes tiny frames to the WebSocket API without an end; each is refused. */
import type { Attack } from '../attack.ts'
import { frameBytes, repeated } from '../bytes.ts'

const EVERY_MS = 5
const FRAMES = 500

export const refusedFrames: Attack = {
  name: 'refused-frames',
  about: 'writes 100,000 tiny refused frames a second to the WebSocket API',
  addresses: 1,
  run: (raid) => {
    const frames = repeated(frameBytes('{}'), raid.size(FRAMES))
    const line = raid.webSocket(0, '/ws-api/v3')
    raid.every(EVERY_MS, () => line.write(frames))
  },
}
