/**
 * An operator's action is a row of `commands.ts`, shown by the command line and HTTP. A row reads its
 * arguments and returns facts; it changes nothing itself.
 */
import {
  checkNames,
  type InputOf,
  type InputRow,
  isName,
  NAME_FORM,
  readInput,
  type Table,
} from '../base/cold-input.ts'
import { parseDecimal } from '../base/fixed.ts'
import { RATE_DECIMALS } from '../base/limits.ts'
import type { Time } from '../base/time.ts'
import type { AccountId, AssetId, Ms } from '../base/units.ts'
import type { VirtualClock } from '../base/virtual-clock.ts'
import { ConfigError, readTables } from '../config/config.ts'
import type { SavedState, StateKind } from '../journal/states.ts'
import type { FilledOrder, FillWish } from '../sandbox/requests.ts'
import type { LatencyReader } from '../shared/account-latency.ts'
import type { OrdersToCancel } from '../shared/control-message.ts'
import type { CounterReading } from '../shared/counters.ts'
import type { DiskReading } from '../shared/disk.ts'
import type { OperatorQuery, OperatorQueryAnswer } from '../shared/operator-query.ts'
import type { RoleReading } from '../shared/role.ts'
import type { Warning } from '../telemetry/warning-log.ts'
import type { ActionFact, Fact } from './facts.ts'
import type { FaultBook } from './fault-book.ts'
import { jsonFault } from './json-fault.ts'
import type { ListedAction, Preview, TableRow } from './listed-action.ts'
import type { Registry } from './registry.ts'
import type { Role } from './role.ts'
import type { OwnerToken } from './token.ts'
import type { Vault } from './vault.ts'

export type { ActionAnswer, ActionParam, Preview, TableRow } from './listed-action.ts'

/** Why an action is refused: one sentence for the operator. Nothing has changed. */
export class ActionError extends Error {
  override readonly name = 'ActionError'
}

/** The exchange is stopping. Nothing has changed, and the next start may be asked again. */
export class StoppingError extends ActionError {
  constructor() {
    super('The exchange is stopping.')
  }
}

/** Why an operator may not act: the role is too low. Nothing has changed. */
export class RoleError extends Error {
  override readonly name = 'RoleError'
}

/** What an action has to show once all is done. */
export interface Reported {
  readonly said: string
  readonly rows: readonly TableRow[]
  /** What `after` must be for the next page. */
  readonly more?: string
}

/** The result of an action. */
export interface Outcome {
  /** Journaled together, in this order. */
  readonly facts?: readonly Fact[]
  /** A sentence that reports the action. */
  readonly said: string
  /** All is as it was, so the action is neither journaled nor counted. */
  readonly changesNothing?: boolean
  /** Open orders that are canceled once the facts are in force. */
  readonly cancels?: Omit<OrdersToCancel, 'kind'>
  /** Resolves to facts that follow from the canceling, in place of `facts`. Rejects with ActionError. */
  readonly settles?: () => Promise<readonly Fact[]>
  /**
   * Resolves to what replaces an empty `said`, and `rows`, when all is done; gets the action as it was journaled.
   * Rejects with ActionError.
   */
  readonly report?: (action: ActionFact) => Promise<string | Reported>
  /** A table to show; all rows have the same columns. */
  readonly rows?: readonly TableRow[]
  /** Where a copy of the data folder is made, once the action is journaled. */
  readonly backupTo?: string
  /** What the copy becomes; a backup when left out. */
  readonly backupAs?: StateKind
  /** Called when the moment that the copy shows is decided. */
  readonly cutAt?: () => void
  /** Resolves to what is reported of the copy, once it is made. Rejects with ActionError. */
  readonly copied?: () => Promise<string | Reported>
  /** What `after` must be for the next page; left out when the rows fill no page. */
  readonly more?: string
  /** Done after the facts are in force. Other actions do not wait for a snapshot. */
  readonly next?: 'drain' | 'stop' | 'snapshot' | 'reload' | 'promote'
  /** What `reload` puts into force. */
  readonly reread?: Reread
  /** The member that becomes the leader. */
  readonly successor?: string
}

