/**
 * The sum of the control journal's facts: assets, symbols, accounts, keys, deposits, and the number of
 * starts. The main thread builds it at start and hands it on as plain values.
 */

import { SymbolStatus } from '../base/codes.ts'
import { type Correction, withCorrection } from '../base/corrections.ts'
import { formatBigDecimal } from '../base/fixed.ts'
import { int64 } from '../base/int64.ts'
import { ASSETS_MAX, RATE_DECIMALS, RATE_MAX, SYMBOLS_MAX, WIRE_DECIMALS } from '../base/limits.ts'
import { type AccountId, AssetId, Atoms, Ms, type SymbolId } from '../base/units.ts'
import { LayoutError } from '../journal/block.ts'
import { assetLimits, exchangeBounds } from '../market/filter-bounds.ts'
import {
  type AccountSpec,
  type AssetSpec,
  type ExchangeSpec,
  plainExchange,
  type SymbolGroup,
  type SymbolSpec,
  specifySymbol,
  usualAccount,
} from '../market/listing.ts'
import {
  CHAINS_MAX,
  type ChainSpec,
  checkChain,
  checkNetwork,
  NETWORKS_MAX,
  type NetworkSpec,
  networkAmounts,
} from '../market/network.ts'
import { RATES, standardRates, sumRates, surcharges } from '../market/rates.ts'
import type { SeededKlines } from '../market/seeded-klines.ts'
import { ActionLog } from './action-log.ts'
import type {
  AccountFact,
  ActionFact,
  AssetFact,
  BackupFact,
  ChainFact,
  CorrectionFact,
  DemoFact,
  DepositFact,
  ExchangeFact,
  ExternalLockFact,
  Fact,
  GroupFact,
  HeldFact,
  JournalsFact,
  KeyFact,
  MaintenanceFact,
  NetworkFact,
  OperatorFact,
  PlacementFact,
  ScheduleFact,
  SeedOrder,
  StartFact,
  SymbolFact,
  TransitionFact,
  WithdrawalFact,
} from './facts.ts'
import { checkKey } from './keys.ts'
import { FAUCET } from './operators.ts'
import { Schedules } from './schedule/schedules.ts'

/** The sum of operators' moves of one account in one asset. */
interface Sum {
  readonly account: AccountId
  readonly asset: AssetId
  atoms: bigint
  /** Time of the last of these moves. */
  timeMs: Ms
}

/** The most of one asset, so that no balance outgrows its 64 bits. */
const ASSET_ATOMS_MAX = 2n ** 62n

export class Registry {
  readonly assets: AssetSpec[] = []
  readonly symbols: SymbolSpec[] = []
  readonly chains: ChainSpec[] = []
  readonly networks: NetworkSpec[] = []
  readonly accounts: AccountSpec[] = []
  readonly keys = new Map<string, KeyFact>()
  /** Deposits less withdrawals. */
  readonly deposits: Sum[] = []
  /** The part of them that `reset-account` moved. */
  private readonly resets: Sum[] = []
  /** What is locked from outside. */
  readonly externalLocks: Sum[] = []
  /** By symbol id: the matcher that the operator or a measurement placed it on. */
  readonly placements = new Map<
    number,
    { readonly matcher: number; readonly isMeasured: boolean }
  >()
  /** By name of their base asset: groups of symbols, from the next start on. */
  readonly groups = new Map<string, GroupFact>()
  /** Those that the last start has in force. */
  startedGroups: readonly SymbolGroup[] = []
  readonly closedAccounts = new Set<number>()
  readonly delistedSymbols = new Set<number>()
  /** Ids of symbols that are halted only because all were. */
  readonly haltedWithAll = new Set<number>()
  isUnderMaintenance = false
  /** Whether the data folder was made as a demo whose liquidity is on by default. */
  isDemo = false
  /** By name. */
  readonly operators = new Map<string, OperatorFact>()
  schedules = new Schedules()
  readonly log = new ActionLog()
  /** Orders of the seed that are not placed yet. */
  seedOrders: readonly SeedOrder[] = []
  /** Klines of seeds, which symbols begin with. */
  readonly klines: SeededKlines[] = []
  exchange: ExchangeSpec = plainExchange
  epoch = 0
  /** Matchers of the last start; 0 when it did not say. */
  matchers = 0
  /** By symbol id: the matcher that owns it since the last start, or since its listing. */
  owners: number[] = []
  /** The last moment of any fact, as it is shown. */
  lastMs = Ms(0)
  /** Corrections of the clock, in their order. */
  corrections: readonly Correction[] = []
  /** The moment of the newest backup; 0 without one. */
  backupMs = Ms(0)
  /** The least number of journals. */
  journals = 0
  /** The highest of all symbols. */
  private surcharges = highest([])
  private _depositCount = 0
  /** By asset: what operators put into the exchange and took out of it. */
  private readonly issues = new Map<number, Issued>()
  /** Of the action whose facts are being applied. */
  private lastDeposit: DepositFact | undefined

