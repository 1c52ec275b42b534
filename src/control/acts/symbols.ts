/** Acts on listed symbols: whether they trade. */
import { namesOf, SymbolStatus } from '../../base/codes.ts'
import { ActError, type ActParam, type ActRow, type Arguments } from '../act.ts'
import type { Registry } from '../registry.ts'
import { counted } from '../words.ts'
import { listedSymbolOf, symbolFact, symbolOf, symbolParam } from './named.ts'

const statusNames = namesOf(SymbolStatus)

const someSymbol: ActParam = { name: 'symbol', kind: 'text', about: 'One symbol; all without it.' }

export const symbolActs: readonly ActRow[] = [
  {
    name: 'symbol-status',
    group: 'market',
    role: 'admin',
    example: 'symbol-status BTCUSDT HALT',
    about: 'Sets the phase of a symbol.',
    isImmediate: true,
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
      const fact = symbolFact(spec, { status: SymbolStatus[name] })
      return { facts: [fact], said: `${spec.name} is ${name}.` }
    },
  },
  {
    name: 'halt',
    group: 'market',
    role: 'support',
    example: 'halt BTCUSDT',
    about: 'Halts one symbol, or all that trade.',
    isImmediate: true,
    params: [someSymbol],
    run: (args, { registry }) =>
      passage(args, registry, SymbolStatus.TRADING, SymbolStatus.HALT, 'halted'),
  },
  {
    name: 'resume',
    group: 'market',
    role: 'support',
    example: 'resume BTCUSDT',
    about: 'Resumes one symbol, or all that are halted.',
    isImmediate: true,
    params: [someSymbol],
    run: (args, { registry }) =>
      passage(args, registry, SymbolStatus.HALT, SymbolStatus.TRADING, 'trading'),
  },
  {
    name: 'symbol-delist',
    group: 'market',
    role: 'admin',
    example: 'symbol-delist DOGEUSDT',
    about: 'Delists a symbol: cancels its orders and shows it as BREAK. Its history stays.',
    isImmediate: true,
    params: [symbolParam],
    warns: (args) => `${args.text('symbol')} is delisted for good; its open orders are canceled.`,
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
    group: 'market',
    role: 'watch',
    example: 'symbols',
    about: 'Shows the symbols.',
    isImmediate: true,
    params: [],
    run: (_, { registry, view }) => ({
      said: `${counted(registry.symbols.length, 'symbol')}.`,
      rows: registry.symbols.map(({ id, name, base, quote, status }) => ({
        id,
        symbol: name,
        base: base.name,
        quote: quote.name,
        status: registry.delistedSymbols.has(id) ? 'delisted' : statusNames[status]!,
        matcher: view.matcherOf(id),
        matcherAtNextStart: registry.matcherOf(id, view.matchers),
      })),
    }),
  },
]

function passage(
  args: Arguments,
  registry: Registry,
  from: SymbolStatus,
  to: SymbolStatus,
  done: string,
) {
  const only = args.has('symbol') ? listedSymbolOf(args, registry) : undefined
  if (only !== undefined && only.status !== from) {
    throw new ActError(`${only.name} is ${statusNames[only.status]}, not ${statusNames[from]}.`)
  }
  const specs = only === undefined ? registry.symbols.filter((row) => row.status === from) : [only]
  if (specs.length === 0) return { said: 'There is no such symbol.', changesNothing: true }
  const names = specs.map(({ name }) => name).join(', ')
  return {
    facts: specs.map((spec) => symbolFact(spec, { status: to })),
    said: `Now ${done}: ${names}.`,
  }
}
