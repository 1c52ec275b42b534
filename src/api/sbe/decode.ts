/**
 * Reads messages of SBE by the templates: what `ringbook/sbe` exports (src/sbe.ts), also to pages, so it imports the
 * templates alone. It trusts no length: a count that the bytes left cannot hold is an error before anything is made.
 */
import {
  type Data,
  type Field,
  type Group,
  type Member,
  type Members,
  NON_REPRESENTABLE,
  PRIMITIVE_BYTES,
  type Template,
} from './fields.ts'
import type { SbeMessage } from './messages.gen.ts'
import { STREAM_SCHEMA_ID, streamTemplates } from './stream-templates.ts'
import { SCHEMA_ID, templates } from './templates.ts'

/** What decode() throws where bytes are no message. */
export class SbeError extends Error {
  override readonly name = 'SbeError'
}

/** Messages within each other; three are the most that an exchange sends. */
const DEPTH_MAX = 8
const HEADER_BYTES = 8

const byId = (all: readonly Template[]) => new Map(all.map((template) => [template.id, template]))
/** By the id of their schema, then by their own. */
const known = new Map([
  [SCHEMA_ID, byId(templates)],
  [STREAM_SCHEMA_ID, byId(Object.values(streamTemplates))],
])
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Returns the message that the bytes begin with. What later versions of the schema add to it is skipped, and what earlier
 * ones lack is null. A template that is not known has its header alone.
 */
export const decode = (bytes: Uint8Array): SbeMessage => readMessage(bytes, 1)

function readMessage(bytes: Uint8Array, depth: number): SbeMessage {
  if (depth > DEPTH_MAX) throw new SbeError(`Over ${DEPTH_MAX} messages are within each other.`)
  const reader = new Reader(bytes, depth)
  const header = reader.take(HEADER_BYTES, 'the header')
  const [blockBytes, id, schema, version] = [0, 2, 4, 6].map((at) =>
    reader.view.getUint16(header + at, true),
  ) as [number, number, number, number]
  const template = known.get(schema)?.get(id)
  const head = { id, schema, version }
  if (template === undefined) return { template: undefined, ...head, message: undefined }
  const message: unknown = reader.members(template.members, blockBytes, {})
  return { template: template.name, ...head, message } as SbeMessage
}

type Values = Record<string, unknown>
/** Of a message and of what its entries are in, by name. */
type Exponents = Readonly<Record<string, number | null>>

class Reader {
  readonly view: DataView
  private readonly bytes: Uint8Array
  private readonly depth: number
  private at = 0

