/** Names other clients in X-Forwarded-For, the polite ones too, while it sends beyond its limits. */
import type { Attack } from '../attack.ts'
import { requestBytes } from '../bytes.ts'

const EVERY_MS = 10
const CONNECTIONS = 4
const POLITE = '127.0.0.1'

export const forwarded: Attack = {
  name: 'forwarded',
  about: 'claims the addresses of others by X-Forwarded-For, beyond its limits',
  addresses: 1,
  run: (raid) => {
    const lines = Array.from({ length: CONNECTIONS }, () => raid.connect(0))
    let count = 0
    raid.every(EVERY_MS, () => {
      for (const line of lines) {
        const other = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
        const claimed = ++count % 2 === 0 ? POLITE : `${other}, ${POLITE}`
        const headers = { 'X-Forwarded-For': claimed, Forwarded: `for=${claimed}` }
        line.write(requestBytes('GET', '/api/v3/exchangeInfo', headers))
      }
    })
  },
}
