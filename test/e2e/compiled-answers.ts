/**
 * Every method of a client library, called against a running exchange; and the compiler's word on whether the answers are
 * what the library's own types say: they are written into a TypeScript file as constants.
 */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

export type Params = Readonly<Record<string, unknown>>
/** What was answered before: the last order, and the last list. */
export type Before = Readonly<Record<string, Readonly<Record<string, number>>>>
/** A call: the method, and its parameters by what was answered before. */
export type Call = readonly [
  method: string,
  params?: Params | string | ((before: Before) => Params | string),
]

export interface Answered {
  readonly method: string
  readonly data: unknown
  /** Whether its type tells something. */
  readonly isTyped: boolean
}

export interface Library {
  /** Its methods. */
  readonly api: object
  /** Returns an answer's data. */
  readonly dataOf: (answer: unknown) => unknown
  /** Methods that place an order, and that replace one. */
  readonly placing: RegExp
  readonly replacing: RegExp
  /** Those whose type tells nothing. */
  readonly untyped: ReadonlySet<string>
}

/** Makes the calls in their order. Adds a line to `failed` for each that has no answer. */
export async function callAll(
  { api, dataOf, placing, replacing, untyped }: Library,
  calls: readonly Call[],
  failed: string[],
): Promise<readonly Answered[]> {
  const before: Record<string, Record<string, number>> = {}
  const answered: Answered[] = []
  for (const [method, given] of calls) {
    try {
      const params = typeof given === 'function' ? given(before) : given
      const call = (api as Record<string, (params?: unknown) => Promise<unknown>>)[method]!
      // Libraries add to what they are given.
      const data = await dataOf(await call.call(api, structuredClone(params)))
      answered.push({ method, data, isTyped: !untyped.has(method) })
      const row = data as Record<string, unknown> | undefined
      if (placing.test(method)) before.order = row as Record<string, number>
      if (replacing.test(method)) before.order = row!.newOrderResponse as Record<string, number>
      const isList = row?.orderListId !== undefined && 'listOrderStatus' in row
      if (isList) before.list = row as Record<string, number>
    } catch (error) {
      failed.push(`${method}: ${textOf(error)}`)
    }
  }
  return answered
}

const textOf = (error: unknown): string =>
  error instanceof Error
    ? `${error} ${(error as { code?: unknown }).code}`
    : JSON.stringify(error).slice(0, 500)

export const methodsOf = (api: object): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(api)).filter((name) => name !== 'constructor')

/**
 * Returns what the compiler says of the answers, in a folder that is not there yet. `head` declares the types Api, and
 * Of<Api, Method>: the data of an answer.
 */
export async function compiled(
  folder: string,
  head: string,
  answers: readonly Answered[],
): Promise<string> {
  const lines = answers
    .filter(({ isTyped }) => isTyped)
    .map(
      ({ method, data }, at) =>
        `const given${at} = ${JSON.stringify(data)} as const\n` +
        `declare const open${at}: Open<typeof given${at}>\n` +
        `export const taken${at}: Of<Api, '${method}'> = open${at}\n`,
    )
  const file = path.join(folder, 'answers.ts')
  fs.mkdirSync(folder, { recursive: true })
  fs.symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'))
  fs.writeFileSync(
    file,
    `${head}
type Open<Value> =
  Value extends object ? { -readonly [Key in keyof Value]: Open<Value[Key]> } : Value
${lines.join('')}`,
  )
  const flags = ['--strict', '--noEmit', '--skipLibCheck', '--ignoreConfig', '--module', 'nodenext']
  return promisify(execFile)(process.execPath, [
    'node_modules/typescript/bin/tsc',
    ...flags,
    file,
  ]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}
