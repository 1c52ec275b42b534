/**
 * The rules of the sandbox, in the memory of the main thread: what operators and clients added, announced to
 * all gateways as one list after each change. Nothing is journaled; a start has no rules.
 */
import { type Clock, elapsedMs } from '../base/time.ts'
import { parseMoment } from '../base/time-text.ts'
import type { AccountId } from '../base/units.ts'
import type { ControlMessage } from '../market/control-message.ts'
import {
  FAULTS_MAX,
  type FaultAnswer,
  type FaultRequest,
  type FaultRow,
  type FaultRule,
  FaultRuleError,
  OWN_FAULTS_MAX,
  type PostedFault,
  readFaultRule,
} from '../market/fault-rule.ts'
import { FAULT_CELLS_BYTES, faultRow } from '../market/fault-trigger.ts'

const MS_PER_SECOND = 1_000

/** A gateway, as far as it receives rules. */
export interface FaultedGateway {
  notify(messages: readonly ControlMessage[]): Promise<unknown>
}

/** `parameters` are the names of all operations' parameters. */
export class FaultBook {
  private readonly clock: Pick<Clock, 'elapsedNs' | 'nowMs'>
  private readonly gateways: () => readonly FaultedGateway[]
  private readonly parameters: readonly string[]
  private posted: readonly PostedFault[] = []

  constructor(
    clock: Pick<Clock, 'elapsedNs' | 'nowMs'>,
    gateways: () => readonly FaultedGateway[],
    parameters: readonly string[],
  ) {
    this.clock = clock
    this.gateways = gateways
    this.parameters = parameters
  }

  /** The rules, the oldest first: those of an account's own, or all. */
  rules(owner?: AccountId): readonly PostedFault[] {
    if (owner === undefined) return this.posted
    return this.posted.filter(({ rule }) => rule.owner === owner)
  }

  /**
   * Resolves when all gateways apply the rules. One of the same name and owner is replaced, and counts from 1
   * again. Rejects with FaultRuleError, and changes nothing, when there would be too many, or no operation has
   * the parameter of one.
   */
  async add(rules: readonly FaultRule[]): Promise<void> {
    const names = rules.flatMap(({ parameter }) => parameter?.split('=', 1) ?? [])
    const unknown = names.find((name) => !this.parameters.includes(name))
    if (unknown !== undefined) throw new FaultRuleError(`There is no parameter ${unknown}.`)
    const nowMs = elapsedMs(this.clock)
    const kept = this.posted.filter(({ rule }) => !rules.some((other) => isSame(rule, other)))
    const added = rules.map((rule) => posted(rule, nowMs, this.clock.nowMs()))
    const all = this.withinBounds([...kept, ...added], nowMs)
    await this.post(all)
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

  private async removeOwn(name: string | undefined, account: AccountId): Promise<void> {
    const isNamed = (rule: FaultRule) => name === undefined || rule.name === name
    const count = await this.remove((rule) => rule.owner === account && isNamed(rule))
    if (name !== undefined && count === 0) throw new FaultRuleError(`There is no rule ${name}.`)
  }

  /** Rules that are over make room for others. */
  private withinBounds(posted: readonly PostedFault[], nowMs: number): readonly PostedFault[] {
    const isWithin = (all: readonly PostedFault[]) =>
      all.length <= FAULTS_MAX &&
      all.every(
        ({ rule: { owner } }) => owner === undefined || ownCount(all, owner) <= OWN_FAULTS_MAX,
      )
    if (isWithin(posted)) return posted
    const going = posted.filter((each) => !faultRow(each, nowMs).isOver)
    if (isWithin(going)) return going
    throw new FaultRuleError(
      `There are ${FAULTS_MAX} rules at most, and ${OWN_FAULTS_MAX} of one account.`,
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
  return { ...readFaultRule(given, () => undefined), account, owner: account }
}
