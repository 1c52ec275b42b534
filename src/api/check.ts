/**
 * The checks of a request that need only its operation's row, as pure functions. The gateway calls
 * `checkSyntax` before it looks at key, timestamp and signature, and `checkParams` after
 * (errors.md, Order of checks). What depends on the symbol is the handlers'.
 */
import { Fault } from './errors.ts'
import type { Operation, ParamRow } from './operations/operation.ts'
import { kindOf, Param, type ParamKind, paramNames, RareParam, Refusal } from './parameters.ts'
import { BIT_COUNT, Params, type RawParams } from './params.ts'

/** Empty texts that have their own error. */
const emptyIds: Readonly<Record<Param, Fault | undefined>> = {
  [Param.newClientOrderId]: new Fault('EMPTY_CLIENT_ORDER_ID'),
  [Param.clOrdId]: new Fault('EMPTY_CLIENT_ORDER_ID'),
  [Param.origClientOrderId]: new Fault('EMPTY_ORIG_CLIENT_ORDER_ID'),
  [Param.origClOrdId]: new Fault('EMPTY_ORIG_CLIENT_ORDER_ID'),
}

/** Parameters of signed requests, of both APIs. */
const signatureParams: readonly Param[] = [Param.timestamp, Param.recvWindow, Param.signature]

/** What the checks need of an operation's row. */
export type CheckedRow = Pick<
  Operation,
  'params' | 'signed' | 'oneOf' | 'alternatives' | 'exclusive'
>

/** Parameters that every request of a transport may carry, whatever its operation takes. */
export class SharedParams {
  readonly slots: readonly Param[]
  /** Parameters that are refused for their texts. */
  readonly checked: readonly Param[]
  readonly bits: number

  constructor(slots: readonly Param[], checked: readonly Param[]) {
    this.slots = slots
    this.checked = checked
    this.bits = bitsOf(slots)
  }
}

/** What a row has of the parameters that have a bit (params.ts). */
class RowBits {
  /** Whether every mandatory parameter has a bit. */
  readonly isWhole: boolean
  readonly mandatory: number
  /** Bits of those whose text means what their kind read from it, and no other name. */
  readonly plain: number
  readonly hasCombinations: boolean

  constructor({ params, signed, oneOf, exclusive }: CheckedRow) {
    const plain = params.filter(({ kind }) => kind === undefined).map(({ slot }) => slot)
    const mandatory = params.filter((row) => row.mandatory).map(({ slot }) => slot)
    this.isWhole = mandatory.every((slot) => slot < BIT_COUNT)
    this.mandatory = bitsOf(mandatory)
    this.plain = bitsOf(plain) | (signed ? bitsOf(signatureParams) : 0)
    this.hasCombinations = oneOf !== undefined || exclusive !== undefined
  }

  static of(row: CheckedRow): RowBits {
    const known = rowBits.get(row)
    if (known !== undefined) return known
    const bits = new RowBits(row)
    rowBits.set(row, bits)
    return bits
  }
}

const rowBits = new WeakMap<CheckedRow, RowBits>()
function bitsOf(slots: readonly Param[]): number {
  return slots.filter((slot) => slot < BIT_COUNT).reduce((bits, slot) => bits | (1 << slot), 0)
}

/** For a transport whose requests carry no more than their operations take. */
export const noShared = new SharedParams([], [])
/** For the WebSocket API. */
export const frameParams = new SharedParams(
  [Param.apiKey, Param.returnRateLimits, RareParam.receipt],
  [RareParam.receipt],
)

/**
 * Reads every known parameter that was sent and is not empty. The first, by slot, whose characters are
 * illegal is the answer (-1100); other refusals wait for `checkParams`.
 */
export function checkSyntax(raw: RawParams): Params | Fault {
  const params = new Params(raw)
  for (let bits = raw.bits; bits !== 0; bits &= bits - 1) {
    const fault = readText(params, 31 - Math.clz32(bits & -bits))
    if (fault !== undefined) return fault
  }
  if (raw.countWithoutBits === 0) return params
  for (let slot = BIT_COUNT; slot < raw.values.length; slot++) {
    const fault = raw.has(slot) ? readText(params, slot) : undefined
    if (fault !== undefined) return fault
  }
  return params
}

function readText(params: Params, slot: Param): Fault | undefined {
  const text = params.raw.values[slot]!
  const kind = kindOf[slot]!
  const number = text === '' ? Refusal.INVALID : kind.read(text)
  if (number === Refusal.ILLEGAL) {
    return new Fault('ILLEGAL_CHARACTERS', paramNames[slot]!, kind.range)
  }
  params.numbers[slot] = number
  if (number < 0) params.hasRefusals = true
  return undefined
}

/**
 * Mandatory, empty, refused, unknown and contradicting parameters, in this order; afterwards aliases
 * stand under their main name.
 *
 * Most requests send only what has a bit, under main names, and all of it is good: for them a few
 * comparisons give the same as the rows do, one by one.
 */
