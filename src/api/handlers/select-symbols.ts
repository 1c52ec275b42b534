/** Which symbols a request is about: `symbol`, `symbols` and `symbolStatus`. */
import type { SymbolStatus } from '../../base/codes.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { Context } from '../context.ts'
import { Fault } from '../errors.ts'
import { Param, paramNames } from '../parameters.ts'
import type { Params } from '../params.ts'

/** Most names in `symbols` where an endpoint reads the archive for each (errors.md, -1101). */
const SYMBOLS_MAX = 100

/**
 * The symbols that `symbol`, `symbols` and `symbolStatus` select; all when none was sent. A single
 * one of another status is a fault, of several it is left out (errors.md, -1220).
 */
export function selectSymbols(params: Params, context: Context): readonly SymbolSpec[] | Fault {
  return select(params, context, Number.POSITIVE_INFINITY)
}

/** The selected symbols for operations that read the archive once for each: at most SYMBOLS_MAX. */
export const selectFewSymbols = (params: Params, context: Context): readonly SymbolSpec[] | Fault =>
  select(params, context, SYMBOLS_MAX)

function select(params: Params, context: Context, most: number): readonly SymbolSpec[] | Fault {
  const name = params.text(Param.symbol)
  if (name !== undefined) {
    const spec = context.symbolNamed(name)
    if (spec === undefined) return new Fault('INVALID_SYMBOL')
    return hasStatus(spec, params) ? [spec] : new Fault('SYMBOL_STATUS_MISMATCH')
  }
  const list = params.text(Param.symbols)
  const specs = list === undefined ? context.symbols : listedSymbols(list, context, most)
  return specs instanceof Fault ? specs : specs.filter((spec) => hasStatus(spec, params))
}

/** `text` has passed the parameter's legal range, and so is a JSON array of strings. */
function listedSymbols(
  text: string,
  context: Context,
  most: number,
): readonly SymbolSpec[] | Fault {
  const names = JSON.parse(text) as readonly string[]
  if (names.length > most) {
    return new Fault('TOO_MANY_VALUES', paramNames[Param.symbols]!, most)
  }
  if (new Set(names).size < names.length) return new Fault('DUPLICATE_SYMBOLS')
  const specs: SymbolSpec[] = []
  for (const name of names) {
    const spec = context.symbolNamed(name)
    if (spec === undefined) return new Fault('INVALID_SYMBOL')
    specs.push(spec)
  }
  return specs
}

export function hasStatus(spec: SymbolSpec, params: Params): boolean {
  const status = params.number(Param.symbolStatus)
  return status === undefined || spec.status === (status as SymbolStatus)
}
