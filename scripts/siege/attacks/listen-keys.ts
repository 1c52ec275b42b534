/** Many accounts make listen keys and end them; strangers connect with keys that they guess. */
import { randomBytes } from 'node:crypto'
import type { Attack } from '../attack.ts'
import { frameBytes, requestBytes } from '../bytes.ts'

const ACCOUNTS = 30
const EVERY_MS = 1_000
const GUESSES = 20
const KEY_BYTES = 32

export const listenKeys: Attack = {
  name: 'listen-keys',
  about: 'makes and ends listen keys of 30 accounts, and guesses others',
  addresses: 2,
  prepare: async (stage) => {
    const keys = []
    for (let i = 0; i < stage.size(ACCOUNTS); i++) {
      keys.push(await stage.account(`listener${i}`, {}))
    }
    return { keys }
  },
  run: (raid) => {
    const line = raid.connect(0)
    const socket = raid.webSocket(1, '/ws')
    let turn = 0
    raid.every(EVERY_MS, () => {
      turn++
      for (const { apiKey } of raid.provisions.keys ?? []) {
        const method = turn % 2 === 0 ? 'POST' : 'DELETE'
        const headers = { 'X-MBX-APIKEY': apiKey, 'Content-Length': '0' }
        const query = method === 'POST' ? '' : `?listenKey=${guess()}`
        line.write(requestBytes(method, `/api/v3/userDataStream${query}`, headers))
      }
      const params = Array.from({ length: GUESSES }, guess)
      socket.write(frameBytes(JSON.stringify({ method: 'SUBSCRIBE', params, id: turn })))
    })
  },
}

const guess = (): string => randomBytes(KEY_BYTES).toString('hex')
