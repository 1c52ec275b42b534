/**
 * The rules of the sandbox, in the memory of the main thread: what operators and clients added, announced to
 * all gateways as one list after each change. Nothing is journaled; a start has no rules.
 */
import { didYouMean } from '../base/cold-input.ts'
import { roofOf, sharesOf } from '../base/shares.ts'
import { type Clock, elapsedMs } from '../base/time.ts'
import { parseMoment } from '../base/time-text.ts'
import type { AccountId } from '../base/units.ts'
import { type FaultRule, faultEffects, USER_STREAM } from '../sandbox/fault-fields.ts'
import { FaultRuleError, readFaultRule } from '../sandbox/fault-rule.ts'
import { FAULT_CELLS_BYTES, faultRow, type PostedFault } from '../sandbox/fault-trigger.ts'
import { matchesPattern } from '../sandbox/pattern.ts'
import type { FaultAnswer, FaultRequest, FaultRow } from '../sandbox/requests.ts'
import type { ControlMessage } from '../shared/control-message.ts'

/** Rules at a time: an account may take any free place while 16 remain for operators, and 8 for accounts that have none. */
const FAULT_SHARES = sharesOf(64)
const MS_PER_SECOND = 1_000
/** The placeholder of a symbol in names of streams. */
const SYMBOL = '<symbol>'
/** Symbols whose streams a pattern is compared with; one that may mean more of them is taken. */
const NEAR_MAX = 256

/** A gateway, as far as it receives rules. */
export interface FaultedGateway {
  notify(messages: readonly ControlMessage[]): Promise<unknown>
}

/** What rules may name. A rule that names something else would touch nothing, and a test with it pass for nothing. */
export interface FaultTargets {
  /** Names of all operations' parameters. */
  readonly parameters: readonly string[]
  /** Ids of operations. */
  readonly operations: readonly string[]
  /** Names of streams, with <symbol> for one. */
  readonly streams: readonly string[]
}

interface Listed {
  readonly symbols: readonly { readonly name: string }[]
}

export class FaultBook {
  private readonly clock: Pick<Clock, 'elapsedNs' | 'nowMs'>
  private readonly gateways: () => readonly FaultedGateway[]
  private readonly targets: FaultTargets
  /** Undefined until they are known. */
  private listed: Listed | undefined = undefined
  private posted: readonly PostedFault[] = []

  constructor(
    clock: Pick<Clock, 'elapsedNs' | 'nowMs'>,
    gateways: () => readonly FaultedGateway[],
    targets: FaultTargets,
  ) {
    this.clock = clock
    this.gateways = gateways
    this.targets = targets
  }

  /** From now on rules may name no other symbols. */
  ofSymbols(listed: Listed): this {
    this.listed = listed
    return this
  }

  /** Resolves when all gateways apply rules of another book as they were copied, with their counts. */
  async begin(posted: readonly PostedFault[]): Promise<void> {
    if (posted.length > 0) await this.post(posted.map(copied))
  }

  /** Returns copies of the rules, with their counts. */
  copies(): readonly PostedFault[] {
    return this.posted.map(copied)
  }

  /** The rules, the oldest first: those of an account's own, or all. */
  rules(owner?: AccountId): readonly PostedFault[] {
    if (owner === undefined) return this.posted
    return this.posted.filter(({ rule }) => rule.owner === owner)
  }

  /**
   * Resolves when all gateways apply the rules. One of the same name and owner is replaced, and counts from 1
   * again. Rejects with FaultRuleError, and changes nothing, when there would be too many, or one can match nothing.
   */
  async add(rules: readonly FaultRule[]): Promise<void> {
    for (const rule of rules) this.checkTargets(rule)
    const nowMs = elapsedMs(this.clock)
    const kept = this.posted.filter(({ rule }) => !rules.some((other) => isSame(rule, other)))
    const added = rules.map((rule) => posted(rule, nowMs, this.clock.nowMs()))
    await this.post([...this.withinBounds(kept, added, nowMs), ...added])
  }

  /** Removes some of the rules. Resolves to their number. */
  async remove(isRemoved: (rule: FaultRule) => boolean): Promise<number> {
    const kept = this.posted.filter(({ rule }) => !isRemoved(rule))
    const count = this.posted.length - kept.length
    if (count > 0) await this.post(kept)
    return count
  }

  /** Carries out what a client asks for its own account. Resolves to the rules that it then has. */
  async answer(request: FaultRequest): Promise<FaultAnswer> {
    const { account } = request
    try {
      if (request.ask === 'add') await this.add([ownRule(request.given, account)])
      else if (request.ask === 'remove') await this.removeOwn(request.name, account)
    } catch (error) {
      if (error instanceof FaultRuleError) return { refused: error.message }
      throw error
    }
    return { rows: this.rows(account) }
  }

  rows(owner?: AccountId): readonly FaultRow[] {
    const nowMs = elapsedMs(this.clock)
    return this.rules(owner).map((posted) => faultRow(posted, nowMs))
  }

