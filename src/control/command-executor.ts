/**
 * Carries operators' actions out, one after another: reads the arguments, holds the money that leaves,
 * journals the facts, and only then applies them. A refused action has changed nothing. A fact that could
 * not be journaled ends the process, since memory is ahead of the disk.
 */

import { didYouMean } from '../base/cold-input.ts'
import { elapsedMs, type Time } from '../base/time.ts'
import { Turns } from '../base/turns.ts'
import type { AccountId, AssetId } from '../base/units.ts'
import type { BackupCut } from '../journal/backup.ts'
import type { StateKind } from '../journal/states.ts'
import { CONTROL_BYTES_MAX } from '../replica/slots.ts'
import type { OrdersToCancel } from '../shared/control-message.ts'
import {
  type ActionAnswer,
  type ActionContext,
  ActionError,
  type ActionRow,
  Arguments,
  type ExchangeView,
  type Outcome,
  previewText,
  type Reported,
  type Reread,
  RoleError,
  StoppingError,
} from './action.ts'
import { loggedArguments } from './action-log.ts'
import { ActionRates } from './action-rates.ts'
import { notEnough } from './actions/named.ts'
import { actionNamed, actions } from './commands.ts'
import { Counterparty } from './counterparty.ts'
import type { ActionFact, ActionKey, Fact } from './facts.ts'
import { actionKey, KeyedActions } from './keyed-actions.ts'
import type { ActionPreview } from './listed-action.ts'
import { goodTokens, hashToken, mayAct, type Operator, OWNER } from './operators.ts'
import { type FedPrice, ReferenceFeed } from './reference-feed.ts'
import type { Registry } from './registry.ts'
import type { Vault } from './vault.ts'
import { sentence } from './words.ts'

/** Carries facts out. */
export interface ControlPlane {
  readonly view: ExchangeView
  /** Returns why this member takes no action that changes anything; undefined, or left out, when it does. */
  readonly whyNoActions?: () => string | undefined
  /** Holds free money for a withdrawal or lock. Returns false, and changes nothing, if it is too little. */
  hold(account: AccountId, asset: AssetId, atoms: bigint): boolean
  /** Releases such a hold. */
  release(account: AccountId, asset: AssetId, atoms: bigint): void
  /**
   * Reserves the memory of the facts, which may be known to the registry. Throws RangeError, with nothing
   * changed, when there is none.
   */
  prepare(facts: readonly Fact[], registry: Registry): void
  /** Writes the facts to the disk, in this order, as `texts` of JSON if given. Throws StorageError. */
  journal(facts: readonly Fact[], texts?: readonly string[]): void
  /** Resolves when every thread applies the journaled facts. */
  enforce(facts: readonly Fact[]): Promise<void>
  /** Resolves when the open orders are canceled. */
  cancelOrders(orders: Omit<OrdersToCancel, 'kind'>): Promise<void>
  /** Resolves to a sentence about the result. Rejects with ActionError. */
  snapshot(): Promise<string>
  /** Resolves to the present moment, when no matcher is inside a batch. Rejects with ActionError. */
  cut(): Promise<BackupCut>
  /** Copies the archive, unless it is large, for a copy of the data folder as of a later moment. */
  copyArchive(folder: string): Promise<void>
  /** Resolves to a sentence about the copy. Rejects with ActionError. */
  backup(cut: BackupCut, folder: string, as?: StateKind): Promise<string>
  /** Resolves when gateways go by what was read again. */
  reload(reread: Reread): Promise<void>
  drain(): Promise<void>
  stop(): void
  /** Has this member take the lead. Returns a sentence about it. */
  promote(): string
  /** Hands the lead over. Resolves to a sentence; rejects with ActionError when no member takes it. */
  handOver(successor: string): Promise<string>
  /** The disk refused; the process must end. */
  fail(error: Error): void
}

/** Cancelings of orders that are placed while an account is put back. */
const SETTLE_TRIES = 5
const DRAINED = 'The exchange is drained: only stop is possible now.'
/** Actions that only read, under way at once: each may hold a page of rows. */
const READS_MAX = 8
const TOO_MANY_READS = `${READS_MAX} reading commands are under way already; try again.`
const actionNames = actions.map(({ name }) => name)
const NEXT_START = 'It takes effect at the next start.'

/** An action whose facts are in force. Its slow part may still run beside other actions. */
interface Carried extends Outcome {
  readonly cut?: BackupCut
  /** Left out by actions that only read. */
  readonly action?: ActionFact
}
type Given = Readonly<Record<string, unknown>>