/** What a reload has read, all of it sound. */
export interface Reread {
  readonly hasTls: boolean
  /** When the certificate ends; left out without TLS. */
  readonly certificateEndMs?: number
  /** Puts where alerts go into force; left out without `--alerts`. */
  readonly takeAlerts?: () => void
  /** Addresses and ranges, with commas. */
  readonly trustedProxies: string
  readonly exemptAddresses: string
  readonly sbe: 'on' | 'off'
  /** Sentences about what is different. */
  readonly said: string
}

/** How far the copying of a backup is. */
export interface BackupProgress {
  readonly blocks: number
  readonly ofAll: number
  readonly seconds: number
}

export interface JournalPoint {
  readonly published: number
  readonly checkpointed: number
  readonly archived: number
}

/** What actions may read of the exchange. */
export interface ExchangeView {
  /** Free and locked, atoms. */
  balance(account: AccountId, asset: AssetId): { readonly free: bigint; readonly locked: bigint }
  /** Free and locked of all accounts together, atoms. */
  total(asset: AssetId): bigint
  /** The matcher that owns the symbol until the exchange stops. */
  matcherOf(symbol: number): number
  /** By symbol id: events journaled since the start. */
  symbolEvents(): readonly number[]
  /** Open orders of the account on the symbol, as counted last. */
  openOrders(symbol: number, account: AccountId): number
  /** Resolves to the gateway's answer. */
  ask(gateway: number, query: OperatorQuery): Promise<OperatorQueryAnswer>
  counters(): readonly CounterReading[]
  /** What timed requests of accounts took. */
  readonly latency: Pick<LatencyReader, 'accounts' | 'read'>
  /** By matcher: positions of the last block that was published, moved into LMDB, and archived. */
  journals(): readonly JournalPoint[]
  isReady(): boolean
  /** Reading of the disk that holds the data folder. */
  disk(): DiskReading
  /** Sentences about parts that are not what they should be, though orders are accepted. */
  degraded(): readonly string[]
  /** The role among the members of a quorum; undefined without one. */
  role(): RoleReading | undefined
  /** Up to `limit` of the last warnings of the log, the newest first. */
  warnings(limit: number): readonly Warning[]
  /** Progress of the backup that is under way; undefined without one. */
  backup(): BackupProgress | undefined
  /** Reads again what `reload` puts into force. Throws an Error with one sentence when any of it is bad. */
  readAgain(): Reread
  readonly matchers: number
  readonly gateways: number
  readonly accountsMax: number
  readonly ownerToken: Pick<OwnerToken, 'earlierTokens' | 'rotate'>
  /** The rules of the sandbox; undefined while it is off. */
  readonly faults: FaultBook | undefined
  /** What moves the time; undefined where it is the machine's. */
  readonly clock: VirtualClock | undefined
  /** The saved states of the sandbox; undefined while it is off. */
  readonly states: States | undefined
  /** Networks between clients and the exchange; undefined unless it is within a program. */
  readonly networks: Networks | undefined
  /** The machine's clock; undefined where the exchange does not watch it. */
  readonly machineClock: MachineClock | undefined
  /** By how much this machine's clock is ahead of the quorum's servers, ms; undefined while that is not known. */
  quorumAheadMs(): number | undefined
  /** Resolves to by how much the last journaled moment is ahead of the exchange's time, ms. */
  journalAheadMs(): Promise<number>
  /** Whether old blocks of the journals were removed. */
  hasRemovedBlocks(): boolean
  /** Ends all connections, and resolves when the same exchange serves again on what is journaled. */
  startAgain(): Promise<void>
}

/** What actions read of the machine's clock, and decide about it. */
export interface MachineClock {
  reading(): MachineReading
  /** Goes by the machine's clock from now on. */
  accept(): void
}

export interface MachineReading {
  readonly machineMs: number
  /** The exchange's own time. */
  readonly nowMs: number
  /** By how much the machine's clock is ahead and not believed; undefined while it is believed. */
  readonly doubt: { readonly aheadMs: number } | undefined
}

/** Networks, as actions use them: each by its port. All that is refused is an Error with one sentence. */
export interface Networks {
  rows(): readonly NetworkReading[]
  /** Conditions are checked as they come from JSON. */
  add(conditions: unknown): Promise<{ reading(): NetworkReading }>
  set(port: number, conditions: unknown): Promise<void>
  reset(port: number): void
  remove(port: number): Promise<void>
}