export function checkParams(
  operation: CheckedRow,
  params: Params,
  shared: SharedParams,
): Fault | undefined {
  const { bits, countWithoutBits } = params.raw
  const row = RowBits.of(operation)
  const isGood =
    row.isWhole && (bits & ~(row.plain | shared.bits)) === 0 && (row.mandatory & ~bits) === 0
  if (!isGood || countWithoutBits > 0 || params.hasRefusals) {
    return checkRows(operation, params, shared)
  }
  return row.hasCombinations ? combinationFault(operation, params) : undefined
}

/** `checkParams`, row by row. */
export function checkRows(
  operation: CheckedRow,
  params: Params,
  shared: SharedParams,
): Fault | undefined {
  let readCount = 0
  for (const row of operation.params) {
    if (row.mandatory && !params.raw.values[row.slot]) {
      return new Fault('MANDATORY_PARAMETER', paramNames[row.slot]!)
    }
  }
  const empty = emptyPairFault(operation, params)
  if (empty !== undefined) return empty
  for (const row of operation.params) {
    const alias = row.alias === undefined ? undefined : mergeAlias(row, row.alias, params)
    if (alias instanceof Fault) return alias
    if (params.raw.values[row.slot] === undefined) continue
    readCount++
    const kind = row.kind ?? kindOf[row.slot]!
    if (row.kind !== undefined) {
      params.numbers[row.slot] = kind.read(params.raw.values[row.slot]!)
    }
    const fault = faultOf(row.slot, kind, params)
    if (fault !== undefined) return fault
  }
  if (operation.signed) readCount += countSent(signatureParams, params)
  readCount += countSent(shared.slots, params)
  for (const slot of shared.checked) {
    const fault = params.has(slot) ? faultOf(slot, kindOf[slot]!, params) : undefined
    if (fault !== undefined) return fault
  }
  const { sentCount } = params.raw
  const takenCount = countTaken(operation, shared)
  if (sentCount > takenCount) return new Fault('MORE_PARAMETERS_THAN_TAKEN', takenCount, sentCount)
  if (readCount !== sentCount) return new Fault('UNREAD_PARAMETERS', readCount, sentCount)
  return combinationFault(operation, params)
}

/** How many parameters a request may carry. */
const countTaken = ({ params, signed }: CheckedRow, { slots }: SharedParams): number =>
  params.length + (signed ? signatureParams.length : 0) + slots.length

function mergeAlias(row: ParamRow, alias: Param, params: Params): Fault | undefined {
  const { values } = params.raw
  if (values[alias] === undefined) return undefined
  if (values[row.slot] !== undefined) return new Fault('BAD_COMBINATION')
  values[row.slot] = values[alias]
  params.numbers[row.slot] = params.numbers[alias]!
  values[alias] = undefined
  return undefined
}

/** Why the parameter's text cannot be used, if it cannot. */
function faultOf(slot: Param, kind: ParamKind, params: Params): Fault | undefined {
  const name = paramNames[slot]!
  if (params.raw.values[slot] === '') return emptyIds[slot] ?? new Fault('PARAMETER_EMPTY', name)
  const number = params.numbers[slot]!
  if (number >= 0) return undefined
  if (number === Refusal.PRECISION) return new Fault('BAD_PRECISION', name)
  if (number === Refusal.OVERFLOW) return new Fault('PARAMETER_OVERFLOW', name)
  return new Fault(kind.invalid, name)
}

function countSent(slots: readonly Param[], params: Params): number {
  let count = 0
  for (const slot of slots) if (params.raw.values[slot] !== undefined) count++
  return count
}

/** Two alternatives that were both sent without a text, whatever error one of them has alone. */
function emptyPairFault(operation: CheckedRow, params: Params): Fault | undefined {
  const pair = operation.oneOf ?? operation.alternatives
  return pair?.every((slot) => isSentEmpty(operation, slot, params)) === true
    ? noneOfTwo(pair)
    : undefined
}

function isSentEmpty({ params: rows }: CheckedRow, slot: Param, { raw }: Params): boolean {
  const alias = rows.find((row) => row.slot === slot)?.alias
  return raw.values[slot] === '' || (alias !== undefined && raw.values[alias] === '')
}

const noneOfTwo = ([one, other]: readonly [Param, Param]): Fault =>
  new Fault('ONE_OF_TWO_PARAMETERS', paramNames[one]!, paramNames[other]!)

function combinationFault(operation: CheckedRow, params: Params): Fault | undefined {
  const { values } = params.raw
  const { oneOf, exclusive } = operation
  if (oneOf !== undefined && values[oneOf[0]] === undefined && values[oneOf[1]] === undefined) {
    return noneOfTwo(oneOf)
  }
  for (const [one, other] of exclusive ?? []) {
    if (values[one] !== undefined && values[other] !== undefined) {
      return new Fault('BAD_COMBINATION')
    }
  }
  return undefined
}