export class CommandExecutor {
  private readonly registry: Registry
  private readonly vault: Vault
  private readonly controlPlane: ControlPlane
  private readonly time: Time
  /** The sandbox's counterparty. */
  readonly counterparty: Counterparty
  private readonly references: ReferenceFeed
  private readonly rates: ActionRates
  private readonly turns = new Turns()
  private readonly keyed: KeyedActions
  private isClosed = false
  private isDrained = false
  private readsUnderWay = 0
  /** Actions that change something, with those that wait for them. */
  private underWay = 0

  constructor(registry: Registry, vault: Vault, controlPlane: ControlPlane, time: Time) {
    this.registry = registry
    this.vault = vault
    this.controlPlane = controlPlane
    this.time = time
    this.counterparty = new Counterparty(this, registry)
    this.references = new ReferenceFeed(() => this.view, registry, time.wall)
    this.rates = new ActionRates(() => elapsedMs(time.wall))
    this.keyed = new KeyedActions(registry.log, time)
  }

  get view(): ExchangeView {
    return this.controlPlane.view
  }

  /** Returns who holds the token, besides the owner; undefined when no operator does. */
  operatorOf(token: string): Operator | undefined {
    const hash = hashToken(token)
    const nowMs = this.time.wall.nowMs()
    for (const operator of this.registry.operators.values()) {
      if (operator.tokenHash === hash) return operator
      const earlier = goodTokens(operator.earlier, nowMs)
      if (earlier.some(({ tokenHash }) => tokenHash === hash)) return operator
    }
    return undefined
  }

  /**
   * Returns what the action would do, with the rows that it would show; undefined when it would change nothing,
   * or is not dangerous. Changes nothing. Rejects as `act` does.
   */
  async preview(name: string, given: Given, by = OWNER): Promise<ActionPreview | undefined> {
    const row = this.rowFor(name, by)
    if (row.previews === undefined) return undefined
    const outcome = await this.run(row, given)
    const preview = row.previews(new Arguments(row, given), this.context(), outcome)
    return preview && { ...preview, rows: outcome.rows ?? [] }
  }

  /**
   * Returns the values that the action would change, as texts by parameter; `given` has those that name what is
   * changed. Throws as `act` rejects.
   */
  present(name: string, given: Given, by = OWNER): Readonly<Record<string, string>> {
    const { params, presentBy = [], ...row } = this.rowFor(name, by)
    if (row.present === undefined) return {}
    const naming = params.filter((param) => presentBy.includes(param.name))
    return row.present(new Arguments({ ...row, params: naming }, given), this.context())
  }

  /**
   * `given` holds the arguments by name. An action that changes something and has a `key` is carried out once,
   * however often it is sent. Rejects with ActionError or RoleError.
   */
  async act(name: string, given: Given, by = OWNER, key?: string): Promise<ActionAnswer> {
    const row = this.rowFor(name, by)
    if (key === undefined || row.role === 'watch') return this.carryOut(row, given, by)
    const once = actionKey(key, name, given)
    return this.keyed.once(by.name, once, () => this.carryOut(row, given, by, once))
  }

  private async carryOut(
    row: ActionRow,
    given: Given,
    by: Operator,
    once?: ActionKey,
  ): Promise<ActionAnswer> {
    const done = row.role === 'watch' ? this.read(row, given) : this.queue(row, given, by, once)
    const { said, rows = [], more } = await done
    const later = said === '' ? await this.afterwards(await done) : said
    const answer = typeof later === 'string' ? { said: later, rows } : later
    return more === undefined ? answer : { ...answer, more }
  }

  /**
   * Resolves to what has become of the feed's reference prices, by symbol. Rejects with ActionError or RoleError, and
   * sets none of them.
   */
  async feed(prices: Given, by: Operator): Promise<Readonly<Record<string, FedPrice>>> {
    this.rowFor('reference-price', by)
    if (this.isClosed) throw new StoppingError()
    const whyNot = this.controlPlane.whyNoActions?.()
    if (whyNot !== undefined) throw new ActionError(whyNot)
    return this.references.take(prices)
  }

  /** Whether an action that changes something is under way. */
  get isBusy(): boolean {
    return this.underWay > 0
  }

  /** Resolves when no action is under way; refuses actions from now on. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.turns.ended()
  }

  /**
   * Applies what the leader has noted: one whole action, or facts of its start, as JSON. Rejects when they do
   * not apply here; the process must then end.
   */
  follow(texts: readonly string[]): Promise<void> {
    return this.turns.run(async () => {
      const facts = texts.map((text) => JSON.parse(text) as Fact)
      this.apply(facts)
      this.controlPlane.journal(facts, texts)
      await this.controlPlane.enforce(facts)
    })
  }

