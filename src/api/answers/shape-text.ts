/**
 * Renderers from shapes, by fast-json-stringify: the members of a value that its shape has, required ones
 * first. They write what is cold; the tables' own writers (answers/json.ts) cost less.
 *
 * What is free text is escaped. Decimals and names of enumerations need none.
 */
import { createRequire } from 'node:module'
import type { default as FastJson, Schema as FastSchema } from 'fast-json-stringify'
import type { Schema } from './schema.ts'

interface Shape {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: unknown
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly additionalProperties?: unknown
}

const load = createRequire(import.meta.url)

/**
 * Loads the library, which the first renderer does otherwise: 75 ms of a processor that no start should wait
 * for.
 */
export const loadRenderers = (): typeof FastJson => load('fast-json-stringify')

/** Returns the text of a value of the shape. A member that is undefined is left out if it may be. */
export const rendererOf = <Value>(shape: Schema): ((value: Value) => string) =>
  loadRenderers()(asWanted(shape))

/**
 * The shape as the library wants it: tuples by `items`, constants as defaults of members that no value
 * has, no escapes in texts that need none, and objects of any members by JSON.stringify().
 */
function asWanted(shape: Shape): FastSchema {
  const { type, prefixItems, items, properties = {}, required = [] } = shape
  if (shape.const !== undefined)
    return { type: typeof shape.const, default: shape.const } as FastSchema
  if (prefixItems !== undefined) return { type: 'array', items: prefixItems.map(asWanted) }
  if (type === 'array') {
    return { type, ...(items === undefined ? {} : { items: asWanted(items) }) } as FastSchema
  }
  if (type === 'object' && shape.additionalProperties !== false)
    return { type, additionalProperties: true }
  if (type === 'object') {
    const members = Object.entries(properties).map(([name, member]) => [name, asWanted(member)])
    return {
      type,
      properties: Object.fromEntries(members),
      required: required.filter((name) => (properties[name] as Shape).const === undefined),
    }
  }
  if (type === 'string') {
    const isPlain = shape.enum !== undefined || shape.pattern !== undefined
    return isPlain ? { type, format: 'unsafe' } : { type }
  }
  if (Array.isArray(type)) return { type } as unknown as FastSchema
  if (type === 'integer' || type === 'number' || type === 'boolean') return { type }
  throw new RangeError(`no renderer for ${JSON.stringify(shape)}`)
}
