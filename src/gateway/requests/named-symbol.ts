/** The symbol that a refused request named: refusals are counted by it. */
import type { Context } from '../../api/context.ts'
import type { Fault } from '../../api/errors.ts'
import { Param } from '../../api/parameters.ts'
import { RawParams } from '../../api/params.ts'
import type { SymbolId } from '../../base/units.ts'

/** Returns the listed symbol; undefined when the request named none, or could not be read. */
export function symbolOf(
  context: Pick<Context, 'symbolNamed'>,
  raw: RawParams | Fault | undefined,
): SymbolId | undefined {
  if (!(raw instanceof RawParams)) return undefined
  const name = raw.text(Param.symbol)
  return name === undefined ? undefined : context.symbolNamed(name)?.id
}
