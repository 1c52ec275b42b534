/** Opens connections as fast as it may, and resets each at once; half of them request a WebSocket. */
import type { Attack } from '../attack.ts'
import { upgradeBytes } from '../bytes.ts'

const ADDRESSES = 2
const EVERY_MS = 20
const CONNECTIONS = 6
const STAY_MS = 30

export const accepts: Attack = {
  name: 'accepts',
  about: 'opens 300 connections a second and resets them',
  addresses: ADDRESSES,
  run: (raid) => {
    const first = upgradeBytes('/ws/btcusdt@trade')
    raid.every(EVERY_MS, () => {
      for (let i = 0; i < CONNECTIONS; i++) {
        const line = raid.visit(i % ADDRESSES, i % 3 === 0 ? { first } : {})
        setTimeout(() => line.reset(), STAY_MS)
      }
    })
  },
}