  /**
   * Throws RangeError for a fact that the exchange has no room for or cannot represent, LayoutError
   * for a start that wrote its journals in a layout that is not read.
   */
  apply(fact: Fact): void {
    if ('timeMs' in fact) this.lastMs = Ms(Math.max(this.lastMs, fact.timeMs))
    this.change(fact)
  }

  /** Returns a registry of the same facts. Facts that move money must not be applied to it. */
  trial(): Registry {
    const trial = new Registry()
    trial.assets.push(...this.assets)
    trial.symbols.push(...this.symbols)
    trial.chains.push(...this.chains)
    trial.networks.push(...this.networks)
    trial.accounts.push(...this.accounts)
    for (const [apiKey, key] of this.keys) trial.keys.set(apiKey, key)
    for (const [symbol, placed] of this.placements) trial.placements.set(symbol, placed)
    for (const [base, group] of this.groups) trial.groups.set(base, group)
    for (const id of this.closedAccounts) trial.closedAccounts.add(id)
    for (const id of this.delistedSymbols) trial.delistedSymbols.add(id)
    trial.schedules = this.schedules.copy()
    trial.exchange = this.exchange
    trial.surcharges = this.surcharges
    return trial
  }

  /** How many deposits there are. */
  get depositCount(): number {
    return this._depositCount
  }

  /** Returns the deposits of the asset less its withdrawals. */
  deposited(asset: AssetId): bigint {
    return Object.values(this.issued(asset)).reduce((sum, atoms) => sum + atoms, 0n)
  }

  /** Returns the terms of which that is the sum. */
  issued(asset: AssetId): Readonly<Issued> {
    return this.issues.get(asset) ?? nothingIssued
  }

  /** Returns what may still be deposited of the asset. */
  roomFor(asset: AssetId): bigint {
    return ASSET_ATOMS_MAX - this.deposited(asset)
  }

  /** What is locked from outside of one account's asset. */
  externallyLocked(account: AccountId, asset: AssetId): bigint {
    return sumOf(this.externalLocks, account, asset)
  }

  /** What the account was given of the asset: deposits less withdrawals, without those of resets. */
  given(account: AccountId, asset: AssetId): bigint {
    return sumOf(this.deposits, account, asset) - sumOf(this.resets, account, asset)
  }

  /**
   * Returns the matcher that owns a symbol: its placement, or else by the order of listing. A group goes with its
   * first symbol.
   */
  matcherOf(symbolId: SymbolId, matchers: number): number {
    const leading = this.leadingOf(symbolId)
    const placed = this.placements.get(leading)?.matcher
    return placed !== undefined && placed < matchers ? placed : leading % matchers
  }

  /** The first symbol of the group, which is placed for all of them; the symbol itself in no group. */
  leadingOf(symbolId: SymbolId): SymbolId {
    for (const { symbols } of this.groups.values()) {
      if (symbols.includes(symbolId)) return symbols[0]!
    }
    return symbolId
  }

  /** Returns the matcher that owns a symbol now, whatever was placed since the last start. */
  ownerOf(symbolId: SymbolId, matchers: number): number {
    return this.owners[symbolId] ?? this.matcherOf(symbolId, matchers)
  }

  /** Returns the symbol that the fact lists or changes. Throws RangeError for an unknown asset. */
  specify(fact: SymbolFact): SymbolSpec {
    const {
      fact: _,
      base,
      quote,
      delisted: __,
      haltedWithAll: ___,
      byOperator: ____,
      ...listing
    } = fact
    const assets = { base: this.assetNamed(base), quote: this.assetNamed(quote) }
    const before = this.symbols[fact.id]
    const spec = specifySymbol({ ...listing, ...assets }, before)
    if (before !== undefined) checkUnits(spec, before)
    const { special, tax } = spec.fees
    const added = surcharges(spec.fees)
    checkRates(`symbol ${fact.name}`, [...Object.values(special), ...Object.values(tax), ...added])
    if (added.some((rate) => rate > 0)) {
      const standard = this.accounts.map((account) => sumRates(standardRates(account)))
      checkSums(`the fees of symbol ${fact.name} an account`, added, highest(standard))
    }
    return spec
  }

