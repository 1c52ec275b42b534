/**
 * What a rule may never do: touch a key, an account or a connection that it does not name. Both accounts do the
 * same from a seed while rules for one of them come and go; an account is compared with itself on an exchange
 * without rules. Planted defects, gateways that lose a rule's key or account, must be found.
 */
import { expect, test } from 'vitest'
import { ManualClock, ManualTime } from '../../../src/base/manual-time.ts'
import { Prng } from '../../../src/base/prng.ts'
import { AccountId, Ms } from '../../../src/base/units.ts'
import type { FaultRule } from '../../../src/sandbox/fault-fields.ts'
import { readFaultRule } from '../../../src/sandbox/fault-rule.ts'
import type { ControlMessage } from '../../../src/shared/control-message.ts'
import { keyOf, OneThreadExchange } from '../../fixtures/one-thread-exchange.ts'

const STEPS = 40
const TOUCHED = 1
const OTHER = 2

const effects = [
  { do: 'answer', status: 500 },
  { do: 'unknown' },
  { do: 'cut' },
  { do: 'limit' },
  { do: 'ban' },
  { do: 'refuse', reason: 'MARKET_CLOSED' },
  { do: 'skew', ms: 60_000 },
  { do: 'fill', quantity: '50%', moments: '0' },
  { do: 'halt', symbol: 'BTCUSDT' },
  { do: 'lag', ms: 60_000, stream: 'user' },
  { do: 'duplicate', stream: 'user' },
  { do: 'drop', stream: 'user' },
  { do: 'close', code: 4000, stream: 'user' },
] as const

type Defect = (rule: FaultRule) => FaultRule
const asItIs: Defect = (rule) => rule

/** Has gateways know other rules than were added. */
function plant(exchange: OneThreadExchange, defect: Defect): void {
  for (const gateway of exchange.gateways) {
    const notify = gateway.notify.bind(gateway)
    gateway.notify = (messages: readonly ControlMessage[]) =>
      notify(
        messages.map((it) => {
          if (it.kind !== 'faults') return it
          const faults = it.faults.map((each) => ({ ...each, rule: defect(each.rule) }))
          return { ...it, faults }
        }),
      )
  }
}

/** What the other account saw: answers, fault headers, and events of its stream. */
async function seenBy(seed: number, withRules: boolean, defect = asItIs): Promise<string[]> {
  const time = new ManualTime(new ManualClock(Ms(0)))
  const exchange = await OneThreadExchange.start({ gateways: 2, sandbox: time })
  plant(exchange, defect)
  const prng = new Prng(seed)
  const seen: string[] = []
  const { body } = await exchange.send('POST', '/api/v3/userDataStream', OTHER)
  const stream = await exchange.socket(`/ws/${body!.listenKey}`)
  for (let step = 0; step < STEPS; step++) {
    const effect = prng.pick(effects)
    const place =
      prng.chance(0.5) && !('stream' in effect) ? { key: keyOf(TOUCHED).apiKey } : { account: '1' }
    const given = { name: `rule${step % 3}`, ...effect, ...place, seed: step, chance: 0.8 }
    const rule = readFaultRule(given, (text) => AccountId(Number(text)))
    if (withRules) await exchange.faults.add([rule])
    const price = String(prng.between(10, 20))
    for (const account of prng.chance(0.5) ? [TOUCHED, OTHER] : [OTHER, TOUCHED]) {
      const answer = await exchange.limitOrder(account, 'BUY', price, '1').catch(() => undefined)
      if (account !== OTHER) continue
      const named = answer?.headers.get('x-ringbook-fault')
      seen.push(`${answer?.status} ${answer?.body?.status} ${named}`)
    }
  }
  // A report and a position of each order; with a defect fewer may come.
  for (let i = 0; i < 2 * STEPS && defect === asItIs; i++)
    seen.push(String((await stream.next()).e))
  seen.push(`${stream.waiting} more`)
  stream.close()
  await exchange.close()
  return seen
}

test.each([1, 2])('seed %i: the other account sees what it sees without rules', async (seed) => {
  expect(await seenBy(seed, true)).toEqual(await seenBy(seed, false))
})

test.each<[string, Defect]>([
  ['key', ({ key: _, ...rule }) => rule],
  ['account', ({ account: _, ...rule }) => rule],
])('gateways that lose the %s of a rule are found', async (_, defect) => {
  expect(await seenBy(1, true, defect)).not.toEqual(await seenBy(1, false))
})
