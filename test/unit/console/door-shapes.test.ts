/**
 * What the operators' door sends, and what the screen takes it for: the rooms do not import each other, so
 * each has its own types. A difference between them fails the check of types.
 */
import { expectTypeOf, test } from 'vitest'
import type { Figures as SentFigures } from '../../../src/admin-api/figures.ts'
import type { ActParam, ActResult, ActRow, Preview } from '../../../src/console/operator/act-row.ts'
import type { Figures } from '../../../src/console/operator/figures.ts'
import type { ActRow as SentAct, ActParam as SentParam } from '../../../src/control/act.ts'
import type { ActAnswer, ActPreview } from '../../../src/control/command-executor.ts'

test('the screen draws the figures that the door sends', () => {
  expectTypeOf<Figures>().toEqualTypeOf<SentFigures>()
})

test('forms are made from the rows that the door lists, and show the answers that it gives', () => {
  expectTypeOf<ActParam>().toEqualTypeOf<SentParam>()
  expectTypeOf<Omit<SentAct, 'run' | 'previews' | 'present'>>().toExtend<ActRow>()
  expectTypeOf<ActResult>().toEqualTypeOf<ActAnswer>()
  expectTypeOf<ActPreview>().toExtend<Preview>()
})
