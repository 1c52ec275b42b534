/** The words that shapes of answers are written in: JSON Schema, as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>
export type Members = Readonly<Record<string, Schema>>

export const text: Schema = { type: 'string' }
export const flag: Schema = { type: 'boolean' }
/** Ids, times and labels: programs that are made of the schema must keep all of their bits. */
export const integer: Schema = { type: 'integer', format: 'int64' }
/** Eight places, never an exponent. */
export const decimal: Schema = { type: 'string', pattern: '^-?[0-9]+\\.[0-9]{8}$' }
/** In ms, or in µs where the request asked for those. */
export const time: Schema = { ...integer, description: 'ms, or µs if asked for' }

export const oneOfNames = (names: readonly string[]): Schema => ({ type: 'string', enum: names })
export const constant = (value: unknown): Schema => ({ const: value })
export const list = (items: Schema): Schema => ({ type: 'array', items })

/** An object with these members and no others; those of `sometimes` may be absent. */
export const object = (always: Members, sometimes: Members = {}): Schema => ({
  type: 'object',
  properties: { ...always, ...sometimes },
  required: Object.keys(always),
  additionalProperties: false,
})

/** An array of exactly these. */
export const tuple = (...items: readonly Schema[]): Schema => ({
  type: 'array',
  prefixItems: items,
  items: false,
  minItems: items.length,
})

/** The shape of this name (by-name.ts). */
export const shape = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
/** One of several shapes, which do not overlap. */
export const anyShape = (...names: readonly string[]): Schema => either(...names.map(shape))

export const either = (...schemas: readonly Schema[]): Schema => ({ oneOf: schemas })
