/** What is refused of a request by itself, in tables; and which rows of the error table these are. */
import { type ErrorId, errors } from '../../src/api/errors.ts'
import {
  accountFaults,
  type Case,
  changeFaults,
  filterFaults,
  listFaults,
  typeFaults,
} from './order-refusals.ts'
import {
  combinations,
  demands,
  orderFaults,
  symbolFaults,
  symbolNames,
  syntax,
} from './request-refusals.ts'

export const refusals: readonly (readonly [subject: string, cases: readonly Case[]])[] = [
  ['parameter syntax', syntax],
  ['mandatory, unknown and misplaced parameters', demands],
  ['combinations', combinations],
  ['symbols', [...symbolNames, ...symbolFaults]],
  ['orders', orderFaults],
  ['what types demand', typeFaults],
  ['filters and features', filterFaults],
  ['accounts', accountFaults],
  ['order lists', listFaults],
  ['replacements and amendments', changeFaults],
]

/** The rows of the error table that an answer may be of: `status code message`. */
export function rowsLike(line: string): ErrorId[] {
  return (Object.keys(errors) as ErrorId[]).filter((id) => {
    const { status, code, message } = errors[id]
    const parts = `${status} ${code} ${message}`.split(/\{\d\}/)
    const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')
    return new RegExp(`^${pattern}$`, 's').test(line)
  })
}
