/** Pipelines thousands of requests for the largest document, and reads none of the answers. */
import type { Attack } from '../attack.ts'
import { repeated, requestBytes } from '../bytes.ts'

const CONNECTIONS = 3
const REQUESTS = 2_000
const AGAIN_MS = 5_000

export const unreadAnswers: Attack = {
  name: 'unread-answers',
  about: 'pipelines 6,000 requests for /openapi.json and reads no answer',
  addresses: 1,
  run: (raid) => {
    const first = repeated(requestBytes('GET', '/openapi.json'), raid.size(REQUESTS))
    for (let i = 0; i < CONNECTIONS; i++) {
      raid.connect(0, { first, reads: false, againMs: AGAIN_MS })
    }
  },
}
