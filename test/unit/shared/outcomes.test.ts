import { expect, test } from 'vitest'
import { answerStatuses, errorCodes } from '../../../src/api/errors.ts'
import { SYMBOLS_MAX } from '../../../src/base/limits.ts'
import { SymbolId } from '../../../src/base/units.ts'
import { OutcomeReader, Outcomes, outcomesBytes } from '../../../src/shared/outcomes.ts'

test('every status and code there is has a cell of its own, in each gateway', () => {
  const memory = new SharedArrayBuffer(outcomesBytes(2))
  const reader = new OutcomeReader(memory, 2)
  for (const gateway of [0, 1]) {
    const outcomes = new Outcomes(memory, gateway)
    for (const [place, status] of answerStatuses.entries()) {
      for (let i = 0; i <= place + gateway; i++) outcomes.answered(status)
    }
    for (const [place, code] of errorCodes.entries()) {
      for (let i = 0; i <= place + gateway; i++) outcomes.refused(code)
    }
  }
  const expected = (_: number, place: number) => 2 * place + 3
  expect(answerStatuses.map((status) => reader.answers(status))).toEqual(
    answerStatuses.map(expected),
  )
  expect(errorCodes.map((code) => reader.refusals(code))).toEqual(errorCodes.map(expected))
})

test('every symbol there can be has a cell for refusals, and a refusal without one counts by code', () => {
  const memory = new SharedArrayBuffer(outcomesBytes(2))
  const reader = new OutcomeReader(memory, 2)
  const ids = Array.from({ length: SYMBOLS_MAX }, (_, id) => SymbolId(id))
  for (const gateway of [0, 1]) {
    const outcomes = new Outcomes(memory, gateway)
    for (const id of ids) outcomes.refused(-2010, id)
    outcomes.refused(-2010)
    outcomes.refused(-1013, SymbolId(7))
  }
  expect(reader.refusals(-2010)).toBe(2 * (SYMBOLS_MAX + 1))
  expect(ids.map((id) => reader.refusalsOn(id))).toEqual(ids.map((id) => (id === 7 ? 4 : 2)))
  expect(() => reader.refusalsOn(SymbolId(SYMBOLS_MAX))).toThrow('a symbol has a cell')
})
