/** One address sends far beyond its limits, and continues once it is banned. */
import type { Attack } from '../attack.ts'
import { repeated, requestBytes } from '../bytes.ts'

const CONNECTIONS = 20
const EVERY_MS = 20
const REQUESTS = 10

export const banned: Attack = {
  name: 'banned',
  about: 'asks 10,000 times a second for what weighs most, and continues when banned',
  addresses: 1,
  run: (raid) => {
    const burst = repeated(requestBytes('GET', '/api/v3/ticker/24hr'), raid.size(REQUESTS))
    const lines = Array.from({ length: CONNECTIONS }, () => raid.connect(0, { againMs: 50 }))
    raid.every(EVERY_MS, () => {
      for (const line of lines) line.write(burst)
    })
  },
}
