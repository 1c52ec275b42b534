/**
 * The OpenAPI 3.1 document of the REST API: every operation from its row, every parameter from its
 * kind, every answer from its shape. Made at the first request; nothing of it is written twice.
 */

import { schemas } from '../answers/by-name.ts'
import { integer, type Schema, shape } from '../answers/schema.ts'
import { type Operation, operations } from '../operations/index.ts'
import type { ParamRow } from '../operations/operation.ts'
import { Param, type ParamKind, type ParamName, parameters, paramNames } from '../parameters.ts'

export const OPENAPI_PATH = '/openapi.json'

interface Parameter {
  readonly name: string
  readonly in: 'query'
  readonly required: boolean
  readonly description: string
  readonly schema: Schema
}

export interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly responses: Readonly<Record<string, unknown>>
}

export interface Document {
  readonly openapi: string
  readonly info: Schema
  readonly servers: readonly Schema[]
  readonly tags: readonly Schema[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: Schema
}

const about = `A spot exchange that speaks Binance's protocol.

Times are in ms, or in µs with the header \`X-MBX-TIME-UNIT: MICROSECOND\`; amounts are decimals as
strings. Parameters may also be sent as a form in the body, except with GET; what stands in the query wins.

An extension: with the header \`X-RINGBOOK-RECEIPT: 1\` the answer to an order, cancel or amendment has a
header \`X-RINGBOOK-STAGES\` with the ns spent in each stage, as \`parse=9100;ring=…;total=…\`.

Signed requests carry the header \`X-MBX-APIKEY\`, a \`timestamp\`, and, as their last parameter, a
\`signature\` over the query string and the body as they are sent: HMAC-SHA256 in hexadecimal, or RSA or
Ed25519 in base64.`

const nameOf = (slot: Param): ParamName => paramNames[slot] as ParamName

function schemaOf(kind: ParamKind): Schema {
  if (kind.values !== undefined) return { type: 'string', enum: kind.values }
  if (kind.label === 'LONG') return { ...integer, minimum: 0 }
  if (kind.label === 'INT') return { type: 'integer', minimum: 0 }
  return kind.range === ''
    ? { type: 'string' }
    : { type: 'string', pattern: kind.pattern ?? kind.range }
}

function parameter(slot: Param, required: boolean, kind?: ParamKind, meaning = ''): Parameter {
  const name = nameOf(slot)
  const known = parameters[name]
  const schema = schemaOf(kind ?? known.kind)
  const description = kind === undefined ? known.meaning : meaning
  return { name, in: 'query', required, description, schema }
}

function parametersOf({ params, signed }: Operation): Parameter[] {
  const own = params.flatMap(({ slot, mandatory, kind, alias, meaning }: ParamRow) => [
    parameter(slot, mandatory, kind, meaning),
    ...(alias === undefined ? [] : [parameter(alias, false)]),
  ])
  if (!signed) return own
  return [...own, parameter(Param.timestamp, true), parameter(Param.recvWindow, false)]
}

function describe(operation: Operation): string {
  const { weight, weightOnSuccess, orderCount, sources, wsMethod } = operation
  const { oneOf, exclusive, each } = operation
  if (each !== undefined) {
    const part = wsMethod === undefined ? each : { ...each, wsMethod }
    return `For each part, which takes and answers what \`${each.method} ${each.path}\` does: ${describe(part)}`
  }
  const charged = typeof weight === 'number' ? String(weight) : 'by its parameters'
  const names = (pair: readonly Param[]) => pair.map((slot) => `\`${nameOf(slot)}\``).join(' and ')
  return [
    `Weight ${charged}${weightOnSuccess === undefined ? '' : `, ${weightOnSuccess} on success`}.`,
    ...(orderCount > 0 ? [`Counts as ${orderCount} order${orderCount > 1 ? 's' : ''}.`] : []),
    `Source: ${sources.join(', then ').toLowerCase()}.`,
    ...(wsMethod === undefined ? [] : [`WebSocket API: \`${wsMethod}\`.`]),
    ...(oneOf === undefined ? [] : [`One of ${names(oneOf)} is needed.`]),
    ...(exclusive ?? []).map((pair) => `Not together: ${names(pair)}.`),
  ].join(' ')
}

function securityOf({ security, signed }: Operation): Described['security'] {
  if (security === 'NONE') return []
  return [signed ? { apiKey: [], signature: [] } : { apiKey: [] }]
}

export const tags = ['Market data', 'Trading', 'Account', 'Wallet'] as const
/** The part of the sandbox's operations. */
const SANDBOX = 'Sandbox'
export type Tag = (typeof tags)[number] | typeof SANDBOX

/** Returns the group that documents show the operation in. */
export function tagOf({ path, security }: Operation): Tag {
  if (path.startsWith('/sapi/')) return 'Wallet'
  if (path.startsWith('/sandbox/')) return SANDBOX
  if (security === 'NONE') return 'Market data'
  return security === 'TRADE' ? 'Trading' : 'Account'
}

const json = (schema: Schema) => ({ 'application/json': { schema } })

const operationOf = (operation: Operation): Described => ({
  operationId: operation.id,
  summary: `${operation.method} ${operation.path}`,
  description: describe(operation),
  tags: [tagOf(operation)],
  parameters: parametersOf(operation),
  security: securityOf(operation),
  responses: {
    200: { description: 'The answer.', content: json(operation.answer) },
    default: { description: 'A refusal.', content: json(shape('Error')) },
  },
})

/** Describes the operations that clients have. */
export function openapiDocument(served: readonly Operation[] = operations): Document {
  const paths: Record<string, Record<string, Described>> = {}
  for (const operation of served) {
    const path = paths[operation.path] ?? {}
    path[operation.method.toLowerCase()] = operationOf(operation)
    paths[operation.path] = path
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Ringbook', version: '3', description: about },
    servers: [{ url: '/' }],
    tags: [...new Set<string>([...tags, ...served.map(tagOf)])].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-MBX-APIKEY' },
        signature: { type: 'apiKey', in: 'query', name: 'signature' },
      },
    },
  }
}
