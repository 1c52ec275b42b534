/** Listen keys of two gateways over one memory, beside a plain twin: what ran out stays dead. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../../src/base/manual-time.ts'
import { AccountId, Ms } from '../../../../src/base/units.ts'
import { listenKeyBytes, SharedListenKeys } from '../../../../src/gateway/streams/listen-keys.ts'

const ACCOUNTS = 3
const LIFE_MS = 60 * 60 * 1000

/** The expected state of one key. */
interface PlainKey {
  readonly account: number
  readonly key: string
  /** Never set back: a key that was closed or ran out is dead. */
  isDead: boolean
  expiresMs: Ms
}

const act = fc.record({
  what: fc.constantFrom('start', 'start', 'keepAlive', 'close', 'wait', 'wait'),
  account: fc.nat({ max: ACCOUNTS - 1 }),
  gateway: fc.nat({ max: 1 }),
  pick: fc.nat(),
  ms: fc.oneof(fc.nat({ max: LIFE_MS / 2 }), fc.constantFrom(LIFE_MS - 1, LIFE_MS, LIFE_MS + 1)),
})

test('a key is active from its start until it is closed or runs out, and never again', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60, size: 'max' }), (acts) => {
      // Small enough that its nanoseconds are an exact number.
      const clock = new ManualClock(Ms(0))
      clock.advance(1_000_000_000)
      const memory = new SharedArrayBuffer(listenKeyBytes(ACCOUNTS))
      const gateways = [0, 1].map(() => new SharedListenKeys(memory, new ManualTime(clock)))
      const known: PlainKey[] = []
      const activeOf = (account: number) => known.find((it) => it.account === account && !it.isDead)
      for (const { what, account, gateway, pick, ms } of acts) {
        const keys = gateways[gateway]!
        const chosen = known[pick % known.length]
        if (what === 'wait') {
          clock.advance(ms)
          for (const it of known) if (it.expiresMs <= clock.wallMs) it.isDead = true
        } else if (what === 'start') {
          const key = keys.start(AccountId(account))
          const active = activeOf(account)
          if (active === undefined) {
            expect(known.map((it) => it.key)).not.toContain(key)
            known.push({ account, key, isDead: false, expiresMs: Ms(clock.wallMs + LIFE_MS) })
          } else {
            expect(key).toBe(active.key)
            active.expiresMs = Ms(clock.wallMs + LIFE_MS)
          }
        } else if (chosen !== undefined) {
          const isOwn = chosen.account === account && !chosen.isDead
          if (what === 'keepAlive') {
            expect(keys.keepAlive(AccountId(account), chosen.key)).toBe(isOwn)
            if (isOwn) chosen.expiresMs = Ms(clock.wallMs + LIFE_MS)
          } else {
            expect(keys.close(AccountId(account), chosen.key)).toBe(isOwn)
            if (isOwn) chosen.isDead = true
          }
        }
        for (const it of known) {
          for (const each of gateways) {
            expect(each.accountOf(it.key)).toBe(it.isDead ? -1 : it.account)
            if (!it.isDead) expect(each.expiresMs(AccountId(it.account))).toBe(it.expiresMs)
          }
        }
      }
    }),
    { numRuns: 200 },
  )
})