  /** Runs the action's slow part, beside other actions. Resolves to a sentence about it, perhaps with rows. */
  private async afterwards({ cut, action, ...outcome }: Carried): Promise<string | Reported> {
    const { report, backupTo, backupAs } = outcome
    if (report !== undefined) return report(action!)
    if (cut === undefined) return this.controlPlane.snapshot()
    const said = await this.controlPlane.backup(cut, backupTo!, backupAs)
    if (backupAs === undefined) await this.turns.run(async () => this.noteBackup(cut))
    if (outcome.copied !== undefined) return outcome.copied()
    return said
  }

  /** The control journal of a member that follows is its leader's; one that is closed takes nothing more. */
  private noteBackup({ timeMs }: BackupCut): void {
    if (this.isClosed || this.controlPlane.whyNoActions?.() !== undefined) return
    const fact: Fact = { fact: 'backup', timeMs }
    try {
      this.registry.apply(fact)
      this.controlPlane.journal([fact])
    } catch (error) {
      this.controlPlane.fail(error as Error)
      throw error
    }
  }

  /** Actions that only read wait for no other action, and none waits for them. */
  private async read(row: ActionRow, given: Given): Promise<Carried> {
    if (this.readsUnderWay === READS_MAX) throw new ActionError(TOO_MANY_READS)
    this.readsUnderWay++
    try {
      return await this.run(row, given)
    } finally {
      this.readsUnderWay--
    }
  }

  private rowFor(name: string, by: Operator): ActionRow {
    const row = actionNamed(name)
    if (row === undefined)
      throw new ActionError(`Unknown command "${name}".${didYouMean(name, actionNames)}`)
    if (mayAct(by, row.role)) return row
    throw new RoleError(`${name} needs the role ${row.role}; ${by.name} has ${by.role}.`)
  }

  private queue(row: ActionRow, given: Given, by: Operator, once?: ActionKey): Promise<Carried> {
    this.underWay++
    return this.turns.run(() => this.actByRow(row, given, by, once)).finally(() => this.underWay--)
  }

  private async run(row: ActionRow, given: Given): Promise<Outcome> {
    if (this.isClosed) throw new StoppingError()
    return row.run(new Arguments(row, given), this.context())
  }

  /** Throws ActionError for an action that needs a yes and has none. */
  private checkYes(row: ActionRow, given: Given, outcome: Outcome): void {
    const args = new Arguments(row, given)
    const preview = row.previews?.(args, this.context(), outcome)
    if (preview?.needsYes !== true || args.flag('yes', false)) return
    throw new ActionError(`${previewText(preview)} Confirm it by "yes" on (--yes).`)
  }

  private context(): ActionContext {
    const { view } = this.controlPlane
    const time = this.time
    return {
      registry: this.registry,
      vault: this.vault,
      view,
      nowMs: time.nowMs(),
      time: time.wall,
      counterparty: this.counterparty,
    }
  }

  private async actByRow(
    row: ActionRow,
    given: Given,
    by: Operator,
    once?: ActionKey,
  ): Promise<Carried> {
    this.rates.check(by)
    const ran = await this.run(row, given)
    this.checkYes(row, given, ran)
    const { facts = [], said, next, cancels } = ran
    if (ran.changesNothing) return ran
    const timeMs = this.time.nowMs()
    const action: ActionFact = {
      fact: 'act',
      name: row.name,
      by: by.name,
      timeMs,
      given: loggedArguments(given),
      ...(once && { once }),
    }
    const outcome = { ...ran, action }
    const changes = facts.length > 0 || cancels !== undefined || next === 'reload'
    if (this.isDrained && changes) throw new ActionError(DRAINED)
    const whyNot = changes && next !== 'reload' ? this.controlPlane.whyNoActions?.() : undefined
    if (whyNot !== undefined) throw new ActionError(whyNot)
    // The control journal of a member that follows is its leader's, and keeps nothing of what changes nothing.
    const isNoted =
      ran.settles === undefined &&
      (facts.length > 0 || cancels === undefined || this.hasOpen(cancels))
    if (isNoted && this.controlPlane.whyNoActions?.() === undefined) {
      this.note(facts, action)
    }
    if (isNoted) this.rates.count(by, facts.length)
    await this.controlPlane.enforce(facts)
    if (ran.settles !== undefined) await this.settle(ran, action)
    else if (cancels !== undefined) await this.controlPlane.cancelOrders(cancels)
    if (outcome.reread !== undefined) await this.controlPlane.reload(outcome.reread)
    if (next === 'drain') {
      this.isDrained = true
      await this.controlPlane.drain()
    }
    if (next === 'stop') this.controlPlane.stop()
    if (next === 'promote') return { ...outcome, said: this.controlPlane.promote() }
    if (outcome.successor !== undefined) {
      return { ...outcome, said: await this.controlPlane.handOver(outcome.successor) }
    }
    if (outcome.backupTo !== undefined) return this.cutFor(outcome)
    const isDone = row.isImmediate || facts.length === 0
    return isDone ? outcome : { ...outcome, said: `${said} ${NEXT_START}` }
  }

