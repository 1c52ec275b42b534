/**
 * What templates of SBE are made of, as data: fields of a block, groups, and data of variable length
 * (faqs/sbe_faq.md). A member is found in an answer's table by its name, or by its `path`.
 */

export type Primitive =
  | 'int8'
  | 'uint8'
  | 'int16'
  | 'uint16'
  | 'int32'
  | 'uint32'
  | 'int64'
  | 'uint64'
  | 'float'
  | 'mantissa128'

export const PRIMITIVE_BYTES: Readonly<Record<Primitive, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float: 4,
  int64: 8,
  uint64: 8,
  mantissa128: 16,
}

/** Numbers of names. */
export type Codes = Readonly<Record<string, number>>

/** What stands for a name that the schema's version lacks. */
export const NON_REPRESENTABLE = 254

interface Named {
  /** The element's name, or names of rows within rows; the member's own name without it. */
  readonly path?: string
}

export interface Field extends Named {
  readonly is: 'field'
  readonly primitive: Primitive
  readonly shows:
    | 'integer'
    | 'time'
    | 'flag'
    | 'exponent'
    | 'decimal'
    | 'ratio'
    | 'code'
    | 'set'
    | 'deprecated'
    | 'subscription'
  /** Of a decimal: the field with its exponent. */
  readonly exponent?: string
  /** Of a code, or bits of a set. */
  readonly codes?: Codes
  /** Whether it may be null. */
  readonly isOptional?: boolean
  /** What JSON shows for null. */
  readonly absent?: number
  /** The element that is 0 while this one is null; what this one shows decides without it. */
  readonly absentWith?: string
  /** What stands where the answer has no such element. */
  readonly usual?: number
}

export interface Group extends Named {
  readonly is: 'group'
  /** Bytes of its count. */
  readonly countBytes: 2 | 4
  readonly members: Members
}

export interface Data extends Named {
  readonly is: 'text' | 'message'
  /** Bytes of its length. */
  readonly lengthBytes: 1 | 2 | 4
  /** The element instead where the first one does not stand. */
  readonly otherwise?: string
  readonly isOptional?: boolean
  /** What JSON shows for an empty text. */
  readonly absent?: string
}

export type Member = Field | Group | Data
/** Fields, then groups, then data. */
export type Members = Readonly<Record<string, Member>>

export interface Template {
  readonly id: number
  readonly name: string
  readonly members: Members
}

/** What a path names that shows the row, the list or the value itself. */
export const ITSELF = '..'

export const field = (primitive: Primitive, shows: Field['shows']): Field => ({
  is: 'field',
  primitive,
  shows,
})
export const uint8 = field('uint8', 'integer')
export const int16 = field('int16', 'integer')
export const uint16 = field('uint16', 'integer')
export const int32 = field('int32', 'integer')
export const uint32 = field('uint32', 'integer')
export const int64 = field('int64', 'integer')
export const uint64 = field('uint64', 'integer')
/** Microseconds. */
export const time = field('int64', 'time')
export const flag = field('uint8', 'flag')
/** Whether the client asked for an older version of the schema. */
export const deprecated = field('uint8', 'deprecated')
/** The subscription whose event it is. */
export const subscription: Field = {
  ...field('uint16', 'subscription'),
  isOptional: true,
}
export const exponent = field('int8', 'exponent')
export const ratio = field('float', 'ratio')
export const decimal = (ofExponent: string): Field => ({
  ...field('int64', 'decimal'),
  exponent: ofExponent,
})
/** One of 128 bits. */
export const wide = (one: Field): Field => ({ ...one, primitive: 'mantissa128' })
export const code = (codes: Codes): Field => ({ ...field('uint8', 'code'), codes })
export const bits = (primitive: Primitive, codes: Codes): Field => ({
  ...field(primitive, 'set'),
  codes,
})

export const maybe = (one: Field, absent?: number): Field => ({
  ...one,
  isOptional: true,
  ...(absent === undefined ? {} : { absent }),
})
export const maybeWith = (one: Field, absentWith: string): Field => ({
  ...maybe(one, 0),
  absentWith,
})
export const usually = (usual: number, one: Field): Field => ({ ...one, usual })

export const group = (members: Members, countBytes: Group['countBytes'] = 4): Group => ({
  is: 'group',
  countBytes,
  members,
})
export const smallGroup = (members: Members): Group => group(members, 2)

const data = (is: Data['is'], lengthBytes: Data['lengthBytes'], isOptional = false): Data => ({
  is,
  lengthBytes,
  ...(isOptional ? { isOptional } : {}),
})
export const text8 = data('text', 1)
export const text16 = data('text', 2)
export const maybeText8 = data('text', 1, true)
export const maybeText16 = data('text', 2, true)
export const message8 = data('message', 1)
export const message16 = data('message', 2)
export const message32 = data('message', 4)
export const maybeMessage16 = data('message', 2, true)
export const maybeMessage32 = data('message', 4, true)

export const textUnless = (absent: string): Data => ({ ...maybeText8, absent })

export const at = <Of extends Member>(path: string, one: Of): Of => ({ ...one, path })

/** Bytes of the fields. */
export const blockBytes = (members: Members): number =>
  Object.values(members).reduce(
    (sum, one) => sum + (one.is === 'field' ? PRIMITIVE_BYTES[one.primitive] : 0),
    0,
  )
