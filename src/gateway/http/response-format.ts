/** In what format a request of REST is answered, by its headers (faqs/sbe_faq.md). */
import { type Encoder, jsonEncoder, sbeEncoders } from '../../api/answers/encoders.ts'
import { Fault } from '../../api/errors.ts'
import type { Operation } from '../../api/operations/operation.ts'
import { hasMessages } from '../../api/sbe/operations.ts'
import type { SbeVersion } from '../../api/sbe/sbe.ts'
import { SCHEMA_ID } from '../../api/sbe/templates.ts'

const badHeader = new Fault('INVALID_SBE_HEADER')
const unsupported = new Fault('UNSUPPORTED_SBE_SCHEMA')
const notAcceptable = new Fault('SBE_NOT_ACCEPTABLE')

const HEADER = /^(\d{1,10}):(\d{1,10})$/
/** Minor versions of the schema that still can be asked for begin here; those before it are retired. */
const OLDEST_VERSION = 2
/** Schemas of which no version can be asked for any more. */
const OLDEST_SCHEMA_ID = 1

/** What becomes of a request for a schema, where messages are of the newest version. */
export type SchemaState = 'newest' | 'deprecated' | 'retired' | 'unknown'

export function schemaState(id: number, version: number, newest: SbeVersion): SchemaState {
  if (id === SCHEMA_ID && version >= OLDEST_VERSION) {
    if (version > newest) return 'unknown'
    return version === newest ? 'newest' : 'deprecated'
  }
  return id >= OLDEST_SCHEMA_ID && id <= SCHEMA_ID ? 'retired' : 'unknown'
}

export interface ResponseFormat {
  readonly encoder: Encoder
  /** Why there is no answer in it. */
  readonly fault: Fault | undefined
  /** Whether a newer version of the schema should be asked for. */
  readonly isDeprecated: boolean
}

/** Of requests that accept no messages. */
export const jsonFormat: ResponseFormat = {
  encoder: jsonEncoder,
  fault: undefined,
  isDeprecated: false,
}

/**
 * Of a request that accepts messages. `newest` is the version of messages; undefined where the exchange
 * sends none.
 */
export function messageFormat(
  accept: string,
  sbe: string,
  operation: Operation,
  newest: SbeVersion | undefined,
): ResponseFormat {
  const takesJson = accept.includes('application/json')
  if (newest === undefined || !hasMessages(operation)) {
    return takesJson ? jsonFormat : { ...jsonFormat, fault: notAcceptable }
  }
  const messages = { ...jsonFormat, encoder: sbeEncoders[newest] }
  const [, idText, versionText] = HEADER.exec(sbe) ?? []
  if (idText === undefined) return takesJson ? jsonFormat : { ...messages, fault: badHeader }
  switch (schemaState(Number(idText), Number(versionText), newest)) {
    case 'newest':
      return messages
    case 'deprecated':
      return { ...messages, isDeprecated: true }
    case 'retired':
      return { ...(takesJson ? jsonFormat : messages), fault: unsupported }
    default:
      return takesJson ? jsonFormat : { ...messages, fault: unsupported }
  }
}
