/** Errors as JSON text. */
import type { ErrorId } from '../errors.ts'
import type { AnyRows } from './answer.ts'
import { errorRows } from './errors.ts'
import { textOf } from './json.ts'

/** Texts of errors without details. */
const constantTexts = new Map<ErrorId, string>()

/** `{"code":-1121,"msg":"Invalid symbol."}`, with its `data` where there is some. */
export function errorBody(
  id: ErrorId,
  detail: readonly (string | number)[] = [],
  data?: AnyRows,
): string {
  if (data !== undefined || detail.length > 0) return textOf(errorRows(id, detail, data))
  let text = constantTexts.get(id)
  if (text === undefined) {
    text = textOf(errorRows(id))
    constantTexts.set(id, text)
  }
  return text
}
