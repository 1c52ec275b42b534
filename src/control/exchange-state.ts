/** How the exchange is, in the few words of a screen's head: never good over a halt. */
import { SymbolStatus } from '../base/codes.ts'
import type { DiskReading } from '../shared/disk.ts'
import type { RoleReading } from '../shared/role.ts'

/** `good`: all that clients may ask for is served. `warn`: not all of it. `bad`: no order is taken. */
export type StateLevel = 'good' | 'warn' | 'bad'

export interface ExchangeState {
  /** "Accepts orders", or what is not so: "2 of 6 trading, archive rebuilding". */
  readonly text: string
  readonly level: StateLevel
}

export interface StateParts {
  readonly isReady: boolean
  /** Whether the disk refused, and market data alone is served. */
  readonly isReadOnly: boolean
  readonly role: RoleReading
  /** How long the quorum has not answered, ms; 0 while it does, and without one. */
  readonly quorumWaitMs: number
  readonly disk: Pick<DiskReading, 'isRefusing'>
  /** Names of the threads whose parts are not what they should be. */
  readonly degradedParts: readonly string[]
  readonly isUnderMaintenance: boolean
  readonly trading: TradingCount
}

/** How many of the listed symbols trade. */
export interface TradingCount {
  readonly trading: number
  readonly listed: number
}

interface Listing {
  readonly symbols: readonly { readonly id: number; readonly status: SymbolStatus }[]
  readonly delistedSymbols: ReadonlySet<number>
}

/** Counts without delisted symbols, which never trade again. */
export function tradingCount({ symbols, delistedSymbols }: Listing): TradingCount {
  const listed = symbols.filter(({ id }) => !delistedSymbols.has(id))
  const trading = listed.filter(({ status }) => status === SymbolStatus.TRADING).length
  return { trading, listed: listed.length }
}

/** What a name of a degraded part begins with → what it means. */
const DEGRADED_TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['indexer', 'archive rebuilding'],
  ['snapshot', 'snapshots failing'],
  ['clock', "the machine's clock is doubted"],
]
const degradedText = (part: string): string =>
  DEGRADED_TEXTS.find(([name]) => part.startsWith(name))?.[1] ?? part

export function exchangeState(parts: StateParts): ExchangeState {
  const { isReady, isReadOnly, role, quorumWaitMs, disk } = parts
  if (isReadOnly) return { text: 'Read-only: disk', level: 'bad' }
  if (role.role === 'takingOver') return { text: 'Takes over', level: 'bad' }
  if (role.role === 'handingOver') return { text: 'Hands over', level: 'bad' }
  if (quorumWaitMs > 0) {
    return { text: `Waits for the quorum, ${Math.floor(quorumWaitMs / 1_000)} s`, level: 'bad' }
  }
  if (role.role === 'cutOff') return { text: 'Does not know whether it leads', level: 'bad' }
  if (!isReady) return { text: 'Accepts no orders', level: 'bad' }
  const faults = faultsOf(parts)
  if (role.role === 'follower') {
    const leader = role.leader === '' ? 'another member' : role.leader
    const text = [`Follows ${leader}, ${role.lagPositions} behind`, ...faults].join(', ')
    return { text, level: faults.length === 0 ? 'good' : 'warn' }
  }
  if (faults.length === 0) return { text: 'Accepts orders', level: 'good' }
  const text = faults.join(', ')
  const takesNone = parts.trading.trading === 0 || disk.isRefusing
  return {
    text: `${text.charAt(0).toUpperCase()}${text.slice(1)}`,
    level: takesNone ? 'bad' : 'warn',
  }
}

function faultsOf({ disk, degradedParts, isUnderMaintenance, trading }: StateParts): string[] {
  const { trading: count, listed } = trading
  return [
    ...(listed === 0 ? ['no symbols listed'] : []),
    ...(count < listed ? [`${count} of ${listed} trading`] : []),
    ...(disk.isRefusing ? ['no new orders: disk reserve'] : []),
    ...new Set(degradedParts.map(degradedText)),
    ...(isUnderMaintenance ? ['maintenance announced'] : []),
  ]
}
