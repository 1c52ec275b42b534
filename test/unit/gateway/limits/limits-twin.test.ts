/** The shared cells against the plainest limits there can be: maps, one count per interval. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AccountId, Ms } from '../../../../src/base/units.ts'
import { limitBytes, RateLimits, type Refusal } from '../../../../src/gateway/limits/rate-limits.ts'
import type { AccountLimits } from '../../../../src/market/listing.ts'
import { countersBytes, ThreadCounters } from '../../../../src/shared/counters.ts'
import { limitSettings } from '../../../fixtures/one-thread-exchange.ts'

const PARTIES = 3
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const startMs = DAY_MS * 19_675
const settings = limitSettings(
  [
    ['--weight-limit', '20', '--raw-requests-limit', '25', '--connections-limit', '3'],
    ['--orders-per-second', '4', '--orders-per-day', '12', '--maker-fill-credit', '2'],
    ['--ban-after', '2', '--ban-seconds', '7'],
  ].flat(),
)
/** By account: its own limits. */
const ownLimits: readonly AccountLimits[] = [
  {},
  { ordersPerSecond: 6, weight: 15, sessions: 2 },
  { ordersPerDay: 5, weight: 30 },
]
const ownerOf = (party: number) => ({ id: AccountId(party), limits: ownLimits[party]! })
const FIVE_MINUTES_MS = 5 * MINUTE_MS
const LONGEST_BAN_MS = 3 * DAY_MS

class PlainLimits {
  private readonly counts = new Map<string, number>()
  private readonly bans = new Map<number, { untilMs: Ms; seconds: number }>()

  request(address: number, weight: number, nowMs: Ms): string {
    return (
      this.ban(address, nowMs) ||
      this.charge('raw', FIVE_MINUTES_MS, 25, address, 1, nowMs) ||
      this.frame(address, weight, nowMs)
    )
  }

  frame(address: number, weight: number, nowMs: Ms): string {
    return this.ban(address, nowMs) || this.charge('weight', MINUTE_MS, 20, address, weight, nowMs)
  }

  connection(address: number, nowMs: Ms): string {
    return (
      this.charge('connection', FIVE_MINUTES_MS, 3, address, 1, nowMs) ||
      this.charge('raw', FIVE_MINUTES_MS, 25, address, 1, nowMs)
    )
  }

  giveBack(address: number, weight: number, chargedMs: Ms): void {
    this.add('weight', MINUTE_MS, address, -weight, chargedMs)
  }

  /** A signed request, whose address was charged. */
  own(party: number, weight: number, nowMs: Ms): string {
    const most = ownLimits[party]!.weight!
    if (this.count('own', MINUTE_MS, party, nowMs) + weight > most) {
      return refusalOf('TOO_MUCH_WEIGHT', Ms(endOf(MINUTE_MS, nowMs)))
    }
    this.add('own', MINUTE_MS, party, weight, nowMs)
    this.giveBack(party, weight, nowMs)
    return ''
  }

  giveOwnBack(party: number, weight: number, chargedMs: Ms): void {
    this.add('own', MINUTE_MS, party, -weight, chargedMs)
  }

  ownUsed(party: number, nowMs: Ms): number {
    return this.count('own', MINUTE_MS, party, nowMs)
  }

  weightUsed(address: number, nowMs: Ms): number {
    return this.count('weight', MINUTE_MS, address, nowMs)
  }

  orders(account: number, orders: number, nowMs: Ms): string {
    const [second, day] = this.orderCounts(account, nowMs)
    const { ordersPerDay = 12, ordersPerSecond = 4 } = ownLimits[account]!
    if (day! + orders > ordersPerDay) return refusalOf('TOO_MANY_ORDERS', Ms(endOf(DAY_MS, nowMs)))
    if (second! + orders > ordersPerSecond)
      return refusalOf('TOO_MANY_ORDERS', Ms(endOf(SECOND_MS, nowMs)))
    this.add('second', SECOND_MS, account, orders, nowMs)
    this.add('day', DAY_MS, account, orders, nowMs)
    return ''
  }

