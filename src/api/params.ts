/**
 * The parameters of one request: found in one pass, decoded only where `%` or `+` occurs, kept by
 * slot. `RawParams` is what was sent; `Params` adds the numbers that the checks read from it.
 * Nothing here throws on what a client sends.
 */
import { parseInt64 } from '../base/fixed.ts'
import type { Int64 } from '../base/int64.ts'
import { WIRE_DECIMALS } from '../base/limits.ts'
import { Fault } from './errors.ts'
import {
  COMMON_PARAM_COUNT,
  PARAM_COUNT,
  type Param,
  type ParamName,
  paramNames,
  WIDE,
} from './parameters.ts'

/** More than a mistaken client sends, and little enough that searching them costs nothing. */
export const UNKNOWN_PARAMETERS_MAX = 32

const EQUALS = 61
/** Slots below it have a bit: slot n the n-th. */
export const BIT_COUNT = 32

const slots = new Map<string, Param>(paramNames.map((name, slot) => [name, slot]))
/**
 * By how many names a request had before: which one came next in the last request. Most clients send the
 * same names in the same order, and comparing costs less than searching (bench `wire`).
 */
const lastSent: Param[] = new Array(PARAM_COUNT + UNKNOWN_PARAMETERS_MAX + 1).fill(0)
const noValues: readonly (string | undefined)[] = new Array(COMMON_PARAM_COUNT).fill(undefined)

/** Members of a frame's object, by index. */
export interface FrameMembers {
  /** Whether the member has this name, which has no character that JSON escapes. */
  isNamed(index: number, name: string): boolean
  nameOf(index: number): string
  isNull(index: number): boolean
  /** Returns the value as a query would have it. */
  textOf(index: number): string
}

export class RawParams {
  /** Different names sent, known or not. */
  sentCount = 0
  /** The parameters sent that have a bit. */
  bits = 0
  /** How many more were sent, known or not. */
  countWithoutBits = 0
  /** By slot; undefined where not sent. Places of rare parameters are there when one was. */
  readonly values: (string | undefined)[] = noValues.slice()
  private unknown: [name: string, text: string][] | undefined = undefined

  /**
   * Reads a query string and a form body. For a name in both, the query counts;
   * twice in one of them is a fault, and so is an escape that is not UTF-8.
   */
  static parse(query: string, body: string): RawParams | Fault {
    const fromQuery = new RawParams()
    const fault = fromQuery.readPart(query)
    if (fault !== undefined || body === '') return fault ?? fromQuery
    const fromBody = new RawParams()
    return fromBody.readPart(body) ?? fromQuery.withDefaults(fromBody)
  }

  /** Reads the members of a frame's `params` object, from index `begin` up to `end`. */
  static ofMembers(members: FrameMembers, begin: number, end: number): RawParams | Fault {
    const params = new RawParams()
    for (let index = begin; index < end; index++) {
      if (members.isNull(index)) return new Fault('MANDATORY_PARAMETER', members.nameOf(index))
      const slot = lastSent[params.sentCount]!
      const text = members.textOf(index)
      const fault = members.isNamed(index, paramNames[slot]!)
        ? params.addKnown(slot, text)
        : params.add(members.nameOf(index), text)
      if (fault !== undefined) return fault
    }
    return params
  }

  /** Puts one parameter in. The fault, if its name was there before or is one too many. */
  add(name: string, text: string): Fault | undefined {
    const slot = slots.get(name)
    if (slot === undefined) return this.addUnknown(name, text)
    lastSent[this.sentCount] = slot
    return this.addKnown(slot, text)
  }

  private addKnown(slot: Param, text: string): Fault | undefined {
    if (slot >= this.values.length) this.makeRoom()
    if (this.values[slot] !== undefined) return new Fault('DUPLICATE_PARAMETER')
    this.values[slot] = text
    this.sentCount++
    if (slot < BIT_COUNT) this.bits |= 1 << slot
    else this.countWithoutBits++
    return undefined
  }

  text(slot: Param): string | undefined {
    return this.values[slot]
  }

  has(slot: Param): boolean {
    return this.values[slot] !== undefined
  }

  /** Visits all that was sent, for signatures over names and values. */
  forEach(visit: (name: string, text: string) => void): void {
    for (let slot = 0; slot < this.values.length; slot++) {
      const text = this.values[slot]
      if (text !== undefined) visit(paramNames[slot] as ParamName, text)
    }
    for (const [name, text] of this.unknown ?? []) visit(name, text)
  }

  private makeRoom(): void {
    while (this.values.length < PARAM_COUNT) this.values.push(undefined)
  }