  private checkTargets({ parameter, operation, symbol, stream }: FaultRule): void {
    const { parameters, operations, streams } = this.targets
    const check = (what: string, name: string, known: readonly string[], exists: boolean) => {
      if (exists) return
      throw new FaultRuleError(`There is no ${what} ${name}.${didYouMean(name, known)}`)
    }
    const name = parameter?.split('=', 1)[0]
    if (name !== undefined) check('parameter', name, parameters, parameters.includes(name))
    if (operation !== undefined) {
      const exists = operations.some((id) => matchesPattern(operation, id))
      check('operation', operation, operations, exists)
    }
    if (this.listed === undefined) return
    const symbols = this.listed.symbols.map(({ name }) => name)
    if (symbol !== undefined) check('symbol', symbol, symbols, symbols.includes(symbol))
    if (stream === undefined || matchesPattern(stream, USER_STREAM)) return
    // The letters of a pattern before its first * are those of few symbols.
    const [begin = ''] = stream.split('*', 1)
    const near = symbols
      .map((each) => each.toLowerCase())
      .filter((each) => begin.startsWith(each) || each.startsWith(begin))
    if (near.length > NEAR_MAX) return
    const named = streams.flatMap((each) =>
      each.startsWith(SYMBOL) ? near.map((one) => each.replace(SYMBOL, one)) : [each],
    )
    const exists = named.some((each) => matchesPattern(stream, each))
    const known = near.length > 0 ? named : symbols.map((each) => `${each.toLowerCase()}@trade`)
    check('stream', stream, known, exists)
  }

  private async removeOwn(name: string | undefined, account: AccountId): Promise<void> {
    const isNamed = (rule: FaultRule) => name === undefined || rule.name === name
    const count = await this.remove((rule) => rule.owner === account && isNamed(rule))
    if (name !== undefined && count === 0) throw new FaultRuleError(`There is no rule ${name}.`)
  }

  /** Rules that are over make room for others. */
  private withinBounds(
    kept: readonly PostedFault[],
    added: readonly PostedFault[],
    nowMs: number,
  ): readonly PostedFault[] {
    const isWithin = (others: readonly PostedFault[]) =>
      added.every(({ rule: { owner } }) => {
        const has = owner === undefined ? 0 : ownCount(others, owner)
        const roof = roofOf(FAULT_SHARES, { isOperators: owner === undefined, has })
        return others.length + added.length <= roof
      })
    // Rules that take the places of others need no more.
    const isNoMore = kept.length + added.length <= this.posted.length
    if (isNoMore || isWithin(kept)) return kept
    const going = kept.filter((each) => !faultRow(each, nowMs).isOver)
    if (isWithin(going)) return going
    const { all, operators, newcomers } = FAULT_SHARES
    throw new FaultRuleError(
      `There are ${all} rules at most; accounts leave ${operators} places to operators, and those with a rule ${newcomers} to others.`,
    )
  }

  private async post(posted: readonly PostedFault[]): Promise<void> {
    this.posted = posted
    await Promise.all(
      this.gateways().map((gateway) => gateway.notify([{ kind: 'faults', faults: posted }])),
    )
  }
}

/** Moments of the exchange's clock become those of the monotonic one, in which gateways measure. */
function posted(rule: FaultRule, elapsedMs: number, nowMs: number): PostedFault {
  const { seconds = Number.POSITIVE_INFINITY, from, until } = rule
  const inTime = (moment: string) => elapsedMs + parseMoment(moment)! - nowMs
  const endMs = elapsedMs + seconds * MS_PER_SECOND
  return {
    rule,
    ...(from !== undefined && { fromMs: inTime(from) }),
    untilMs: until === undefined ? endMs : Math.min(endMs, inTime(until)),
    cells: new SharedArrayBuffer(FAULT_CELLS_BYTES),
  }
}

const copied = (fault: PostedFault): PostedFault => {
  const cells = new SharedArrayBuffer(fault.cells.byteLength)
  new Uint8Array(cells).set(new Uint8Array(fault.cells))
  return { ...fault, cells }
}

type Named = { readonly name: string; readonly owner?: AccountId | undefined }

/** Whether both are one rule's name: accounts' own rules have names of their own. */
export const isSame = (one: Named, other: Named): boolean =>
  one.name === other.name && one.owner === other.owner

const ownCount = (posted: readonly PostedFault[], owner: AccountId): number =>
  posted.filter(({ rule }) => rule.owner === owner).length

/** Throws FaultRuleError. */
function ownRule(given: Readonly<Record<string, unknown>>, account: AccountId): FaultRule {
  if (given.account !== undefined) {
    throw new FaultRuleError('A rule of your own takes no field account: it is for yours alone.')
  }
  const rule = readFaultRule(given, () => undefined)
  if (faultEffects[rule.do].touches === 'connections') {
    throw new FaultRuleError(`${rule.do} is for operators: no connection is of an account yet.`)
  }
  return { ...rule, account, owner: account }
}
