/** Errors, as rows that other answers contain, and what only some errors have. */
import { type ErrorId, errorCode, errorMessage } from '../errors.ts'
import { Answer, type AnyRows, Rows } from './answer.ts'
import { answer, integer, optional, text, time } from './element.ts'

export const errorAnswer = new Answer({
  code: integer('code'),
  msg: text('message'),
  data: optional(answer({ type: 'object' })('data')),
})

/** The `data` of refusals by a limit. */
export const limitedData = new Answer({ serverTime: time('nowMs'), retryAfter: time('retryMs') })
/** The `data` of refusals by a member of a quorum that does not lead. */
export const leaderData = new Answer({ leader: text('leader') })

const form = { microseconds: false }

export function errorRows(
  id: ErrorId,
  detail?: readonly (string | number)[],
  data?: AnyRows,
): AnyRows {
  const row = { code: errorCode(id), message: errorMessage(id, detail), data }
  return new Rows(errorAnswer, row, form)
}
