/**
 * The collection for Postman: its form, and each of its requests sent as its own scripts make it. The
 * scripts run beside stand-ins for the few parts of Postman's `pm` and CryptoJS that they use; Postman
 * itself does not run here.
 */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleRequests } from '../../scripts/api-pages/example-requests.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { operations } from '../../src/api/operations/index.ts'
import { eventually } from '../fixtures/eventually.ts'

interface QueryParam {
  readonly key: string
  readonly value: string
  readonly disabled?: boolean
}
interface Item {
  readonly name: string
  readonly request: {
    readonly method: string
    readonly header: readonly { readonly key: string; readonly value: string }[]
    readonly url: {
      readonly raw: string
      readonly path: readonly string[]
      readonly query: QueryParam[]
    }
  }
}
interface Collection {
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[]
  readonly event: readonly {
    readonly listen: string
    readonly script: { readonly exec: string[] }
  }[]
  readonly variable: readonly { readonly key: string; readonly value: string }[]
}

const file = path.resolve(import.meta.dirname, '../../examples/postman_collection.json')
const collection = JSON.parse(readFileSync(file, 'utf8')) as Collection
const items = new Map(collection.item.flatMap(({ item }) => item).map((item) => [item.name, item]))

/** The parts of the format v2.1 that the collection uses. */
const text = { type: 'string' }
const listOf = (items: object) => ({ type: 'array', items })
const form = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})
const pair = form({ key: text, value: text })
const query = form({ key: text, value: text, description: text, disabled: { const: true } }, [
  ...['description', 'disabled'],
])
const url = form({ raw: text, host: listOf(text), path: listOf(text), query: listOf(query) })
const request = form({
  method: { enum: ['GET', 'POST', 'PUT', 'DELETE'] },
  header: listOf(pair),
  url,
  description: text,
})
const script = form({ type: { const: 'text/javascript' }, exec: listOf(text) })
const collectionForm = form({
  info: form({
    name: text,
    description: text,
    schema: { pattern: '/v2\\.1\\.0/collection\\.json$' },
  }),
  item: listOf(form({ name: text, item: listOf(form({ name: text, request })) })),
  event: listOf(form({ listen: { enum: ['prerequest', 'test'] }, script })),
  variable: listOf(pair),
})

describe('form', () => {
  test('is that of a collection v2.1', () => {
    const ajv = new Ajv2020({ allErrors: true, strict: false })
    expect([ajv.validate(collectionForm, collection), ajv.errors]).toEqual([true, null])
  })

  test('has each operation once', () => {
    const names = collection.item.flatMap(({ item }) => item).map(({ name }) => name)
    expect(names.sort()).toEqual(operations.map(({ id }) => id).sort())
  })

  test('the address in full is that of the parts', () => {
    for (const { request } of items.values()) {
      const { raw, path: parts, query } = request.url
      const sent = query.filter((it) => !it.disabled).map(({ key, value }) => `${key}=${value}`)
      const tail = sent.length === 0 ? '' : `?${sent.join('&')}`
      expect(raw).toBe(`{{url}}/${parts.join('/')}${tail}`)
    }
  })
})

describe('requests', () => {
  let exchange: ExchangeProcess
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]))
  const resolve = (value: string) =>
    value.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => variables.get(name) ?? '')
  const scripts = (listen: string) =>
    collection.event.filter((it) => it.listen === listen).map((it) => it.script.exec.join('\n'))

  beforeAll(async () => {
    exchange = await ExchangeProcess.start(['--liquidity', 'on'])
    const { apiKey, secretKey } = exchange.keys().trader1!
    variables.set('url', exchange.url).set('apiKey', apiKey).set('secretKey', secretKey)
    const price = () => fetch(`${exchange.url}/api/v3/ticker/price?symbol=BTCUSDT`)
    await eventually('a price', async () => (await price()).ok || undefined)
  })
  afterAll(() => exchange?.remove())

  /** Sends a request as Postman would. Returns its status and its text. */
  async function send({ request }: Item) {
    const { query, path: parts } = request.url
    const pm = {
      request: { url: { query: { all: () => query } } },
      collectionVariables: { set: (name: string, value: string) => variables.set(name, value) },
      variables: { get: (name: string) => variables.get(name), replaceIn: resolve },
    }
    const CryptoJS = {
      HmacSHA256: (message: string, secret: string) =>
        createHmac('sha256', secret).update(message).digest('hex'),
    }
    for (const code of scripts('prerequest')) runInNewContext(`{${code}}`, { pm, CryptoJS, Date })
    const sent = query
      .filter(({ disabled }) => !disabled)
      .map(({ key, value }) => `${key}=${resolve(value)}`)
    const address = `${exchange.url}/${parts.join('/')}?${sent.join('&')}`
    const headers = request.header.map(
      ({ key, value }) => [key, resolve(value)] as [string, string],
    )
    const response = await fetch(address, { method: request.method, headers })
    const body = await response.text()
    const answered = { code: response.status, text: () => body, json: () => JSON.parse(body) }
    const tested = { ...pm, response: answered }
    for (const code of scripts('test')) runInNewContext(`{${code}}`, { pm: tested })
    return { status: response.status, body }
  }

  test.each(Object.keys(exampleRequests))('%s', async (name) => {
    // No symbol has a reference price, the account none below it, and none is in a group.
    const namesFamily = Object.values(exampleRequests[name]!).includes('bot@ringbook.invalid')
    const isRefused = namesFamily || /^(?:referencePrice|routeOrder|testRouted)/.test(name)
    expect(await send(items.get(name)!)).toMatchObject({ status: isRefused ? 400 : 200 })
  })
})
