/** Actions on listed symbols: whether they trade. */
import { isCall, namesOf, SymbolStatus } from '../../base/codes.ts'
import type { PhaseSettings, SymbolSpec } from '../../market/listing.ts'
import {
  type ActionContext,
  ActionError,
  type ActionParam,
  type Arguments,
  actionsOf,
  type ExchangeView,
  type Outcome,
} from '../action.ts'
import { actualStatus, phasesIn, waitingIn } from '../actual-status.ts'
import type { Fact } from '../facts.ts'
import type { Registry } from '../registry.ts'
import { statusToResume } from '../schedule/transitions.ts'
import { counted } from '../words.ts'
import {
  listedSymbolOf,
  openOrdersOn,
  stayText,
  symbolFact,
  symbolOf,
  symbolParam,
} from './named.ts'
import { heldFact } from './schedules.ts'

const statusNames = namesOf(SymbolStatus)

/** The status by which `resume` may go. */
const THROUGH = 'AUCTION_MATCH'

const someSymbol: ActionParam = { name: 'symbol', kind: 'text', about: 'Name of the symbol.' }
const allParam: ActionParam = { name: 'all', kind: 'flag', about: 'Stands for all symbols.' }

export const symbolActions = actionsOf('market', [
  {
    name: 'symbol-status',
    title: 'Set the phase of a symbol',
    role: 'admin',
    example: 'symbol-status BTCUSDT HALT',
    about: 'Sets the phase of a symbol.',
    params: [
      symbolParam,
      {
        name: 'status',
        kind: 'text',
        about: 'The new phase.',
        required: true,
        choices: statusNames,
      },
    ],
    run: (args, { registry }) => {
      const spec = listedSymbolOf(args, registry)
      const name = args.text('status') as keyof typeof SymbolStatus
      const change = {
        status: SymbolStatus[name],
        phases: resumed(spec),
        haltedWithAll: false,
        byOperator: true,
      }
      const facts = [symbolFact(spec, change), ...endAhead(spec, registry)]
      return { facts, said: `${spec.name} is ${name}.` }
    },
    previews: (args, { registry, view }) => {
      const spec = listedSymbolOf(args, registry)
      const does = `Set ${spec.name} from ${statusNames[spec.status]} to ${args.text('status')}`
      return { does, note: stayText(openOrdersOn([spec], registry, view), 'Its'), yes: 'Set' }
    },
  },
  {
    name: 'halt',
    title: 'Halt trading',
    role: 'support',
    example: 'halt BTCUSDT',
    about: 'Halts one symbol, or with --all all that trade.',
    params: [someSymbol, allParam],
    run: haltSymbols,
    previews: (args, { registry, view }) => {
      const specs = toHalt(args, registry)
      if (specs.length === 0) return undefined
      const isOne = args.has('symbol')
      const note = stayText(openOrdersOn(specs, registry, view), isOne ? 'Its' : 'Their')
      if (isOne) return { does: `Halt ${specs[0]!.name}`, note, yes: 'Halt' }
      const all =
        specs.length === 1 ? 'the 1 symbol that trades' : `all ${specs.length} symbols that trade`
      return { does: `Halt ${all}`, note, yes: 'Halt all', typed: 'all' }
    },
  },
  {
    name: 'resume',
    title: 'Resume trading',
    role: 'support',
    example: 'resume BTCUSDT',
    about:
      'Resumes one symbol, or ends its call that waits for that; or with --all what halt --all halted.',
    params: [
      someSymbol,
      allParam,
      {
        name: 'named',
        kind: 'flag',
        about: 'With all: also the symbols that were halted by name.',
      },
      {
        name: 'through',
        kind: 'text',
        about:
          'A call that comes first: its auction is when the status is set, or by the schedule.',
        choices: [THROUGH],
      },
    ],
    run: resumeSymbols,
    previews: (args, { registry, view }) => {
      if (waitingSpec(args, registry, view) !== undefined) return undefined
      const { specs, left } = toResume(args, registry)
      if (specs.length === 0) return undefined
      const isOne = args.has('symbol')
      const orders = counted(openOrdersOn(specs, registry, view), 'open order')
      const note = `${isOne ? 'It has' : 'They have'} ${orders}. ${leftText(left)}`.trim()
      if (isOne) return { does: `Resume ${specs[0]!.name}`, note, yes: 'Resume' }
      const all = specs.length + left.length
      const does = `Resume ${specs.length} of ${counted(all, 'halted symbol')}`
      return { does, note, yes: 'Resume all', typed: 'all' }
    },
  },
  {
    name: 'symbol-delist',
    title: 'Delist a symbol',
    role: 'admin',
    example: 'symbol-delist DOGEUSDT',
    about: 'Delists a symbol: cancels its orders and shows it as BREAK. Its history stays.',
    params: [symbolParam],
    previews: (args, { registry, view }) => {
      const spec = symbolOf(args, registry)
      const orders = counted(openOrdersOn([spec], registry, view), 'open order')
      return {
        does: `Delist ${spec.name} for good, and cancel its ${orders}`,
        note: 'It can never trade again.',
        yes: 'Delist',
        typed: spec.name,
      }
    },
    // Repeated after a kill, it cancels the orders that are left.
    run: (args, { registry }) => {
      const spec = symbolOf(args, registry)
      const isDone = registry.delistedSymbols.has(spec.id)
      const ended = symbolFact(spec, { status: SymbolStatus.BREAK, delisted: true })
      return {
        facts: isDone ? [] : [ended],
        said: `${spec.name} is delisted; its open orders are canceled.`,
        cancels: { account: undefined, symbolId: spec.id, clientOrderId: 'symbol-delist' },
      }
    },
  },
  {
    name: 'symbols',
    title: 'Show the symbols',
    role: 'watch',
    example: 'symbols',
    about: 'Shows the symbols.',
    params: [],
    rowAction: { name: 'phase-advance', label: 'Advance', takes: { symbol: 'symbol' } },
    run: (_, { registry, view }) => {
      const phases = phasesIn(view.counters())
      const rows = registry.symbols.map(({ id, name, base, quote, status }) => ({
        id,
        symbol: name,
        base: base.name,
        quote: quote.name,
        status: registry.delistedSymbols.has(id)
          ? 'delisted'
          : actualStatus(status, phases[id] ?? 0),
        matcher: view.matcherOf(id),
        matcherAtNextStart: registry.matcherOf(id, view.matchers),
      }))
      return { said: `${counted(registry.symbols.length, 'symbol')}.`, rows }
    },
  },
])