  assetNamed(name: string): AssetSpec {
    const asset = this.assets.find((candidate) => candidate?.name === name)
    if (asset === undefined) throw new RangeError(`asset ${name} is not listed`)
    return asset
  }

  private change(fact: Fact): void {
    switch (fact.fact) {
      case 'start':
        this.start(fact)
        break
      case 'asset':
      case 'chain':
      case 'network':
        this.list(fact)
        break
      case 'symbol':
        this.symbol(fact)
        break
      case 'exchange':
        this.exchange = this.exchangeOf(fact)
        break
      case 'account':
        this.setAccount(fact)
        break
      case 'key':
        this.setKey(fact)
        break
      case 'deposit':
      case 'withdrawal':
      case 'lock':
        this.move(fact)
        break
      case 'placement':
      case 'group':
        this.assign(fact)
        break
      case 'seed':
        this.seedOrders = fact.orders
        break
      case 'klines':
        this.klines.push(fact)
        break
      case 'first':
        break
      case 'demo':
      case 'journals':
      case 'maintenance':
      case 'backup':
        this.mark(fact)
        break
      case 'correction':
      case 'transition':
      case 'schedule':
      case 'held':
        this.applyTimed(fact)
        break
      case 'operator':
        this.setOperator(fact)
        break
      case 'act':
        this.log.add(fact)
        this.own()
        this.attribute(fact)
        break
      default:
        fact satisfies never
    }
  }

  private mark(fact: DemoFact | JournalsFact | MaintenanceFact | BackupFact): void {
    if (fact.fact === 'demo') this.isDemo = true
    else if (fact.fact === 'journals') this.journals = fact.count
    else if (fact.fact === 'maintenance') this.isUnderMaintenance = fact.on
    else this.backupMs = fact.timeMs
  }

  private list(fact: AssetFact | ChainFact | NetworkFact): void {
    if (fact.fact === 'asset') {
      const { id, name } = fact
      bound('asset', id, ASSETS_MAX)
      this.assets[id] = { id, name }
    } else if (fact.fact === 'chain') {
      const { fact: _, ...chain } = fact
      bound('chain', chain.id, CHAINS_MAX)
      checkChain(chain)
      this.chains[chain.id] = chain
    } else {
      const { fact: _, ...texts } = fact
      const amounts = networkAmounts.map((name) => [name, Atoms(int64(BigInt(fact[name])))])
      const network: NetworkSpec = { ...texts, ...Object.fromEntries(amounts) }
      bound('network', network.id, NETWORKS_MAX)
      checkNetwork(network)
      this.networks[network.id] = network
    }
  }

  /** Gives symbols that the action has listed to their matchers. */
  private own(): void {
    if (this.matchers === 0) return
    const listed = this.symbols.slice(this.owners.length)
    this.owners.push(...listed.map(({ id }) => this.matcherOf(id, this.matchers)))
  }

  private symbol(fact: SymbolFact): void {
    const { id, status, delisted, haltedWithAll, byOperator } = fact
    bound('symbol', id, SYMBOLS_MAX)
    const before = this.symbols[id]
    const spec = this.specify(fact)
    this.symbols[id] = spec
    this.schedules.noteStatus(id, status, byOperator)
    if (delisted === true) this.delistedSymbols.add(id)
    if (haltedWithAll === true) this.haltedWithAll.add(id)
    if (haltedWithAll === false || status !== SymbolStatus.HALT) this.haltedWithAll.delete(id)
    this.surcharges =
      before === undefined
        ? highest([this.surcharges, surcharges(spec.fees)])
        : highest(this.symbols.map(({ fees }) => surcharges(fees)))
  }

