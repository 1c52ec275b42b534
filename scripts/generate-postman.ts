/**
 * A collection for Postman (format v2.1), from the OpenAPI document: each request with the values of its
 * example, its optional parameters switched off. A script of the collection signs requests.
 */
import { type Described, openapiDocument, tags } from '../src/api/openapi/document.ts'
import { exampleRequests } from './api-pages/example-requests.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

const about = `Every operation of the exchange. Set the variables of the collection: \`url\`, and \`apiKey\`
and \`secretKey\` as data/demo-keys.json has them. A script signs each signed request. Requests of a folder
work in their order: later ones amend, replace and cancel the order that an earlier one places.`

/** Runs before each request: the signature is over the parameters that are switched on, in their order. */
const sign = [
  'const all = pm.request.url.query.all()',
  "if (all.some((param) => param.key === 'signature')) {",
  "  pm.collectionVariables.set('timestamp', String(Date.now()))",
  "  const secret = pm.variables.get('secretKey')",
  "  const sent = all.filter((param) => !param.disabled && param.key !== 'signature')",
  '  const text = sent',
  "    .map(({ key, value }) => key + '=' + pm.variables.replaceIn(value))",
  "    .join('&')",
  '  const signature = CryptoJS.HmacSHA256(text, secret).toString()',
  "  pm.collectionVariables.set('signature', signature)",
  '}',
]

/** Runs after each request: the operations of listen keys need the one that was made. */
const keep = [
  "if (pm.response.code === 200 && pm.response.text().includes('listenKey')) {",
  "  pm.collectionVariables.set('listenKey', pm.response.json().listenKey)",
  '}',
]

interface QueryParam {
  readonly key: string
  readonly value: string
  readonly description?: string
  readonly disabled?: true
}

/** Postman sends JSON in other letters than it was signed in, unless it stands encoded. */
const sentAs = (value: string): string => (value.includes('"') ? encodeURIComponent(value) : value)

/** Parameters with values first, in the order in which they are signed, then the other ones. */
function queryOf({ operationId, parameters, security }: Described): QueryParam[] {
  const values = exampleRequests[operationId]!
  const meaning = (name: string) => parameters.find((it) => it.name === name)?.description ?? ''
  const isSigned = security.some((scheme) => 'signature' in scheme)
  const given = Object.entries(values).map(([key, value]) => ({
    key,
    value: value === 'LISTENKEY' ? '{{listenKey}}' : sentAs(value),
    description: meaning(key),
  }))
  const known = new Set([...Object.keys(values), 'timestamp'])
  const optional = parameters
    .filter(({ name }) => !known.has(name))
    .map(({ name, description }) => ({
      key: name,
      value: '',
      description,
      disabled: true as const,
    }))
  const signed = ['timestamp', 'signature'].map((key) => ({ key, value: `{{${key}}}` }))
  return isSigned ? [...given, ...optional, ...signed] : [...given, ...optional]
}

function requestOf(path: string, method: string, described: Described) {
  const query = queryOf(described)
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
  return {
    name: described.operationId,
    request: {
      method: method.toUpperCase(),
      header: described.security.length === 0 ? [] : [{ key: 'X-MBX-APIKEY', value: '{{apiKey}}' }],
      url: {
        raw: `{{url}}${path}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
        host: ['{{url}}'],
        path: path.split('/').slice(1),
        query,
      },
      description: described.description,
    },
  }
}

const scriptOf = (listen: string, exec: readonly string[]) => ({
  listen,
  script: { type: 'text/javascript', exec },
})

export function postmanCollection(): string {
  const order = Object.keys(exampleRequests)
  const all = Object.entries(openapiDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method, described })),
  )
  const folders = tags.map((tag) => ({
    name: tag,
    item: all
      .filter(({ described }) => described.tags.includes(tag))
      .sort(
        (a, b) => order.indexOf(a.described.operationId) - order.indexOf(b.described.operationId),
      )
      .map(({ path, method, described }) => requestOf(path, method, described)),
  }))
  const variables = { url: 'http://127.0.0.1:8080', apiKey: '', secretKey: '', listenKey: '' }
  const collection = {
    info: { name: 'Ringbook', description: about, schema: SCHEMA },
    item: folders,
    event: [scriptOf('prerequest', sign), scriptOf('test', keep)],
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}
