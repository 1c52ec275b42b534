/** A request as a program in each language of the examples: curl, JavaScript and Python, no libraries. */
import type { Operation } from '../../src/api/operations/operation.ts'
import type { ExampleParams } from './example-requests.ts'

/** Pages put the address that they were served from in its place. */
export const EXAMPLE_URL = 'http://127.0.0.1:8080'

type Asked = Pick<Operation, 'method' | 'path' | 'security' | 'signed'>

export interface ExampleCode {
  readonly language: 'curl' | 'JavaScript' | 'Python'
  /** The language's name in fences of Markdown. */
  readonly fence: string
  readonly code: string
}

export const exampleCode = (asked: Asked, params: ExampleParams): readonly ExampleCode[] => [
  { language: 'curl', fence: 'sh', code: inShell(asked, params) },
  { language: 'JavaScript', fence: 'js', code: inJavaScript(asked, params) },
  { language: 'Python', fence: 'python', code: inPython(asked, params) },
]

const needsKey = ({ security, signed }: Asked): boolean => signed || security !== 'NONE'

const queryOf = (params: ExampleParams): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

function inShell(asked: Asked, params: ExampleParams): string {
  const { method, path, signed } = asked
  const sent = method === 'GET' ? '' : `-X ${method} `
  const key = needsKey(asked) ? '-H "X-MBX-APIKEY: $KEY" ' : ''
  const query = queryOf(params)
  if (!signed) {
    return `curl ${sent}${key}'${EXAMPLE_URL}${path}${query === '' ? '' : `?${query}`}'`
  }
  return [
    `query="${query === '' ? '' : `${query}&`}timestamp=$(date +%s000)"`,
    `signature=$(printf '%s' "$query" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/.* //')`,
    `curl ${sent}${key}\\\n  "${EXAMPLE_URL}${path}?$query&signature=$signature"`,
  ].join('\n')
}

/** `{ name: 'value', … }`, on one line where it fits. */
function objectText(entries: readonly string[], indent: string): string {
  const line = `{ ${entries.join(', ')} }`
  if (entries.length === 0) return '{}'
  return line.length < 60 ? line : `{\n${entries.map((it) => `${indent}${it},\n`).join('')}}`
}

function inJavaScript(asked: Asked, params: ExampleParams): string {
  const { method, path, signed } = asked
  const entries = Object.entries(params).map(([name, value]) => `${name}: '${value}'`)
  const values = signed ? [...entries, 'timestamp: Date.now()'] : entries
  const query = `const query = new URLSearchParams(${objectText(values, '  ')})`
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(needsKey(asked) ? ["headers: { 'X-MBX-APIKEY': process.env.KEY }"] : []),
  ]
  const more = options.length === 0 ? '' : `, { ${options.join(', ')} }`
  const isBare = values.length === 0
  const address = `\`${EXAMPLE_URL}${path}${isBare ? '' : `?\${query}`}\``
  const sign = [
    "const mac = createHmac('sha256', process.env.SECRET)",
    "query.append('signature', mac.update(String(query)).digest('hex'))",
  ]
  return [
    ...(signed ? ["import { createHmac } from 'node:crypto'", ''] : []),
    ...(isBare ? [] : [query]),
    ...(signed ? sign : []),
    `const response = await fetch(${address}${more})`,
    'console.log(response.status, await response.json())',
  ].join('\n')
}

function inPython(asked: Asked, params: ExampleParams): string {
  const { method, path, signed } = asked
  const entries = Object.entries(params).map(([name, value]) => `"${name}": "${value}"`)
  const values = signed ? [...entries, '"timestamp": int(time.time() * 1000)'] : entries
  const isBare = values.length === 0
  const isPlain = method === 'GET' && !needsKey(asked)
  const modules = [
    ...(signed ? ['hashlib', 'hmac'] : []),
    ...['json', ...(needsKey(asked) ? ['os'] : []), ...(signed ? ['time'] : [])],
    ...(isBare ? [] : ['urllib.parse']),
    'urllib.request',
  ]
  const secret = 'os.environ["SECRET"].encode()'
  const address = `"${EXAMPLE_URL}${path}${isBare ? '"' : '?" + query'}`
  const headers = needsKey(asked) ? ', headers={"X-MBX-APIKEY": os.environ["KEY"]}' : ''
  const request = `urllib.request.Request(\n    ${address}${headers}, method="${method}")`
  return [
    `import ${modules.join(', ')}`,
    '',
    ...(isBare ? [] : [`query = urllib.parse.urlencode(${objectText(values, '    ')})`]),
    ...(signed
      ? [`query += "&signature=" + hmac.new(${secret}, query.encode(), hashlib.sha256).hexdigest()`]
      : []),
    ...(isPlain ? [] : [`request = ${request}`]),
    `with urllib.request.urlopen(${isPlain ? address : 'request'}) as response:`,
    '    print(response.status, json.load(response))',
  ].join('\n')
}