  /** What was noted with a later time is of the moment of the correction. */
  private correct({ fromMs, toMs }: CorrectionFact): void {
    this.corrections = withCorrection(this.corrections, { fromMs, toMs })
    this.lastMs = Ms(Math.min(this.lastMs, fromMs))
    this.backupMs = Ms(Math.min(this.backupMs, fromMs))
    const noLater = <T extends { timeMs: Ms }>(row: T): T =>
      row.timeMs > fromMs ? { ...row, timeMs: fromMs } : row
    for (const rows of [this.deposits, this.resets, this.externalLocks]) {
      rows.splice(0, rows.length, ...rows.map(noLater))
    }
    for (const [id, spec] of this.symbols.entries()) {
      if (spec.statusMs > fromMs) this.symbols[id] = { ...spec, statusMs: fromMs }
    }
    for (const [id, account] of this.accounts.entries()) {
      if ((account.openedMs ?? 0) > fromMs) this.accounts[id] = { ...account, openedMs: fromMs }
    }
    for (const [apiKey, key] of this.keys) {
      if ((key.createdMs ?? 0) > fromMs) this.keys.set(apiKey, { ...key, createdMs: fromMs })
    }
    this.schedules.correct(fromMs)
  }

  private start({ epoch, layout = 1, matchers = 0, owners = [], isTakeOver }: StartFact): void {
    LayoutError.check('The data folder', layout)
    this.epoch = epoch
    this.matchers = matchers
    this.owners = [...owners]
    if (isTakeOver !== true) this.startGroups()
  }

  /** Puts groups in force. One whose symbols several matchers own waits for a start that places them together. */
  startGroups(): void {
    this.startedGroups = this.joinableGroups
  }

  get joinableGroups(): readonly SymbolGroup[] {
    return [...this.groups.values()]
      .filter(({ symbols }) => new Set(symbols.map((id) => this.owners[id])).size === 1)
      .map(({ base, symbols, account }) => ({ base: this.assetNamed(base), symbols, account }))
  }

  private move(fact: DepositFact | WithdrawalFact | ExternalLockFact): void {
    if (fact.fact === 'deposit') this.deposit(fact)
    else if (fact.fact === 'withdrawal') this.fund(fact, -BigInt(fact.atoms))
    else add(this.externalLocks, fact, BigInt(fact.atoms))
  }

  private setKey(fact: KeyFact): void {
    checkKey(fact)
    this.keys.set(fact.apiKey, fact)
  }

  private setOperator(fact: OperatorFact): void {
    if (fact.tokenHash === '') this.operators.delete(fact.name)
    else this.operators.set(fact.name, fact)
  }

  private setAccount(fact: AccountFact): void {
    this.accounts[fact.id] = this.account(fact)
    if (fact.closed === true) this.closedAccounts.add(fact.id)
  }

  private applyTimed(fact: CorrectionFact | ScheduleFact | TransitionFact | HeldFact): void {
    if (fact.fact === 'correction') {
      this.correct(fact)
      return
    }
    this.schedules.apply(fact)
    if (fact.fact !== 'transition') return
    for (const id of fact.symbols) this.setStatus(id, fact)
  }

  private setStatus(id: SymbolId, { status, dueMs }: TransitionFact): void {
    const spec = this.symbols[id]
    if (spec === undefined) throw new RangeError(`there is no symbol ${id}`)
    this.symbols[id] = { ...spec, status, statusMs: dueMs }
    this.schedules.noteStatus(id, status)
    if (status !== SymbolStatus.HALT) this.haltedWithAll.delete(id)
  }

  private assign(fact: PlacementFact | GroupFact): void {
    if (fact.fact === 'group') {
      if (fact.symbols.length === 0) this.groups.delete(fact.base)
      else this.groups.set(fact.base, fact)
      return
    }
    const { symbol, matcher, measured } = fact
    if (matcher < 0) this.placements.delete(symbol)
    else this.placements.set(symbol, { matcher, isMeasured: measured === true })
  }

  private exchangeOf({ filters, discountAsset, discountRate }: ExchangeFact): ExchangeSpec {
    const refuse = (why: string): never => {
      throw new RangeError(`the exchange's filters are refused: ${why}`)
    }
    exchangeBounds(filters, refuse)
    const limits = assetLimits(filters, (asset) => this.assetNamed(asset).id, refuse)
    if (!isRate(discountRate) || discountRate > 10 ** RATE_DECIMALS) {
      throw new RangeError('the discount is not a share of the standard commission')
    }
    const discountAssetId = discountAsset === '' ? -1 : this.assetNamed(discountAsset).id
    return {
      filters,
      assetLimits: limits,
      discountAssetId: AssetId(discountAssetId),
      discountRate,
    }
  }