  /** Notes the action once orders are canceled. An order that takes the money meanwhile is canceled, too. */
  private async settle({ cancels, settles }: Outcome, action: ActionFact): Promise<void> {
    for (let left = SETTLE_TRIES; ; left--) {
      if (cancels !== undefined) await this.controlPlane.cancelOrders(cancels)
      const facts = await settles!()
      try {
        this.note(facts, action)
      } catch (error) {
        if (left === 1 || !(error instanceof ActionError)) throw error
        continue
      }
      return this.controlPlane.enforce(facts)
    }
  }

  /** No other action is under way, so the control journal stands still. */
  private async cutFor(outcome: Carried): Promise<Carried> {
    if (outcome.backupAs !== undefined) await this.controlPlane.copyArchive(outcome.backupTo!)
    const cut = await this.controlPlane.cut()
    outcome.cutAt?.()
    return { ...outcome, cut }
  }

  /** Whether any of the orders to cancel may be open. */
  private hasOpen({ account, symbolId, orderId }: NonNullable<Outcome['cancels']>): boolean {
    if (orderId !== undefined) return true
    const { view } = this.controlPlane
    const { symbols, accounts } = this.registry
    const owners = account === undefined ? accounts.map(({ id }) => id) : [account]
    return symbols
      .filter(({ id }) => symbolId === undefined || id === symbolId)
      .some(({ id }) => owners.some((owner) => view.openOrders(id, owner) > 0))
  }

  /** Refuses before anything is written. Writes the action behind its facts. */
  private note(facts: readonly Fact[], action: ActionFact): void {
    checkBytes([...facts, action])
    this.apply(facts)
    try {
      this.registry.apply(action)
      this.controlPlane.journal([...facts, action])
    } catch (error) {
      this.controlPlane.fail(error as Error)
      throw error
    }
  }

  /** Holds what the facts take, and makes them known; throws ActionError with nothing changed. */
  private apply(facts: readonly Fact[]): void {
    const taken = facts.filter(takes)
    for (const fact of taken) this.hold(fact)
    try {
      const registry = facts.length > 1 ? this.tried(facts) : this.registry
      this.controlPlane.prepare(facts, registry)
      for (const fact of facts) this.registry.apply(fact)
    } catch (error) {
      for (const { account, asset, atoms } of taken) {
        this.controlPlane.release(account, asset, BigInt(atoms))
      }
      if (error instanceof RangeError) throw new ActionError(sentence(error.message))
      throw error
    }
  }

  /** Several facts are applied to a trial first: none of them is in force if one is refused. */
  private tried(facts: readonly Fact[]): Registry {
    const trial = this.registry.trial()
    for (const fact of facts) trial.apply(fact)
    return trial
  }

  private hold({ account, asset, atoms }: Taking): void {
    if (this.controlPlane.hold(account, asset, BigInt(atoms))) return
    const spec = this.registry.assets[asset]!
    const owner = this.registry.accounts[account]!.name
    const { free } = this.controlPlane.view.balance(account, asset)
    throw new ActionError(notEnough(owner, free, spec.name))
  }
}

/** Throws ActionError for an action that a quorum could not take at once, whether there is one or not. */
function checkBytes(facts: readonly Fact[]): void {
  let bytes = 0
  for (const fact of facts) bytes += Buffer.byteLength(JSON.stringify(fact)) + 1
  if (bytes <= CONTROL_BYTES_MAX) return
  throw new ActionError(
    `This journals ${bytes} bytes, and at most ${CONTROL_BYTES_MAX} fit at once. Split it.`,
  )
}

type Taking = Extract<Fact, { fact: 'withdrawal' | 'lock' }>

/** Whether the fact takes free money. */
const takes = (fact: Fact): fact is Taking =>
  fact.fact === 'withdrawal' || (fact.fact === 'lock' && !fact.atoms.startsWith('-'))
