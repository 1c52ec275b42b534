/**
 * Compares responses with Binance's: fields, weights, and codes and texts of errors. Items as comparison.ts has
 * them: `field GET /api/v3/exchangeInfo sors`, `weight GET /api/v3/account`, `error -1210`, `text -2010 Order book is full.`
 */
import { type ShapeName, schemas } from '../../src/api/answers/by-name.ts'
import type { Schema } from '../../src/api/answers/schema.ts'
import { errors } from '../../src/api/errors.ts'
import { type Operation, operations } from '../../src/api/operations/index.ts'
import { theirAnswers, theirErrors } from './binance-answers.ts'

const keyOf = ({ method, path }: Operation): string => `${method} ${path}`
const compared = operations.filter((operation) => theirAnswers.has(keyOf(operation)))

/** Adds the names of all members of the shape, and of the shapes that it names. */
function addFields(it: unknown, fields: Set<string>, seen = new Set<string>()): Set<string> {
  if (typeof it !== 'object' || it === null) return fields
  const { $ref, properties } = it as Schema
  if (typeof $ref === 'string' && !seen.has($ref)) {
    addFields(schemas[$ref.split('/').at(-1) as ShapeName], fields, seen.add($ref))
  }
  for (const name of Object.keys(properties ?? {})) fields.add(name)
  for (const part of Object.values(it)) addFields(part, fields, seen)
  return fields
}

export interface OperationDifference {
  readonly operation: string
  readonly missing: readonly string[]
  readonly own: readonly string[]
}

/** Operations that both have and whose responses have other fields. */
export const differingFields = (): readonly OperationDifference[] =>
  compared.flatMap((operation) => {
    const theirs = new Set(theirAnswers.get(keyOf(operation))!.fields)
    const ours = addFields(operation.answer, new Set())
    const missing = [...theirs].filter((name) => !ours.has(name))
    const own = [...ours].filter((name) => !theirs.has(name))
    const isSame = missing.length + own.length === 0
    return isSame ? [] : [{ operation: keyOf(operation), missing, own }]
  })

export interface WeightDifference {
  readonly operation: string
  readonly theirs: number | undefined
  /** Undefined where it varies by the parameters. */
  readonly ours: number | undefined
}

/** Operations that both have and whose weights differ. Those that vary on both sides count as equal. */
export const differingWeights = (): readonly WeightDifference[] =>
  compared.flatMap((operation) => {
    const theirs = theirAnswers.get(keyOf(operation))!.weight
    const ours = typeof operation.weight === 'number' ? operation.weight : undefined
    return theirs === ours ? [] : [{ operation: keyOf(operation), theirs, ours }]
  })

/** What stands for a detail in a text: here, and at Binance. */
const DETAIL = /\{\d\}|%s/
const filled = (text: string) => text.split(DETAIL).join('x 1')
const patternOf = (text: string) =>
  new RegExp(`^${text.split(DETAIL).map(literal).join('.+')}\\.?$`, 's')
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const isSame = (one: string, other: string): boolean =>
  patternOf(one).test(filled(other)) || patternOf(other).test(filled(one))

const ourErrors = Object.values(errors).map(({ code, message }) => [code, message] as const)
/** Codes of the engine share their texts. */
const ENGINE = new Set([-1010, -1013, -2010, -2011, -2038])
type ErrorText = readonly [code: number, text: string]

function errorItems(from: readonly ErrorText[], other: readonly ErrorText[]): readonly string[] {
  const known = new Set(other.map(([code]) => code))
  return from.flatMap(([code, text]) => {
    if (!known.has(code)) return `error ${code}`
    const isOther = ([its, words]: ErrorText) =>
      (its === code || (ENGINE.has(its) && ENGINE.has(code))) && isSame(words, text)
    return text === '' || other.some(isOther) ? [] : `text ${code} ${text}`
  })
}

const weights = () => differingWeights().map(({ operation }) => `weight ${operation}`)
const fields = (of: 'missing' | 'own') =>
  differingFields().flatMap((row) => row[of].map((name) => `field ${row.operation} ${name}`))

/** Theirs, not here; a weight that differs stands on this side. */
export const missingAnswerItems = (): readonly string[] => [
  ...fields('missing'),
  ...weights(),
  ...errorItems(theirErrors, ourErrors),
]

/** Here, not theirs. */
export const ownAnswerItems = (): readonly string[] => [
  ...fields('own'),
  ...errorItems(ourErrors, theirErrors),
]
