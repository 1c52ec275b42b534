/** The documents as a built exchange serves them: every link leads somewhere, every example works. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleCode } from '../../scripts/api-pages/example-code.ts'
import { exampleRequests } from '../../scripts/api-pages/example-requests.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { operations } from '../../src/api/operations/index.ts'

let exchange: ExchangeProcess

beforeAll(async () => {
  exchange = await ExchangeProcess.start(['--unsigned-system-status', 'on', '--liquidity', 'on'])
})
afterAll(() => exchange?.remove())

/** The text at an address, once. */
const texts = new Map<string, Promise<string>>()
function textAt(address: string): Promise<string> {
  const known = texts.get(address)
  if (known !== undefined) return known
  const asked = fetch(`${exchange.url}${address}`, { headers: { Accept: 'text/html' } }).then(
    async (response) => (response.status === 200 ? response.text() : ''),
  )
  texts.set(address, asked)
  return asked
}

const valuesOf = (text: string, attribute: string) =>
  [...text.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) => value)

/** Every page that a page links to, from the first on. */
async function allPages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>()
  const queue = ['/docs']
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    if (pages.has(address)) continue
    const text = await textAt(address)
    pages.set(address, text)
    const links = valuesOf(text, 'href').map((link) => link.split('#')[0]!)
    queue.push(...links.filter((link) => link.startsWith('/docs') && !link.includes('/assets/')))
  }
  return pages
}

describe('pages', () => {
  test('have no dead link, anchor or file, and nothing inline or from elsewhere', async () => {
    const pages = await allPages()
    expect(pages.size).toBeGreaterThan(90)
    const dead: string[] = []
    for (const [address, text] of pages) {
      if (text === '') dead.push(address)
      for (const link of [...valuesOf(text, 'href'), ...valuesOf(text, 'src')]) {
        if (/^(https?:|data:)/.test(link)) continue
        const [target = '', anchor] = link.split('#')
        const other = await textAt(target === '' ? address : target)
        const isThere = anchor === undefined || valuesOf(other, 'id').includes(anchor)
        if (other === '' || !isThere) dead.push(`${address}: ${link}`)
      }
      expect(text, address).not.toMatch(/<style|<script(?! src="\/docs)| style="| on\w+="/)
      expect(valuesOf(text, 'src').filter((it) => !it.startsWith('/docs/assets/'))).toEqual([])
    }
    expect(dead).toEqual([])
  })

  test('have each id once, one title, and no heading that skips a level', async () => {
    for (const [address, text] of await allPages()) {
      if (address.endsWith('.txt')) continue
      const ids = valuesOf(text, 'id')
      expect(
        ids.filter((id, at) => ids.indexOf(id) !== at),
        address,
      ).toEqual([])
      const depths = [...text.matchAll(/<h([1-6]) /g)].map(([, depth]) => Number(depth))
      expect(depths.filter((depth) => depth === 1).length, address).toBe(1)
      const skipping = depths.filter((depth, at) => depth > (depths[at - 1] ?? 0) + 1)
      expect(skipping, address).toEqual([])
    }
  })

  test('are listed for language models', async () => {
    const index = await textAt('/llms.txt')
    expect(index).toMatch(/^# Ringbook\n\n> /)
    for (const [, link = ''] of index.matchAll(/\]\(([^)]+)\)/g)) {
      expect(await textAt(link), link).not.toBe('')
    }
    expect(await textAt('/docs/llms-full.txt')).toContain('# Connect clients')
  })
})

test('metrics that documents, alerts and the dashboard name are served', async () => {
  const text = await (await fetch(`http://127.0.0.1:${exchange.adminPort}/metrics`)).text()
  // What is not known yet has a family without a series.
  const series = new Set(Array.from(text.matchAll(/^(?:# TYPE )?(\w+)[{ ]/gm), ([, name]) => name!))
  const documents = readdirSync('docs').filter((name) => name.endsWith('.md'))
  const sources = [
    ...documents.map((name) => `docs/${name}`),
    ...['alerts.yml', 'grafana-dashboard.gen.json'].map((name) => `scripts/deploy/${name}`),
  ]
  // Documents name families too: ringbook_symbol_…. ringbook_venue is a module of Python.
  const isServed = (name: string) => [...series].some((it) => it.startsWith(name))
  for (const source of sources) {
    const names = readFileSync(source, 'utf8').match(/\bringbook_(?!venue\b)\w+/g) ?? []
    expect(
      names.filter((name) => !isServed(name)),
      source,
    ).toEqual([])
  }
})

/** Refusals of examples: no symbol has a reference price, no account another below it. */
const REFUSED: Readonly<Record<string, number>> = {
  // The demo has no group of symbols.
  routeOrder: -2010,
  testRoutedOrder: -2010,
  keepListenKeyAlive: -1125,
  closeListenKey: -1125,
  referencePrice: -2043,
  referencePriceCalculation: -2043,
  subAccountAssets: -4003,
  subAccountWorths: -4003,
  subAccountStatus: -4003,
  subAccountTransfer: -4003,
  subAccountTransfers: -4003,
  subAccountDepositAddress: -4003,
  subAccountDeposits: -4003,
  subAddress: -4003,
  subDeposits: -4003,
  spotTransfers: -4003,
  universalTransfer: -4003,
}

describe('examples', () => {
  test('are there for each operation', () => {
    expect(Object.keys(exampleRequests).sort()).toEqual(operations.map(({ id }) => id).sort())
  })

  test('work in their order', async () => {
    const key = exchange.keys().trader1!
    const client = new SignedClient(exchange.url, key)
    await expect
      .poll(() =>
        fetch(`${exchange.url}/api/v3/ticker/price?symbol=BTCUSDT`).then((it) => it.status),
      )
      .toBe(200)
    for (const [id, params] of Object.entries(exampleRequests)) {
      const { method, path, signed } = operations.find((it) => it.id === id)!
      const query = new URLSearchParams(params)
      const headers = { 'X-MBX-APIKEY': key.apiKey }
      const { status, body } = signed
        ? await client.send(method, path, params)
        : await fetch(`${exchange.url}${path}?${query}`, { method, headers }).then(
            async (response) => ({
              status: response.status,
              body: (await response.json()) as never,
            }),
          )
      const { code } = body as { readonly code?: number }
      const refused = REFUSED[id]
      expect([id, code, status]).toEqual([id, refused, refused === undefined ? 200 : 400])
    }
  })

  const run = promisify(execFile)
  const programs: Readonly<Record<string, (code: string) => [string, string[]]>> = {
    curl: (code) => ['bash', ['-euc', code]],
    JavaScript: (code) => [process.execPath, ['--input-type=module', '-e', code]],
    Python: (code) => ['python3', ['-c', code]],
  }
  const cases = ['depth', 'time', 'account', 'orderCounts', 'testOrder', 'startListenKey'].flatMap(
    (id) => Object.keys(programs).map((language) => [language, id] as const),
  )

  test.each(cases)('in %s run as they stand: %s', async (language, id) => {
    const operation = operations.find((it) => it.id === id)!
    const examples = exampleCode(operation, exampleRequests[id]!)
    const { code } = examples.find((it) => it.language === language)!
    const { apiKey, secretKey } = exchange.keys().trader2!
    const here = code.replaceAll('http://127.0.0.1:8080', exchange.url)
    const env = { ...process.env, KEY: apiKey, SECRET: secretKey }
    const { stdout } = await run(...programs[language]!(here), { env })
    expect(stdout).not.toContain('"code"')
    expect(stdout).toMatch(language === 'curl' ? /^[{[]/ : /^200 /)
  })
})