  private addUnknown(name: string, text: string): Fault | undefined {
    this.unknown ??= []
    if (this.unknown.some(([other]) => other === name)) return new Fault('DUPLICATE_PARAMETER')
    if (this.unknown.length === UNKNOWN_PARAMETERS_MAX) return new Fault('TOO_MANY_PARAMETERS')
    this.unknown.push([name, text])
    this.sentCount++
    this.countWithoutBits++
    return undefined
  }

  private withDefaults(others: RawParams): RawParams | Fault {
    let fault: Fault | undefined
    others.forEach((name, text) => {
      const slot = slots.get(name)
      const known =
        slot === undefined
          ? this.unknown?.some(([other]) => other === name) === true
          : this.values[slot] !== undefined
      if (!known) fault ??= this.add(name, text)
    })
    return fault ?? this
  }

  /** `name=text` pairs joined by `&`; a pair without `=` is a name with an empty text. */
  private readPart(part: string): Fault | undefined {
    const encoded = part.includes('%') || part.includes('+')
    const length = part.length
    let start = 0
    while (start < length) {
      const ampersand = part.indexOf('&', start)
      const end = ampersand < 0 ? length : ampersand
      if (end > start) {
        const fault = this.readPair(part, start, end, encoded)
        if (fault !== undefined) return fault
      }
      start = end + 1
    }
    return undefined
  }

  /** The pair stands in `part` from `start` up to `end`. */
  private readPair(part: string, start: number, end: number, encoded: boolean): Fault | undefined {
    const slot = lastSent[this.sentCount]!
    const expected = paramNames[slot]!
    const equalsExpected = start + expected.length
    // No name has a character that would end it: what equals the expected one is all of the name.
    const isExpected =
      part.charCodeAt(equalsExpected) === EQUALS && part.slice(start, equalsExpected) === expected
    if (isExpected && !encoded) return this.addKnown(slot, part.slice(equalsExpected + 1, end))
    const equals = part.indexOf('=', start)
    const hasText = equals >= 0 && equals < end
    const name = part.slice(start, hasText ? equals : end)
    const text = hasText ? part.slice(equals + 1, end) : ''
    return encoded ? this.addDecoded(name, text) : this.add(name, text)
  }

  private addDecoded(name: string, text: string): Fault | undefined {
    try {
      return this.add(decode(name), decode(text))
    } catch {
      return new Fault('BROKEN_ENCODING')
    }
  }
}

const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/** Held as doubles from the first: V8 would copy each array of small integers when a time is put in. */
const noNumbers: readonly number[] = new Array(COMMON_PARAM_COUNT).fill(0.5).fill(0)
const noRareNumbers: readonly number[] = new Array(PARAM_COUNT).fill(0.5).fill(0)

/**
 * Parameters whose texts are legal (check.ts). Numbers are as `ParamKind.read` gave them: decimals
 * in 10^-8 (recvWindow in 10^-3), enumerations by their codes, booleans as 0 and 1.
 */
export class Params {
  readonly raw: RawParams
  /** By slot; meaningful only where a text was sent. */
  readonly numbers: number[]
  /** Whether a text is empty, or none of its kind. */
  hasRefusals = false

  constructor(raw: RawParams) {
    this.raw = raw
    const isCommon = raw.values.length === COMMON_PARAM_COUNT
    this.numbers = (isCommon ? noNumbers : noRareNumbers).slice()
  }

  has(slot: Param): boolean {
    return this.raw.values[slot] !== undefined
  }

  /** Whether something was sent that only few requests take. */
  get hasRare(): boolean {
    return this.raw.values.length > COMMON_PARAM_COUNT
  }

  text(slot: Param): string | undefined {
    return this.raw.values[slot]
  }

  /** The number sent, in the kind's unit, or undefined. */
  number(slot: Param): number | undefined {
    return this.raw.values[slot] === undefined ? undefined : this.numbers[slot]
  }

  /** The LONG sent, with all of its digits, or undefined. */
  long(slot: Param): Int64 | undefined {
    return this.wide(slot, 0)
  }

  /** The DECIMAL sent, in 10^-8 with all of its digits, or undefined. */
  units(slot: Param): Int64 | undefined {
    return this.wide(slot, WIRE_DECIMALS)
  }

  private wide(slot: Param, decimals: number): Int64 | undefined {
    const value = this.number(slot)
    return value === WIDE ? parseInt64(this.text(slot)!, decimals) : value
  }

  /** The number as one of a unit: `params.unit(Param.orderId, OrderId)`. */
  unit<Of extends number>(slot: Param, unit: (value: number) => Of): Of | undefined {
    const value = this.number(slot)
    return value === undefined ? undefined : unit(value)
  }

  /** Whether a BOOL was sent as true, or what holds when it was not sent. */
  flag(slot: Param, absent: boolean): boolean {
    return this.raw.values[slot] === undefined ? absent : this.numbers[slot] === 1
  }
}