  fill(account: number, isMaker: boolean, nowMs: Ms): void {
    this.add('second', SECOND_MS, account, isMaker ? -2 : -1, nowMs)
    this.add('day', DAY_MS, account, isMaker ? -2 : -1, nowMs)
  }

  orderCounts(account: number, nowMs: Ms): number[] {
    return [
      this.count('second', SECOND_MS, account, nowMs),
      this.count('day', DAY_MS, account, nowMs),
    ]
  }

  private ban(address: number, nowMs: Ms): string {
    const untilMs = this.bans.get(address)?.untilMs ?? 0
    return untilMs > nowMs ? refusalOf('ADDRESS_BANNED', Ms(untilMs)) : ''
  }

  private charge(
    kind: string,
    intervalMs: number,
    limit: number,
    address: number,
    amount: number,
    nowMs: Ms,
  ): string {
    if (this.count(kind, intervalMs, address, nowMs) + amount <= limit) {
      this.add(kind, intervalMs, address, amount, nowMs)
      return ''
    }
    if (kind !== 'connection') {
      const strikes = `${kind} refused`
      this.add(strikes, intervalMs, address, 1, nowMs)
      // The third refusal of an interval.
      if (this.count(strikes, intervalMs, address, nowMs) === 3) {
        this.add(strikes, intervalMs, address, -3, nowMs)
        this.beginBan(address, nowMs)
        return this.ban(address, nowMs)
      }
    }
    const id = kind === 'weight' ? 'TOO_MUCH_WEIGHT' : 'TOO_MANY_REQUESTS'
    return refusalOf(id, Ms(endOf(intervalMs, nowMs)))
  }

  private beginBan(address: number, nowMs: Ms): void {
    const last = this.bans.get(address)
    if (last !== undefined && last.untilMs > nowMs) return
    const beginMs = Math.ceil(nowMs / SECOND_MS) * SECOND_MS
    const isForgiven = last === undefined || beginMs - last.untilMs > LONGEST_BAN_MS
    const seconds = isForgiven ? 7 : Math.min(last.seconds * 2, LONGEST_BAN_MS / SECOND_MS)
    this.bans.set(address, { untilMs: Ms(beginMs + seconds * SECOND_MS), seconds })
  }

  private count(kind: string, intervalMs: number, party: number, nowMs: Ms): number {
    return this.counts.get(`${kind} ${party} ${Math.floor(nowMs / intervalMs)}`) ?? 0
  }

  private add(kind: string, intervalMs: number, party: number, amount: number, nowMs: Ms): void {
    const key = `${kind} ${party} ${Math.floor(nowMs / intervalMs)}`
    this.counts.set(key, Math.max(0, (this.counts.get(key) ?? 0) + amount))
  }
}

const endOf = (intervalMs: number, nowMs: Ms): number =>
  (Math.floor(nowMs / intervalMs) + 1) * intervalMs
const refusalOf = (id: string, untilMs: Ms): string => `${id} until ${untilMs - startMs}`
const told = (refusal: Refusal | undefined): string =>
  refusal === undefined ? '' : refusalOf(refusal.fault.id, refusal.untilMs)

const kinds = [
  ...['request', 'frame', 'connection', 'order', 'taker', 'maker', 'success'],
  ...['signed', 'log on', 'log off'],
]
/** Mostly none: bans come of many refusals in one interval, and longer ones of several bans. */
const waits = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(0, 0, 0, 1) },
  { weight: 3, arbitrary: fc.constantFrom(400, SECOND_MS, 7_000, 15_000, MINUTE_MS) },
  { weight: 1, arbitrary: fc.constantFrom(5 * MINUTE_MS, DAY_MS, 4 * DAY_MS) },
)
type Step = readonly [waitMs: number, kind: string, party: number, amount: number, gateway: number]
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(
    waits,
    fc.constantFrom(...kinds),
    fc.nat(PARTIES - 1),
    fc.integer({ min: 1, max: 9 }),
    fc.nat(1),
  ),
  { maxLength: 300, size: 'max' },
)