/** Whether the action is for all symbols. An empty symbol never means all. */
function isForAll(action: string, args: Arguments): boolean {
  const isAll = args.flag('all', false)
  if (isAll !== args.has('symbol')) return isAll
  throw new ActionError(
    isAll
      ? `${action} takes a symbol or "all", not both.`
      : `${action} needs a symbol, or "all" on (--all) for all of them.`,
  )
}

/** It trades, or its orders gather for an auction. */
const takesOrders = ({ status }: SymbolSpec): boolean =>
  status === SymbolStatus.TRADING || isCall(status)

/** Halted with all others, a symbol may still be halted by its name: `resume --all` then leaves it. */
function toHalt(args: Arguments, registry: Registry): readonly SymbolSpec[] {
  if (isForAll('halt', args)) {
    return registry.symbols.filter(takesOrders)
  }
  const spec = listedSymbolOf(args, registry)
  if (takesOrders(spec) || registry.haltedWithAll.has(spec.id)) return [spec]
  throw new ActionError(`${spec.name} is ${statusNames[spec.status]}, and takes no orders.`)
}

function haltSymbols(args: Arguments, { registry }: ActionContext): Outcome {
  const specs = toHalt(args, registry)
  if (specs.length === 0) return { said: 'No symbol trades.', changesNothing: true }
  const haltedWithAll = !args.has('symbol')
  return {
    facts: specs.map((spec) => symbolFact(spec, { status: SymbolStatus.HALT, haltedWithAll })),
    said: `Now halted: ${namesText(specs)}.`,
  }
}

