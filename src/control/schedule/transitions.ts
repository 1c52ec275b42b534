/** What the transitions of schedules come to: facts of the control journal. */
import type { SymbolStatus } from '../../base/codes.ts'
import type { Ms, SymbolId } from '../../base/units.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { TransitionFact } from '../facts.ts'
import type { Registry } from '../registry.ts'
import type { Transition } from './schedule.ts'

/** Returns the fact of a transition of the schedule: of the symbols that it reaches and that are not so already. */
export function transitionFact(
  registry: Registry,
  schedule: string,
  symbols: readonly SymbolId[],
  { dueMs, status }: Pick<Transition, 'dueMs' | 'status'>,
  reaches: (spec: SymbolSpec) => boolean = (spec) => registry.schedules.reaches(spec, dueMs),
): TransitionFact {
  const reached = symbols.filter((id) => {
    const spec = registry.symbols[id]!
    const isListed = !registry.delistedSymbols.has(id)
    return isListed && spec.status !== status && reaches(spec)
  })
  return { fact: 'transition', schedule, dueMs, status, symbols: reached }
}

/** Returns the facts of the first transition of each schedule that is due and not made. */
export const dueFacts = (registry: Registry, nowMs: Ms): readonly TransitionFact[] =>
  registry.schedules
    .due(nowMs)
    .map((due) =>
      transitionFact(
        registry,
        due.schedule,
        registry.schedules.named(due.schedule)!.spec.symbols,
        due,
      ),
    )

/** Returns the status that a symbol comes back to: its schedule's, or TRADING. */
export function statusToResume(
  { schedules }: Registry,
  id: SymbolId,
  nowMs: Ms,
  otherwise: SymbolStatus,
): SymbolStatus {
  return schedules.isHeld(id) ? otherwise : (schedules.statusAt(id, nowMs) ?? otherwise)
}
