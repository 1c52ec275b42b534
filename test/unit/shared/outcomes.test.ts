import { expect, test } from 'vitest'
import { answerStatuses, errorCodes } from '../../../src/api/errors.ts'
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
