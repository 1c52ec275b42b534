/** A key holder queries the open orders of all of 200 symbols, from several addresses. */
import type { Attack } from '../attack.ts'
import { requestBytes } from '../bytes.ts'

const SYMBOLS = 200
const ADDRESSES = 6
/** A query weighs 80, so an address may send 75 in a minute. */
const EVERY_MS = 900

export const openOrders: Attack = {
  name: 'open-orders',
  about: 'asks for the open orders of all of 200 symbols, without naming one',
  addresses: ADDRESSES,
  prepare: async (stage) => {
    const key = await stage.account('openorders', { USDT: '1000000' })
    await stage.listSymbols(stage.size(SYMBOLS))
    return { keys: [key] }
  },
  run: (raid) => {
    const key = raid.key()
    const lines = Array.from({ length: ADDRESSES }, (_, address) => raid.connect(address))
    raid.every(EVERY_MS, () => {
      const path = `/api/v3/openOrders?${raid.query(key)}`
      for (const line of lines)
        line.write(requestBytes('GET', path, { 'X-MBX-APIKEY': key.apiKey }))
    })
  },
}