export type NetworkReading = TableRow & { readonly network: number; readonly url: string }

/** The saved states, as actions use them. */
export interface States {
  rows(): readonly SavedState[]
  /** Returns the folder of a new state. Throws ActionError when there is no room for one of this name. */
  folderFor(kind: StateKind, name: string): string
  /** Returns the folder of a state that `install` moves to this path. Throws ActionError when it can be none. */
  folderForPath(target: string): string
  /** Puts a new state in place. Rejects with ActionError, and leaves nothing there. */
  install(folder: string, target: string): Promise<void>
  /** Returns the state in a folder outside of the data folder. Throws ActionError. */
  at(target: string): SavedState
  /** Throws ActionError for a fork on which an exchange runs. */
  remove(state: SavedState): void
  /** Continues from a saved state, whose log gets the action. Rejects with ActionError. */
  load(state: SavedState, action: ActionFact): Promise<void>
  /** Continues from the data folder's first content. Rejects with ActionError. */
  reset(action: ActionFact): Promise<void>
  /** Begins a mark of the present moment, unless one is of it already. Throws ActionError. */
  mark(): MarkBegun | { readonly mark: string }
  /** Goes back to a mark. Resolves to the next mark of the same moment. Rejects with ActionError. */
  revert(mark: string, sockets: RevertSockets): Promise<string>
}

/** What becomes of the sockets of clients at a revert. */
export const REVERT_SOCKETS = ['end', 'keep'] as const
export type RevertSockets = (typeof REVERT_SOCKETS)[number]

/** A mark whose copy is to be made. */
export interface MarkBegun {
  /** Where the copy is made. */
  readonly folder: string
  /** Called at the moment of the mark. */
  readonly cut: () => void
  /** Resolves to the mark, once it can be reverted to. Rejects with ActionError. */
  readonly copied: () => Promise<string>
}

/** Returns a preview as a question with what follows from it. */
export const previewText = ({ does, note }: Preview): string => `${does}? ${note}`.trim()

export interface ActionContext {
  readonly registry: Registry
  readonly vault: Vault
  readonly view: ExchangeView
  /** When the action began. */
  readonly nowMs: Ms
  readonly time: Time
  /** Fills orders of the sandbox, in the `report` of an action; undefined before the exchange runs. */
  readonly counterparty?: { fill(wish: FillWish): Promise<FilledOrder> }
}

/** The headings of help and manual, in their order. */
export const actionGroups = {
  trading: 'Orders and trades',
  sessions: 'Sessions',
  market: 'Market',
  matchers: 'Matchers',
  accounts: 'Accounts',
  keys: 'API keys',
  money: 'Money',
  wallet: 'Deposits and withdrawals',
  exchange: 'Exchange',
  sandbox: 'Sandbox',
  operators: 'Operators',
} as const
export type ActionGroup = keyof typeof actionGroups

export interface ActionRow extends ListedAction {
  readonly group: ActionGroup
  readonly role: Role
  /** Returns the values that the other parameters have at present, as their texts. */
  present?(args: Arguments, context: ActionContext): Readonly<Record<string, string>>
  /**
   * Returns what a dangerous action would do: a terminal and a screen ask about it, and a dry run prints it.
   * Undefined when it would change nothing. `outcome` is what `run` returned.
   */
  previews?(args: Arguments, context: ActionContext, outcome: Outcome): Preview | undefined
  run(args: Arguments, context: ActionContext): Outcome | Promise<Outcome>
}

/** A row before it has its group, in force at once unless it says otherwise. */
type OwnRow = Omit<ActionRow, 'group' | 'isImmediate'> & { readonly isImmediate?: false }

/** Rows of one group. */
export const actionsOf = (group: ActionGroup, rows: readonly OwnRow[]): readonly ActionRow[] =>
  rows.map((row) => ({ isImmediate: true, ...row, group }))

/** What arguments are read by. */
type ArgumentsRow = Pick<ActionRow, 'name' | 'params' | 'example'>
/** Arguments by name. */
type Given = Readonly<Record<string, unknown>>

/** Far above any commission. */
const RATES_END = 10 * 10 ** RATE_DECIMALS
const AMOUNT = /^(-?)([0-9]{1,20})(?:\.([0-9]{1,20}))?$/

