/** One client subscribes to every stream there is, in every symbol, and reads them all. */
import { streams } from '../../../src/api/streams.ts'
import type { Attack } from '../attack.ts'
import { frameBytes } from '../bytes.ts'

const SOCKETS = 6
const SYMBOLS = ['btcusdt', 'ethusdt', 'solusdt', 'bnbusdt', 'adausdt', 'ethbtc']
const NAMES_PER_FRAME = 60
const EVERY_MS = 400

export const everything: Attack = {
  name: 'everything',
  about: 'subscribes to all streams of all symbols, and again',
  addresses: 1,
  run: (raid) => {
    const names = streams.flatMap(({ name }) =>
      name.includes('<symbol>') ? SYMBOLS.map((it) => name.replace('<symbol>', it)) : [name],
    )
    for (let socket = 0; socket < raid.size(SOCKETS); socket++) {
      const line = raid.webSocket(0, '/stream')
      let turn = 0
      raid.every(EVERY_MS, () => {
        const start = (turn * NAMES_PER_FRAME) % names.length
        const isSecond = Math.floor((turn * NAMES_PER_FRAME) / names.length) % 2 === 1
        const method = isSecond ? 'UNSUBSCRIBE' : 'SUBSCRIBE'
        const params = names.slice(start, start + NAMES_PER_FRAME)
        if (line.write(frameBytes(JSON.stringify({ method, params, id: turn })))) turn++
      })
    }
  },
}
