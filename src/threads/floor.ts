/**
 * Where operators' facts come into force: the shared ledger, whose money moves here, and the threads,
 * which are told. Matchers hear before gateways, so that nobody is let in whom a matcher does not know
 * yet. Used on the main thread, one act at a time.
 */
import type { Announcement, BalanceChange } from '#base/announcement.ts'
import { int64ToBigint } from '#base/int64.ts'
import { BALANCE_WORDS, type Balances } from '#core/ledger/balances.ts'
import type { ControlStore } from '#journal/control-store.ts'
import { ActError, type ExchangeView } from '#operator/act.ts'
import type { ExchangeFloor } from '#operator/clerk.ts'
import type { Fact } from '#operator/facts.ts'
import { keySpecOf } from '#operator/keys.ts'
import type { Registry } from '#operator/registry.ts'
import type { Vault } from '#operator/vault.ts'
import type { Doorbell } from '#ring/doorbell.ts'
import type { Member } from './member.ts'

export interface FloorParts {
  readonly registry: Registry
  readonly vault: Vault
  readonly control: ControlStore
  readonly balances: Balances
  readonly accountsMax: number
  readonly matchers: readonly Member[]
  readonly matcherBells: readonly Doorbell[]
  readonly gateways: readonly Member[]
  /** One cell each; written here. How often matchers were told something; 1 under maintenance. */
  readonly announced: SharedArrayBuffer
  readonly maintenance: SharedArrayBuffer
  /** Undefined when no snapshots are made. */
  readonly snapshots: Member | undefined
  readonly drain: () => Promise<void>
  readonly stop: () => void
  readonly fail: (error: Error) => void
}

type Movement = Extract<Fact, { fact: 'deposit' | 'withdrawal' | 'lock' }>

export class Floor implements ExchangeFloor {
  readonly view: ExchangeView
  readonly #parts: FloorParts
  readonly #announced: Int32Array
  /** What the threads know: what was listed since they started they learn when they start again. */
  readonly #symbols: number
  readonly #assets: number

  constructor(parts: FloorParts) {
    const { registry, balances, matchers, accountsMax } = parts
    const words = new Int32Array(BALANCE_WORDS)
    this.#parts = parts
    this.#announced = new Int32Array(parts.announced)
    this.#symbols = registry.symbols.length
    this.#assets = registry.assets.length
    this.#announceMaintenance()
    this.view = {
      balance: (account, asset) => {
        balances.read(account, asset, words)
        return { free: int64ToBigint(words, 1), locked: int64ToBigint(words, 3) }
      },
      total: (asset) => balances.total(asset),
      matchers: matchers.length,
      accountsMax,
    }
  }

  hold(account: number, asset: number, atoms: bigint): boolean {
    return this.#parts.balances.holdExactly(account, asset, atoms)
  }

  release(account: number, asset: number, atoms: bigint): void {
    this.#parts.balances.move(account, asset, 0n, 0n, atoms)
  }

  journal(facts: readonly Fact[]): void {
    this.#parts.control.appendAll(facts)
  }

  async enforce(facts: readonly Fact[]): Promise<void> {
    for (const fact of facts) this.#settle(fact)
    this.#announceMaintenance()
    const announcements = facts.flatMap((fact) => this.#announcementsOf(fact))
    if (announcements.length === 0) return
    const { matchers, gateways } = this.#parts
    const toMatchers = announcements.filter(({ kind }) => kind === 'account' || kind === 'symbol')
    if (toMatchers.length > 0) {
      const heard = matchers.map((matcher) => matcher.announce(toMatchers))
      // After the messages: a matcher that sees the count finds them.
      Atomics.add(this.#announced, 0, 1)
      for (const bell of this.#parts.matcherBells) bell.ring()
      await Promise.all(heard)
    }
    await Promise.all(gateways.map((gateway) => gateway.announce(announcements)))
  }

  drain(): Promise<void> {
    return this.#parts.drain()
  }

  async snapshot(): Promise<string> {
    const { snapshots } = this.#parts
    if (snapshots === undefined) throw new ActError('Snapshots are off (--snapshot-minutes).')
    const { said = '', refused } = await snapshots.snapshot()
    if (refused !== undefined) throw new ActError(refused)
    return said
  }

  stop(): void {
    this.#parts.stop()
  }

  fail(error: Error): void {
    this.#parts.fail(error)
  }

  /** What was taken stands held until now. */
  #settle(fact: Fact): void {
    if (!isMovement(fact)) return
    const { balances } = this.#parts
    const { account, asset, timeMs } = fact
    const atoms = BigInt(fact.atoms)
    if (fact.fact === 'deposit') balances.credit(account, asset, atoms)
    else if (fact.fact === 'withdrawal') balances.move(account, asset, -atoms, 0n, atoms)
    else balances.move(account, asset, -atoms, atoms, atoms > 0n ? atoms : 0n)
    balances.markChanged(account, BigInt(timeMs))
  }

  #announceMaintenance(): void {
    const { maintenance, registry } = this.#parts
    Atomics.store(new Int32Array(maintenance), 0, registry.isUnderMaintenance ? 1 : 0)
  }

  #announcementsOf(fact: Fact): readonly Announcement[] {
    const { registry, vault } = this.#parts
    if (fact.fact === 'account') {
      return [{ kind: 'account', account: registry.accounts[fact.id]! }]
    }
    if (fact.fact === 'symbol' && fact.id < this.#symbols) {
      return [{ kind: 'symbol', symbol: registry.symbols[fact.id]! }]
    }
    if (fact.fact === 'key') return [{ kind: 'key', key: keySpecOf(fact, vault) }]
    if (!isMovement(fact) || fact.asset >= this.#assets) return []
    const announcement = { kind: 'balance', change: changeOf(fact) } as const
    if (fact.fact !== 'deposit' || fact.category === undefined) return [announcement]
    // One act gives one thing: it is the last.
    const distribution = registry.distributions.at(-1)!
    return [announcement, { kind: 'distribution', distribution }]
  }
}

const isMovement = (fact: Fact): fact is Movement =>
  fact.fact === 'deposit' || fact.fact === 'withdrawal' || fact.fact === 'lock'

function changeOf({ fact, account, asset, atoms, timeMs }: Movement): BalanceChange {
  const signed = fact === 'withdrawal' ? `-${atoms}` : atoms
  return { account, assetId: asset, atoms: signed, isLock: fact === 'lock', timeMs }
}
