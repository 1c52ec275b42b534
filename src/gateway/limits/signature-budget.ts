/**
 * Bounds the checks of bad signatures. An RSA or Ed25519 check costs a hundred times as much as an
 * HMAC. So an address that sends many bad ones gets no more checks until the minute ends. A key that
 * many addresses attack is checked once for each of them. An address without bad signatures is always
 * checked: a stranger cannot lock a key's owner out.
 */
import type { Ms } from '../../base/units.ts'
import { GatewayCounter, type ThreadCounters } from '../../shared/counters.ts'
import { type AddressGuard, BAD_SIGNATURES_MAX, GUARD_INTERVAL_MS } from './address-guard.ts'
import type { AddressHandle } from './address-table.ts'
import { Tally } from './tally.ts'

/** Bad signatures of one key in a minute, by all addresses; beyond it each address gets one check. */
export const BAD_PER_KEY_MAX = 1_000

export class SignatureBudget {
  private readonly guard: AddressGuard
  private readonly counters: ThreadCounters
  /** By existing key: bad signatures of the minute, at this gateway. */
  private readonly badOfKey = new Tally()
  private minute = 0

  constructor(guard: AddressGuard, counters: ThreadCounters) {
    this.guard = guard
    this.counters = counters
  }

  /** Whether to check a signature of this key from this address. */
  mayCheck(apiKey: string, address: AddressHandle, nowMs: Ms): boolean {
    this.beginMinute(nowMs)
    const isAttacked = this.badOfKey.of(apiKey) >= BAD_PER_KEY_MAX
    const budget = isAttacked ? 1 : BAD_SIGNATURES_MAX
    if (this.guard.badSignatures(address, nowMs) < budget) return true
    this.counters.add(GatewayCounter.signaturesUnchecked, 1)
    return false
  }

  wasBad(apiKey: string, address: AddressHandle, nowMs: Ms): void {
    this.beginMinute(nowMs)
    this.badOfKey.add(apiKey, 1)
    this.guard.badSignature(address, nowMs)
  }

  private beginMinute(nowMs: Ms): void {
    const minute = Math.floor(nowMs / GUARD_INTERVAL_MS)
    if (minute !== this.minute) this.badOfKey.clear()
    this.minute = minute
  }
}
