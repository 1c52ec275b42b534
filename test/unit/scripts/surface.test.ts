/**
 * The tables of Binance's surface against its documents, where a copy of them lies beside the project:
 * `git clone https://github.com/binance/binance-spot-api-docs ../binance-spot-api-docs`, or BINANCE_DOCS names its folder. What the
 * documents gain is missing in a table then, and what the exchange lacks of it comes to the page of differences.
 */
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { theirAnswers, theirErrors } from '../../../scripts/differences/binance-answers.ts'
import {
  theirFilters,
  theirOperations,
  theirStreams,
  theirValues,
} from '../../../scripts/differences/binance-surface.ts'

const folder = process.env.BINANCE_DOCS ?? '../binance-spot-api-docs'
const isThere = fs.existsSync(path.join(folder, 'rest-api.md'))
const read = (file: string) => fs.readFileSync(path.join(folder, file), 'utf8')
const allOf = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, it]) => it!)

/** Filters have a page of their own. */
const FILTER = /\{[^{}]*"filterType"[^{}]*\}/g
/** Fields of a refusal. */
const REFUSAL = ['code', 'msg']
/** What every signed operation has. */
const COMMON = ['timestamp', 'recvWindow']
/** Rows of a table of parameters, in Markdown or in HTML. */
const PARAMETER =
  /^\s*\|?\s*`?(\w+)`?\s*\|\s*(?:STRING|ENUM|LONG|INT|DECIMAL|BOOLEAN|BOOL|ARRAY)|<td[^>]*>\s*(?:<code>)?(\w+)(?:<\/code>)?\s*<\/td>\s*<td[^>]*>\s*(?:STRING|ENUM|LONG|INT|DECIMAL|BOOLEAN|BOOL|ARRAY)/gm

interface Documented {
  readonly operation: string
  readonly params: readonly string[]
  /** Undefined where it varies. */
  readonly weight: number | undefined
  readonly fields: readonly string[]
}

function documented(): readonly Documented[] {
  return read('rest-api.md')
    .split(/\n#{2,4} /)
    .flatMap((section) => {
      const [, method, route] = /```\s*\n(GET|POST|PUT|DELETE) (\/api\/v3\/\S+)/.exec(section) ?? []
      if (route === undefined) return []
      const [, params = ''] =
        /\*\*Parameters:?\*\*:?(.*?)(?:\*\*Data Source|\*\*Response|$)/s.exec(section) ?? []
      const [, weight] = /\*\*Weight:?\*\*:?\s*(\d+)\s*\n/.exec(section) ?? []
      const [, response = ''] = /\*\*Response:?\*\*:?(.*)/s.exec(section) ?? []
      return {
        operation: `${method} ${route}`,
        params: [...params.matchAll(PARAMETER)].map(([, row, cell]) => (row ?? cell)!),
        weight: weight === undefined ? undefined : Number(weight),
        fields: allOf(/^\s*\{?\s*"(\w+)"\s*:/gm, response.replaceAll(FILTER, '')),
      }
    })
}

const missing = (documentedNames: readonly string[], known: readonly string[]) =>
  [...new Set(documentedNames)].filter((name) => !known.includes(name)).sort()

const lineOf = ([code, text]: readonly [number, string]) => `${code} ${text}`
const sorted = (names: readonly string[]) => [...names].sort()

test.runIf(isThere)('each operation that is documented is in the table, and no other', () => {
  const names = documented().map(({ operation }) => operation)
  const known = theirOperations.map(({ method, path: route }) => `${method} ${route}`)
  expect([...new Set(names)].sort()).toEqual(known.sort())
})

test.runIf(isThere)('each documented parameter, weight and field is in the tables', () => {
  const lacking = documented().flatMap(({ operation, params, weight, fields }) => {
    const row = theirOperations.find((it) => `${it.method} ${it.path}` === operation)!
    const answer = theirAnswers.get(operation)!
    const lost = {
      params: missing(params, [...row.params, ...COMMON]),
      weight: weight === undefined || weight === answer.weight ? [] : [weight],
      fields: missing(fields, [...answer.fields, ...REFUSAL]),
    }
    return Object.values(lost).flat().length === 0 ? [] : [{ operation, ...lost }]
  })
  expect(lacking).toEqual([])
})

/** What says when a code is sent, in the place of a text. */
const WHEN = /^(This code is sent|The request is rejected|Potential error messages|[A-Z_]+$)/
/** Texts of filters, and of replacements, which are titles. */
const OF_OTHER_TABLES = /^(Filter failure: %s|Order cancel-replace (partially )?failed\.?)$/

test.runIf(isThere)('each documented error is in the table with its texts, and no other', () => {
  const [codes = '', engine = ''] = read('errors.md').split('<a id="other-errors"></a>')
  const [texts = ''] = engine.split('## Errors regarding')
  const byCode = codes.split(/\n### (?=-)/).slice(1)
  const listed = byCode.flatMap((section) => {
    const code = Number.parseInt(section, 10)
    return allOf(/^ *\* *(.+?) *$/gm, section)
      .filter((text) => !WHEN.test(text))
      .map((text): readonly [number, string] => [code, text])
  })
  const ofEngine = allOf(/^(?:\| )?("?[A-Z].+?) *\|/gm, texts)
    .filter((text) => text !== 'Error message')
    .flatMap((row) => row.split(' / '))
    .map((text): readonly [number, string] => [-2010, text.replace(/^"|"\.?$/g, '')])
  expect(ofEngine.length).toBeGreaterThan(30)
  const known = theirErrors.filter(([, text]) => text !== '' && !OF_OTHER_TABLES.test(text))
  expect(known.map(lineOf).sort()).toEqual([...listed, ...ofEngine].map(lineOf).sort())
})

test.runIf(isThere)('each documented list of values is in the table, and no other', () => {
  const [, ...sections] = read('enums.md').split('\n## ')
  const documentedValues = sections.map((section) =>
    allOf(/^ *(?:\* )?`?([A-Z][A-Z0-9_]+)`? *(?:\||$)/gm, section),
  )
  expect(Object.values(theirValues).map(sorted)).toEqual(documentedValues.map(sorted))
})

test.runIf(isThere)('each documented filter and stream is in the table', () => {
  const filters = allOf(/^### ([A-Z_]+)$/gm, read('filters.md'))
  expect(missing(filters, theirFilters)).toEqual([])
  const page = read('web-socket-streams.md')
    .replaceAll('\\', '')
    .replaceAll(/window[_-]size/g, 'window')
  const streams = allOf(/\*\*Stream Names?:?\*\*:? *(.+)/g, page).flatMap((it) => it.split(' OR '))
  expect(streams.length).toBeGreaterThan(10)
  expect(
    missing(
      streams.map((it) => it.trim()),
      theirStreams,
    ),
  ).toEqual([])
})