  private account({ fact: _, ...fact }: AccountFact): AccountSpec {
    const account = { ...usualAccount, ...fact }
    const rates = standardRates(account)
    const sums = sumRates(rates)
    checkRates(`account ${fact.name}`, [...Object.values(rates), ...sums])
    checkSums(`these fees account ${fact.name}`, sums, this.surcharges)
    return account
  }

  private deposit(fact: DepositFact): void {
    const { asset, atoms, category } = fact
    if (category === '') throw new RangeError('a distribution has no category')
    if (BigInt(atoms) > this.roomFor(asset)) {
      const most = formatBigDecimal(ASSET_ATOMS_MAX, WIRE_DECIMALS)
      throw new RangeError(`there is room for ${most} ${this.assets[asset]?.name} (2^62 atoms)`)
    }
    this._depositCount++
    this.fund(fact, BigInt(atoms))
  }

  private termOf(fact: DepositFact | WithdrawalFact): keyof Issued {
    if (this.epoch === 0) return 'seed'
    if (fact.reset === true) return 'resets'
    if (fact.fact === 'withdrawal') return 'withdrawals'
    if (fact.category !== undefined) return 'distributions'
    this.lastDeposit = fact
    return 'deposits'
  }

  private issue(asset: AssetId, term: keyof Issued, atoms: bigint): void {
    const issued = this.issued(asset)
    this.issues.set(asset, { ...issued, [term]: issued[term] + atoms })
  }

  /** A deposit by the faucet has that as its term. */
  private attribute({ by }: ActionFact): void {
    if (this.lastDeposit !== undefined && by === FAUCET.name) {
      const { asset, atoms } = this.lastDeposit
      this.issue(asset, 'deposits', -BigInt(atoms))
      this.issue(asset, 'faucet', BigInt(atoms))
    }
    this.lastDeposit = undefined
  }

  private fund(fact: DepositFact | WithdrawalFact, atoms: bigint): void {
    add(this.deposits, fact, atoms)
    if (fact.reset === true) add(this.resets, fact, atoms)
    this.issue(fact.asset, this.termOf(fact), atoms)
  }
}

/** Terms of the proof of funds, of one asset: what each kind of action put in, less what it took out. */
export interface Issued {
  /** Before the first start. */
  readonly seed: bigint
  readonly deposits: bigint
  readonly withdrawals: bigint
  readonly distributions: bigint
  readonly faucet: bigint
  readonly resets: bigint
}

const nothingIssued: Issued = {
  seed: 0n,
  deposits: 0n,
  withdrawals: 0n,
  distributions: 0n,
  faucet: 0n,
  resets: 0n,
}

const sumOf = (sums: readonly Sum[], account: AccountId, asset: AssetId): bigint =>
  sums.find((row) => row.account === account && row.asset === asset)?.atoms ?? 0n

function add(sums: Sum[], { account, asset, timeMs }: Omit<Sum, 'atoms'>, atoms: bigint): void {
  const row = sums.find((it) => it.account === account && it.asset === asset)
  if (row === undefined) sums.push({ account, asset, atoms, timeMs })
  else {
    row.atoms += atoms
    row.timeMs = timeMs
  }
}

/** Journals hold ticks and lots, so their sizes must not change. */
function checkUnits({ name, tickUnits, lotUnits }: SymbolSpec, before: SymbolSpec): void {
  if (tickUnits === before.tickUnits && lotUnits === before.lotUnits) return
  throw new RangeError(`symbol ${name} cannot be changed: it would count in other ticks or lots`)
}

const isRate = (rate: number): boolean => Number.isSafeInteger(rate) && rate >= 0

function checkRates(whose: string, rates: readonly number[]): void {
  if (!rates.every(isRate)) throw new RangeError(`${whose} has a rate that is none`)
}

/** Any account may trade on any symbol: no side may pay over half of what it receives. */
function checkSums(withWhose: string, own: readonly number[], others: readonly number[]): void {
  if (own.some((rate, index) => rate + others[index]! > RATE_MAX)) {
    throw new RangeError(`with ${withWhose} could pay more than half of a trade`)
  }
}

/** The highest sum for each side and role. */
function highest(rows: readonly (readonly number[])[]): readonly number[] {
  return Array.from({ length: RATES }, (_, index) =>
    rows.reduce((most, row) => Math.max(most, row[index]!), 0),
  )
}

function bound(what: string, id: number, max: number): void {
  if (id >= max) throw new RangeError(`there is room for ${max} ${what}s, not for another`)
}
