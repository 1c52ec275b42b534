/** Answers held to the shapes that the OpenAPI document gives them. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { openapiDocument } from '../src/api/openapi/document.ts'
import type { Schema } from '../src/api/openapi/schema.ts'
import { operations } from '../src/api/operations/index.ts'

const document = openapiDocument()
const ajv = new Ajv2020({ strict: false, discriminator: false })
ajv.addSchema({ $id: 'document', components: document.components })

const validators = new Map<string, ValidateFunction>()

/** The schema with its references leading into the document. */
const rooted = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'))

function validatorOf(id: string, schema: () => Schema): ValidateFunction {
  let validator = validators.get(id)
  if (validator === undefined) {
    validator = ajv.compile(rooted(schema()))
    validators.set(id, validator)
  }
  return validator
}

interface Response {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>
}

/** Throws when the body is not what the document says of this operation and status. */
export function expectShape(method: string, path: string, status: number, body: unknown): void {
  const operation = document.paths[path]?.[method.toLowerCase()]
  if (operation === undefined) return
  const key = status === 200 ? '200' : 'default'
  const response = operation.responses[key] as Response
  const validator = validatorOf(
    `${operation.operationId} ${key}`,
    () => response.content['application/json']!.schema,
  )
  if (validator(body)) return
  const why = ajv.errorsText(validator.errors)
  throw new Error(`${method} ${path} ${status} has not its shape: ${why}\n${JSON.stringify(body)}`)
}

/** An answer of the WebSocket API; frames of other kinds have no status. */
export interface AnswerFrame {
  readonly status: number
  readonly result?: unknown
  readonly error?: unknown
}

const twins = new Map(operations.map((operation) => [operation.wsMethod, operation]))

/** Throws when the answer has not what its operation's REST twin answers, as result or as error. */
export function expectFrame(method: string, frame: AnswerFrame): void {
  const { status, result, error } = frame
  const isSuccess = status === 200
  if ((result !== undefined) !== isSuccess || (error !== undefined) === isSuccess) {
    throw new Error(`${method} ${status} has not one outcome: ${JSON.stringify(frame)}`)
  }
  const twin = twins.get(method.replace(/^v3\//, ''))
  if (twin !== undefined) expectShape(twin.method, twin.path, status, isSuccess ? result : error)
}