/** Returns a flag's text. */
export const flagText = (flag: boolean): string => (flag ? 'on' : 'off')

/** The arguments of one action, each read on demand; `otherwise` is what one is that was not given. Throws ActionError. */
export class Arguments {
  private readonly row: ArgumentsRow
  private readonly given: Given

  /** `given` holds text from the command line, or JSON values from HTTP. */
  constructor(row: ArgumentsRow, given: Given) {
    this.row = row
    this.given = given
    const names = row.params.map((param) => param.name)
    checkNames(Object.keys(given), names, (name, hint) => {
      throw new ActionError(`${row.name} has no parameter ${name}.${hint}`)
    })
    for (const param of row.params) {
      if (param.required && !this.has(param.name)) {
        const example = `Example: ringbook ${row.example}`
        throw new ActionError(`${row.name} needs the argument ${param.name}. ${example}`)
      }
    }
  }

  has(name: string): boolean {
    return this.given[name] !== undefined
  }

  text(name: string, otherwise?: string): string {
    const value = this.has(name) ? this.given[name] : otherwise
    const { choices } = this.row.params.find((param) => param.name === name)!
    if (typeof value !== 'string' && typeof value !== 'number') return refuse(name, 'text')
    if (choices === undefined) return String(value)
    return readInput({ kind: 'choice', choices }, value, (must) => refuse(name, must))
  }

  read<const Row extends InputRow>(row: Row, name: string): InputOf<Row> {
    return readInput(row, this.text(name), (must) => refuse(name, must))
  }

  /** A word that can be an account's name. */
  name(name: string): string {
    const text = this.text(name)
    return isName(text) ? text : refuse(name, NAME_FORM)
  }

  integer(name: string, min: number, max: number, otherwise?: number): number {
    if (otherwise !== undefined && !this.has(name)) return otherwise
    return this.read({ kind: 'integer', min, max }, name)
  }

  /** In 1e-8. */
  rate(name: string, otherwise: number): number {
    if (!this.has(name)) return otherwise
    const rate = parseDecimal(this.text(name), RATE_DECIMALS)
    if (rate >= 0 && rate < RATES_END) return rate
    return refuse(name, 'a share of at most 8 decimals, such as 0.001')
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.given[name]
    if (value === undefined) return otherwise
    if (value === true || value === 'on' || value === 'true') return true
    if (value === false || value === 'off' || value === 'false') return false
    return refuse(name, '"on" or "off"')
  }

  list(name: string, otherwise?: readonly string[]): readonly string[] {
    if (otherwise !== undefined && !this.has(name)) return otherwise
    const value = this.given[name]
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
    const text = this.text(name)
    return text === '' ? [] : text.split(',').map((item) => item.trim())
  }

  /** JSON, given as its text or as the value. */
  json(name: string): unknown {
    const value = this.given[name]
    if (typeof value !== 'string') return value
    try {
      return JSON.parse(value)
    } catch {
      throw new ActionError(`${name} is not JSON: ${jsonFault(value)}.`)
    }
  }

  /** Above zero, in atoms. */
  amount(name: string, decimals: number): bigint {
    return readAmount(name, this.text(name), decimals)
  }
}

function refuse(name: string, what: string): never {
  throw new ActionError(`${name} must be ${what}.`)
}

/** Returns the atoms of a decimal above zero. Throws ActionError, which names it by `name`. */
export function readAmount(name: string, text: string, decimals: number): bigint {
  const [, sign, whole, fraction = ''] = AMOUNT.exec(text) ?? []
  const digits = fraction.replace(/0+$/, '')
  if (whole === undefined || digits.length > decimals) {
    return refuse(name, `a decimal of at most ${decimals} places`)
  }
  const atoms = BigInt(whole + digits.padEnd(decimals, '0'))
  return atoms > 0n && sign === '' ? atoms : refuse(name, 'positive')
}

/** Returns what the text of a TOML file holds. Throws ActionError, which names it by `what`. */
export function parseTables(what: string, text: string): Table {
  try {
    return readTables(what, () => text)
  } catch (error) {
    throw error instanceof ConfigError ? new ActionError(error.message) : error
  }
}
