/**
 * What the admin server sends beside figures, and what the screen takes it for: each has its own types, since those of the
 * server are among code that no page can import. A difference between them fails the check of types.
 */
import { expectTypeOf, test } from 'vitest'
import type {
  ActionParam,
  ActionResult,
  ActionRow,
  Preview,
} from '../../../src/console/operator/action-row.ts'
import type { History } from '../../../src/console/operator/figures.ts'
import type {
  ActionAnswer,
  ActionRow as SentAction,
  ActionParam as SentParam,
} from '../../../src/control/action.ts'
import type { ActionPreview } from '../../../src/control/command-executor.ts'
import type { KeptReading } from '../../../src/telemetry/kept-figures.ts'

test('plots begin with the figures that the exchange kept', () => {
  expectTypeOf<KeptReading>().toExtend<History>()
})

test('forms are made from the rows that the door lists, and show the answers that it gives', () => {
  expectTypeOf<ActionParam>().toEqualTypeOf<SentParam>()
  type Sent = Omit<SentAction, 'run' | 'previews' | 'present'> & { readonly hasPreview: boolean }
  expectTypeOf<Sent>().toExtend<ActionRow>()
  expectTypeOf<ActionResult>().toEqualTypeOf<ActionAnswer>()
  expectTypeOf<ActionPreview>().toExtend<Preview>()
})
