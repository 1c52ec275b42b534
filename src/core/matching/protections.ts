/**
 * Market maker protections of one symbol: each counts fills of its account's resting orders within a sliding window
 * (docs/decisions/protections.md). Fills are read from the journaled trades, by engine and recovery alike, so that
 * prevented matches never count. Decides nothing: guard.ts cancels, admission.ts refuses.
 */
import { ProtectionStatus } from '../../base/codes.ts'
import { isMore, minus, plus } from '../../base/int64.ts'
import { PROTECTION_MOMENTS } from '../../base/limits.ts'
import { AccountId, type Ms, QuoteAtoms } from '../../base/units.ts'
import { EventHeader, Trade } from '../../layout/accessors.gen.ts'
import type { ImageReader, ImageWriter } from '../../layout/image.ts'
import {
  MomentImage,
  type MomentImageFields,
  ProtectionImage,
  type ProtectionImageFields,
} from '../../layout/images.gen.ts'
import { type RecordBuffer, recordFlags } from '../../layout/record-buffer.ts'
import { FLAG_AUCTION } from '../../layout/records.gen.ts'
import type { HashSink } from './hash-sink.ts'

/** As an event has it. */
export type ProtectionTerms = Omit<ProtectionImageFields, 'momentCount'>

/** One account's: its fills within the window, oldest first. */
class Protection {
  readonly terms: ProtectionTerms
  status: ProtectionStatus
  readonly moments: MomentImageFields[] = []
  private fills = 0
  private atoms = QuoteAtoms(0)

  constructor(terms: ProtectionTerms) {
    this.terms = terms
    this.status = terms.status as ProtectionStatus
  }

  /** Fills of one share of the window are one moment, the last of them, so that there are never many. */
  add(moment: MomentImageFields): void {
    const { moments, terms } = this
    const shareMs = Math.max(1, terms.windowMs / PROTECTION_MOMENTS)
    const last = moments.at(-1)
    const isSame =
      last !== undefined &&
      Math.floor(last.timeMs / shareMs) === Math.floor(moment.timeMs / shareMs)
    if (!isSame) moments.push(moment)
    else {
      const atoms = plus(last.atoms, moment.atoms)
      moments[moments.length - 1] = { ...moment, fills: last.fills + moment.fills, atoms }
    }
    this.fills += moment.fills
    this.atoms = plus(this.atoms, moment.atoms)
  }

  /** A fill of the account's resting order. */
  filled(timeMs: Ms, atoms: QuoteAtoms): void {
    this.add({ timeMs, fills: 1, atoms })
    this.slide(timeMs)
    const { maxFills, maxNotional } = this.terms
    const hasFills = maxFills !== 0 && this.fills >= maxFills
    if (hasFills || (maxNotional !== 0 && !isMore(maxNotional, this.atoms))) {
      this.status = ProtectionStatus.REACHED
    }
  }

  /** Forgets what is a whole window ago. */
  private slide(timeMs: Ms): void {
    const { moments, terms } = this
    for (let oldest = moments[0]!; oldest.timeMs <= timeMs - terms.windowMs; oldest = moments[0]!) {
      this.fills -= oldest.fills
      this.atoms = minus(this.atoms, oldest.atoms)
      moments.shift()
    }
  }
}

export class Protections {
  private readonly byAccount = new Map<AccountId, Protection>()
  /** Accounts whose bound is reached. */
  private readonly reached = new Set<AccountId>()
  private _areAny = false

  /** Plain symbols check nothing else (bench `engine`). */
  get areAny(): boolean {
    return this._areAny
  }

  /** Replaces the account's; one without a window ends it. Its fills count from 0. */
  set(terms: ProtectionTerms): void {
    if (terms.windowMs === 0) this.byAccount.delete(terms.account)
    else this.byAccount.set(terms.account, new Protection(terms))
    this.reached.delete(terms.account)
    if (terms.status === ProtectionStatus.REACHED) this.reached.add(terms.account)
    this._areAny = this.byAccount.size > 0
  }

  of(account: AccountId): ProtectionTerms | undefined {
    const protection = this.byAccount.get(account)
    return protection && { ...protection.terms, status: protection.status }
  }

  /** Whether the account's orders are refused. */
  isTripped(account: AccountId): boolean {
    return this._areAny && this.byAccount.get(account)?.status === ProtectionStatus.TRIPPED
  }

  /** Counts the Trade at byte `at`. Both orders of an auction's rested. */
  traded(events: RecordBuffer, at: number): void {
    const timeMs = EventHeader.timeMs(events, at)
    const atoms = Trade.quoteAtoms(events, at)
    this.filled(Trade.makerAccount(events, at), timeMs, atoms)
    const isAuction = (recordFlags(events, at) & FLAG_AUCTION) !== 0
    if (isAuction) this.filled(Trade.takerAccount(events, at), timeMs, atoms)
  }

  private filled(account: AccountId, timeMs: Ms, atoms: QuoteAtoms): void {
    const protection = this.byAccount.get(account)
    if (protection?.status !== ProtectionStatus.WATCHING) return
    protection.filled(timeMs, atoms)
    if (protection.status !== ProtectionStatus.WATCHING) this.reached.add(account)
  }

  /** The one whose cancels come next: of several, that of the lowest account. */
  get due(): ProtectionTerms | undefined {
    if (this.reached.size === 0) return undefined
    return this.byAccount.get(AccountId(Math.min(...this.reached)))?.terms
  }

  write(image: ImageWriter): void {
    const { all } = this
    image.word(all.length)
    for (const { terms, status, moments } of all) {
      ProtectionImage.write(image, { ...terms, status, momentCount: moments.length })
      for (const moment of moments) MomentImage.write(image, moment)
    }
  }

  read(image: ImageReader): void {
    for (let left = image.word(); left > 0; left--) {
      const { momentCount, ...terms } = ProtectionImage.read(image)
      this.set(terms)
      const protection = this.byAccount.get(terms.account)!
      for (let i = 0; i < momentCount; i++) protection.add(MomentImage.read(image))
    }
  }

  hash(sink: HashSink): void {
    for (const { terms, status, moments } of this.all) {
      sink.word(terms.account)
      sink.word(status)
      sink.int(terms.windowMs)
      sink.int(terms.maxFills)
      sink.int(terms.maxNotional)
      for (const { timeMs, fills, atoms } of moments) {
        sink.int(timeMs)
        sink.int(fills)
        sink.int(atoms)
      }
    }
  }

  private get all(): readonly Protection[] {
    return [...this.byAccount.values()].sort((a, b) => a.terms.account - b.terms.account)
  }
}