  constructor(bytes: Uint8Array, depth: number) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.bytes = bytes
    this.depth = depth
  }

  get left(): number {
    return this.view.byteLength - this.at
  }

  /** Returns where so many bytes begin. */
  take(bytes: number, what: string): number {
    if (bytes > this.left) throw new SbeError(`The message ends within ${what}.`)
    this.at += bytes
    return this.at - bytes
  }

  members(members: Members, blockBytes: number, outer: Exponents): Values {
    const begin = this.take(blockBytes, 'a block')
    const end = begin + blockBytes
    const exponents = { ...outer }
    const values: Values = {}
    let at = begin
    for (const [name, one] of entriesOf(members)) {
      if (one.is === 'field') {
        const isThere = at < end
        if (isThere ? at + PRIMITIVE_BYTES[one.primitive] > end : one.isOptional !== true) {
          throw new SbeError(`The block ends before ${name} does.`)
        }
        const value = isThere ? this.field(name, one, at, exponents) : null
        if (one.shows === 'exponent') exponents[name] = value as number | null
        else values[name] = value
        at += PRIMITIVE_BYTES[one.primitive]
      } else if (one.is === 'group') values[name] = this.group(name, one, exponents)
      else values[name] = this.data(name, one)
    }
    return values
  }

  private field(name: string, one: Field, at: number, exponents: Exponents): unknown {
    const { primitive, isOptional, shows, exponent } = one
    if (primitive === 'float') {
      const value = this.view.getFloat32(at, true)
      return isOptional === true && Number.isNaN(value) ? null : value
    }
    const value = this.integer(primitive, at)
    if (isOptional === true && value === nulls[primitive]) return null
    switch (shows) {
      case 'flag':
      case 'deprecated':
        if (value !== 0 && value !== 1) throw new SbeError(`${name} is neither true nor false.`)
        return value === 1
      case 'decimal': {
        const places = exponents[exponent!] ?? null
        if (places === null) throw new SbeError(`${name} has no exponent.`)
        return decimalText(value as bigint, places)
      }
      case 'code':
        return namesOf(one).get(value as number) ?? value
      case 'set':
        return Array.from({ length: 8 * PRIMITIVE_BYTES[primitive] }, (_, bit) => bit)
          .filter((bit) => ((value as number) >> bit) & 1)
          .map((bit) => namesOf(one).get(bit) ?? bit)
      default:
        return value
    }
  }

  private integer(primitive: Integer, at: number): number | bigint {
    const { view } = this
    switch (primitive) {
      case 'int8':
        return view.getInt8(at)
      case 'uint8':
        return view.getUint8(at)
      case 'int16':
        return view.getInt16(at, true)
      case 'uint16':
        return view.getUint16(at, true)
      case 'int32':
        return view.getInt32(at, true)
      case 'uint32':
        return view.getUint32(at, true)
      case 'int64':
        return view.getBigInt64(at, true)
      case 'uint64':
        return view.getBigUint64(at, true)
      case 'mantissa128':
        return (view.getBigInt64(at + 8, true) << 64n) | view.getBigUint64(at, true)
    }
  }

  private group(name: string, { countBytes, members }: Group, exponents: Exponents): Values[] {
    const at = this.take(2 + countBytes, name)
    const blockBytes = this.view.getUint16(at, true)
    const count = this.unsigned(at + 2, countBytes)
    const bytes = blockBytes + lengthsOf(members)
    // An entry of no bytes could be repeated for ever.
    if (count > 0 && (bytes === 0 || count > this.left / bytes)) {
      throw new SbeError(`The message ends within ${name}.`)
    }
    const entries: Values[] = []
    for (let i = 0; i < count; i++) entries.push(this.members(members, blockBytes, exponents))
    return entries
  }

  private data(name: string, { is, lengthBytes, isOptional }: Data): string | SbeMessage | null {
    const length = this.unsigned(this.take(lengthBytes, name), lengthBytes)
    const at = this.take(length, name)
    if (length === 0 && isOptional === true) return null
    const bytes = this.bytes.subarray(at, at + length)
    return is === 'text' ? textOf(name, bytes) : readMessage(bytes, this.depth + 1)
  }

  private unsigned(at: number, bytes: 1 | 2 | 4): number {
    return this.integer(`uint${(8 * bytes) as 8 | 16 | 32}`, at) as number
  }
}

type Integer = Exclude<Field['primitive'], 'float'>
const nulls: Readonly<Record<Integer, number | bigint>> = {
  int8: -(2 ** 7),
  uint8: 2 ** 8 - 1,
  int16: -(2 ** 15),
  uint16: 2 ** 16 - 1,
  int32: -(2 ** 31),
  uint32: 2 ** 32 - 1,
  int64: -(2n ** 63n),
  uint64: 2n ** 64n - 1n,
  mantissa128: -(2n ** 127n),
}

/** Returns what is made of a part of a template, made once. */
function once<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const made = new WeakMap<Of, Made>()
  return (of) => {
    let known = made.get(of)
    if (known === undefined) {
      known = make(of)
      made.set(of, known)
    }
    return known
  }
}

const entriesOf = once((members: Members) => Object.entries(members))

/** The least bytes of an entry behind its block: counts and lengths. */
const lengthsOf = once((members: Members) => Object.values(members).reduce(addLength, 0))
function addLength(sum: number, one: Member): number {
  if (one.is === 'field') return sum
  return sum + (one.is === 'group' ? 2 + one.countBytes : one.lengthBytes)
}

const namesOf = once(({ shows, primitive, codes = {} }: Field) => {
  const other = shows === 'set' ? 8 * PRIMITIVE_BYTES[primitive] - 1 : NON_REPRESENTABLE
  const names = Object.entries(codes).map(([name, code]) => [code, name] as const)
  return new Map<number, string>([...names, [other, 'NON_REPRESENTABLE']])
})

/** With as many places as the exponent says. */
function decimalText(mantissa: bigint, exponent: number): string {
  if (exponent >= 0) return `${mantissa * 10n ** BigInt(exponent)}`
  const digits = `${mantissa < 0n ? -mantissa : mantissa}`.padStart(1 - exponent, '0')
  return `${mantissa < 0n ? '-' : ''}${digits.slice(0, exponent)}.${digits.slice(exponent)}`
}

function textOf(name: string, bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new SbeError(`${name} is not UTF-8.`)
  }
}
