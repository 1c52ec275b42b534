/**
 * What the admin server sends, and what the screen takes it for: the rooms do not import each other, so
 * each has its own types. A difference between them fails the check of types.
 */
import { expectTypeOf, test } from 'vitest'
import type { Figures as SentFigures } from '../../../src/admin-api/figures.ts'
import type {
  ActionParam,
  ActionResult,
  ActionRow,
  Preview,
} from '../../../src/console/operator/action-row.ts'
import type { Figures, History } from '../../../src/console/operator/figures.ts'
import type {
  ActionAnswer,
  ActionRow as SentAction,
  ActionParam as SentParam,
} from '../../../src/control/action.ts'
import type { ActionPreview } from '../../../src/control/command-executor.ts'
import type { KeptReading } from '../../../src/telemetry/kept-figures.ts'

test('the screen draws the figures that the door sends', () => {
  expectTypeOf<Figures>().toEqualTypeOf<SentFigures>()
  expectTypeOf<KeptReading>().toExtend<History>()
})

test('forms are made from the rows that the door lists, and show the answers that it gives', () => {
  expectTypeOf<ActionParam>().toEqualTypeOf<SentParam>()
  type Sent = Omit<SentAction, 'run' | 'previews' | 'present'> & { readonly hasPreview: boolean }
  expectTypeOf<Sent>().toExtend<ActionRow>()
  expectTypeOf<ActionResult>().toEqualTypeOf<ActionAnswer>()
  expectTypeOf<ActionPreview>().toExtend<Preview>()
})
