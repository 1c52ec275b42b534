/** Sockets fill their lists with long names, then request the lists as often as they may. */
import type { Attack } from '../attack.ts'
import { frameBytes } from '../bytes.ts'

const SOCKETS = 40
const NAMES_PER_FRAME = 200
const FRAMES = 6
const EVERY_MS = 250
const NAME_CHARS = 300

export const listSubscriptions: Attack = {
  name: 'list-subscriptions',
  about: 'asks four times a second for long lists of subscriptions',
  addresses: 1,
  run: (raid) => {
    const list = frameBytes(JSON.stringify({ method: 'LIST_SUBSCRIPTIONS', id: 1 }))
    for (let socket = 0; socket < raid.size(SOCKETS); socket++) {
      const line = raid.webSocket(0, '/ws', { reads: socket % 2 === 0 })
      let frames = 0
      raid.every(EVERY_MS, () => {
        if (frames >= FRAMES) {
          line.write(list)
          return
        }
        const params = Array.from({ length: NAMES_PER_FRAME }, (_, index) =>
          `${socket}-${frames}-${index}@`.padEnd(NAME_CHARS, 'depth'),
        )
        if (line.write(frameBytes(JSON.stringify({ method: 'SUBSCRIBE', params, id: 2 })))) frames++
      })
    }
  },
}
