/** One refusal that a client can provoke: the request, and the answer to the letter. */
import { expect } from 'vitest'
import { type ErrorId, errors } from '../../../src/api/errors.ts'
import { refusals, rowsLike } from '../../protocol/refusals.ts'
import type { Frame } from '../frame-log.ts'
import type { Params } from '../trader.ts'

export interface ErrorCase {
  /** The row of the error table that it raises. */
  readonly row: ErrorId
  readonly name: string
  readonly account: string
  readonly method: string
  readonly path: string
  readonly params: Params
  readonly msg: string
}

/** `account` is `own` unless a table sets it. */
export const refusedBy =
  (method: string, path: string, always: Params = {}, account = 'own') =>
  (row: ErrorId, name: string, params: Params, msg: string): ErrorCase => ({
    row,
    name,
    account,
    method,
    path,
    params: { ...always, ...params },
    msg,
  })

/** The parameters without those named. */
export function without(params: Params, ...names: readonly string[]): Params {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
}

export const missing = (name: string) =>
  `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`

const visited = new Set<ErrorId>()

/** An answer is what the row has, and what the test has to the letter. */
export function expectRefusal(
  row: ErrorId,
  answer: { readonly status: number; readonly body: Frame },
  code: number,
  msg: string | RegExp,
): void {
  const { data: _, ...body } = answer.body
  expect(body).toEqual({ code, msg: typeof msg === 'string' ? msg : expect.stringMatching(msg) })
  expect(answer.status).toBe(errors[row].status)
  expect(code).toBe(errors[row].code)
  expect(rowsLike(`${errors[row].status} ${code} ${body.msg}`)).toContain(row)
  visited.add(row)
}

/** Rows that no case has raised so far, here or in the tables of refusals that need no exchange. */
export function unvisited(): ErrorId[] {
  const checked = new Set(refusals.flatMap(([, cases]) => cases).flatMap((it) => rowsLike(it[2])))
  return (Object.keys(errors) as ErrorId[]).filter((id) => !visited.has(id) && !checked.has(id))
}