/** The symbols that are resumed, and those that stay halted because an operator halted them by name. */
interface Resumption {
  readonly specs: readonly SymbolSpec[]
  readonly left: readonly SymbolSpec[]
}

function toResume(args: Arguments, registry: Registry): Resumption {
  if (isForAll('resume', args)) {
    const halted = registry.symbols.filter(({ status }) => status === SymbolStatus.HALT)
    const isMeant = ({ id }: SymbolSpec) =>
      args.flag('named', false) || registry.haltedWithAll.has(id)
    return { specs: halted.filter(isMeant), left: halted.filter((spec) => !isMeant(spec)) }
  }
  if (args.has('named')) throw new ActionError('named goes with "all" on (--all).')
  const spec = listedSymbolOf(args, registry)
  if (registry.schedules.isStopped(spec)) return { specs: [spec], left: [] }
  throw new ActionError(`${spec.name} is ${statusNames[spec.status]}, not HALT.`)
}

/** A symbol that is resumed, and the status that it comes back to. */
interface Resumed {
  readonly spec: SymbolSpec
  readonly status: SymbolStatus
}

/** Ends a call of the symbol that waits for that. */
const resumed = ({ phases }: SymbolSpec): PhaseSettings => ({
  ...phases,
  resumptions: phases.resumptions + 1,
})

/** The named symbol, where its call waits for an operator. */
function waitingSpec(args: Arguments, registry: Registry, view: ExchangeView) {
  if (!args.has('symbol') || args.flag('all', false)) return undefined
  const spec = listedSymbolOf(args, registry)
  const isWaiting = waitingIn(view.counters())[spec.id] === 1
  return isWaiting && spec.status !== SymbolStatus.HALT ? spec : undefined
}

function resumeSymbols(args: Arguments, { registry, nowMs, view }: ActionContext): Outcome {
  const waiting = waitingSpec(args, registry, view)
  if (waiting !== undefined) {
    const facts = [symbolFact(waiting, { phases: resumed(waiting) })]
    return { facts, said: `The call of ${waiting.name} ends.` }
  }
  const { specs, left } = toResume(args, registry)
  const stay = leftText(left)
  if (specs.length === 0) {
    return { said: `No symbol was resumed. ${stay}`.trim(), changesNothing: true }
  }
  const changes = specs.map((spec) => ({
    spec,
    status: throughOr(args, statusToResume(registry, spec.id, nowMs, SymbolStatus.TRADING)),
  }))
  const isByHand = args.has('through')
  return {
    facts: changes.flatMap(({ spec, status }) => [
      symbolFact(spec, { status, byOperator: isByHand }),
      ...(isByHand ? endAhead(spec, registry) : []),
    ]),
    said: `${resumedText(changes)} ${stay}`.trim(),
  }
}

/** A status by hand stays until the next change of its schedule, whichever was made ahead of its time. */
const endAhead = (spec: SymbolSpec, { schedules }: Registry): readonly Fact[] =>
  schedules.aheadOf(spec.id) === 0 ? [] : [heldFact(spec, schedules.isHeld(spec.id))]

const throughOr = (args: Arguments, status: SymbolStatus): SymbolStatus =>
  args.has('through') ? SymbolStatus[THROUGH] : status

/** Names what trades, and what its schedule has in another status. */
function resumedText(resumed: readonly Resumed[]): string {
  const trading = resumed.filter(({ status }) => status === SymbolStatus.TRADING)
  const others = resumed.filter((it) => !trading.includes(it))
  const texts = others.map(({ spec, status }) => `${spec.name} is ${statusNames[status]}.`)
  const names = namesText(trading.map(({ spec }) => spec))
  return [...(trading.length === 0 ? [] : [`Now trading: ${names}.`]), ...texts].join(' ')
}

/** Names what stays halted, and how it is resumed; '' for nothing. */
const leftText = (left: readonly SymbolSpec[]): string =>
  left.length === 0
    ? ''
    : `Still halted by name: ${namesText(left)}; resume each by name, or all with "named" on (--named).`

const namesText = (specs: readonly SymbolSpec[]): string => specs.map(({ name }) => name).join(', ')
