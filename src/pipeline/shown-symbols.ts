/** What handlers may ask for, with the statuses of symbols that rules of the sandbox show. */
import type { Context } from '../api/context.ts'
import type { SymbolSpec } from '../market/listing.ts'
import type { ShownStatuses } from './faults.ts'

/** Everything but the symbols is the context's own. */
export function shownBy(context: Context, statuses: ShownStatuses): Context {
  const shown = (spec: SymbolSpec): SymbolSpec => {
    const status = statuses.get(spec.name)
    return status === undefined ? spec : { ...spec, status }
  }
  return Object.create(context, {
    symbols: { get: () => context.symbols.map(shown) },
    symbolNamed: {
      value: (name: string) => {
        const spec = context.symbolNamed(name)
        return spec && shown(spec)
      },
    },
  })
}