test('what is granted and shown is what plain maps say', () => {
  fc.assert(
    fc.property(steps, (run) => {
      const memory = new SharedArrayBuffer(limitBytes(PARTIES))
      const counters = ThreadCounters.ofGateway(new SharedArrayBuffer(countersBytes(1, 1)), 0)
      const gateways = [0, 1].map(() => new RateLimits(memory, PARTIES, settings, counters))
      const plain = new PlainLimits()
      const sessions = ownLimits.map(() => 0)
      let nowMs = startMs
      for (const [waitMs, kind, party, amount, gateway] of run) {
        nowMs += waitMs
        const limits = gateways[gateway]!
        const address = limits.addressOf(Uint8Array.of(10, 0, 0, party).buffer, Ms(nowMs))
        if (kind === 'request') {
          const refused = told(limits.chargeRequest(address, amount, Ms(nowMs)))
          expect(refused).toBe(plain.request(party, amount, Ms(nowMs)))
          expect(limits.weightUsed).toBe(plain.weightUsed(party, Ms(nowMs)))
        } else if (kind === 'frame') {
          const refused = told(limits.chargeRequest(address, amount, Ms(nowMs), 'CONNECTIONS'))
          expect(refused).toBe(plain.frame(party, amount, Ms(nowMs)))
          expect(limits.weightUsed).toBe(plain.weightUsed(party, Ms(nowMs)))
        } else if (kind === 'connection') {
          expect(told(limits.chargeConnection(address, Ms(nowMs)))).toBe(
            plain.connection(party, Ms(nowMs)),
          )
        } else if (kind === 'success') {
          // Answered in the interval in which it was charged.
          const refused = told(limits.chargeRequest(address, amount, Ms(nowMs), 'CONNECTIONS'))
          expect(refused).toBe(plain.frame(party, amount, Ms(nowMs)))
          if (refused !== '') continue
          limits.settleWeight(address, amount, 0, Ms(nowMs))
          plain.giveBack(party, amount, Ms(nowMs))
          expect(limits.weightUsed).toBe(plain.weightUsed(party, Ms(nowMs)))
        } else if (kind === 'signed' && ownLimits[party]!.weight !== undefined) {
          const owner = ownerOf(party)
          const refused = told(limits.chargeRequest(address, amount, Ms(nowMs), 'CONNECTIONS'))
          expect(refused).toBe(plain.frame(party, amount, Ms(nowMs)))
          if (refused !== '') continue
          const over = told(limits.chargeAccount(owner, address, amount, Ms(nowMs)))
          expect(over).toBe(plain.own(party, amount, Ms(nowMs)))
          if (over === '') {
            limits.settleSuccess(address, amount, 1, Ms(nowMs), owner)
            plain.giveOwnBack(party, amount - 1, Ms(nowMs))
          }
          expect(limits.weightUsed).toBe(plain.ownUsed(party, Ms(nowMs)))
          limits.readWeight(address, Ms(nowMs))
          expect(limits.weightUsed).toBe(plain.weightUsed(party, Ms(nowMs)))
        } else if (kind === 'log on') {
          const hasRoom = sessions[party]! < (ownLimits[party]!.sessions ?? 1_000)
          expect(limits.takeSession(ownerOf(party))).toBe(hasRoom)
          if (hasRoom) sessions[party]!++
        } else if (kind === 'log off') {
          if (sessions[party]! === 0) continue
          limits.giveSession(ownerOf(party))
          sessions[party]!--
        } else if (kind === 'order') {
          const orders = Math.ceil(amount / 3)
          const would = told(limits.orderRefusal(ownerOf(party), orders, Ms(nowMs)))
          const refused = told(limits.chargeOrders(ownerOf(party), orders, Ms(nowMs)))
          expect([would, refused]).toEqual([refused, plain.orders(party, orders, Ms(nowMs))])
        } else if (kind === 'taker' || kind === 'maker') {
          limits.creditFill(AccountId(party), kind === 'maker', Ms(nowMs))
          plain.fill(party, kind === 'maker', Ms(nowMs))
        }
        const [day, second] = limits.orderCounts(ownerOf(party), Ms(nowMs))
        expect([second.count, day.count]).toEqual(plain.orderCounts(party, Ms(nowMs)))
      }
    }),
    { numRuns: 300 },
  )
})
