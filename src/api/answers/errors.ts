/** Errors as rows, and what only some errors have. */
import { type ErrorId, errorCode, errorMessage } from '../errors.ts'
import { Answer, type AnyRows, Rows } from './answer.ts'
import { answer, integer, optional, text, time } from './element.ts'

const elements = {
  code: integer('code'),
  msg: text('message'),
  data: optional(answer({ type: 'object' })('data')),
}
export const errorAnswer = new Answer(elements)
/** Errors that are always the same. */
const constantError = Answer.kept(elements)
export const errorTables = [errorAnswer, constantError] as const

export interface ErrorRow {
  readonly code: number
  readonly message: string
  readonly data?: AnyRows | undefined
}

/** The `data` of refusals by a limit. */
export const limitedData = new Answer({ serverTime: time('nowMs'), retryAfter: time('retryMs') })
/** The `data` of refusals by a member of a quorum that does not lead. */
export const leaderData = new Answer({ leader: text('leader') })

const form = { microseconds: false }

const constants = new Map<ErrorId, AnyRows>()

/** Returns `{"code":-1121,"msg":"Invalid symbol."}`, with its `data` where there is some. */
export function errorRows(
  id: ErrorId,
  detail: readonly (string | number)[] = [],
  data?: AnyRows,
): AnyRows {
  const row = { code: errorCode(id), message: errorMessage(id, detail), data }
  if (data !== undefined || detail.length > 0) return shownError(row)
  let rows = constants.get(id)
  if (rows === undefined) {
    rows = new Rows(constantError, row, form)
    constants.set(id, rows)
  }
  return rows
}

/** An error that no table has. */
export const shownError = (row: ErrorRow): AnyRows => new Rows(errorAnswer, row, form)
