/** Runs the README's first trades as they stand there: by curl and openssl, then by ccxt. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
let exchange: ExchangeProcess | undefined

afterEach(() => exchange?.remove())

test('curl buys, ccxt sells', async () => {
  exchange = await ExchangeProcess.start([...FEW_THREADS, '--liquidity', 'demo'])
  const { data, url } = exchange
  const [, section = ''] =
    /^## Trade\n([\s\S]*?)\n## /m.exec(readFileSync(path.join(root, 'README.md'), 'utf8')) ?? []
  const place = (text: string) =>
    text
      .replaceAll('http://127.0.0.1:8080', url)
      .replaceAll('ws://127.0.0.1:8080', url.replace('http', 'ws'))
      .replaceAll(/(\.\/)?data\/demo-keys/g, path.join(data, 'demo-keys'))
  const blocks = (language: string) =>
    [...section.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) =>
      place(match[1]!),
    )
  const [look, order] = blocks('sh')
  const looked = await run('bash', ['-ec', look!], { cwd: root })
  const { bids, asks } = JSON.parse(looked.stdout)
  expect([bids.length, asks.length].every((levels) => levels > 0)).toBe(true)
  const bought = await run('bash', ['-ec', order!], { cwd: root })
  expect(JSON.parse(bought.stdout)).toMatchObject({ status: 'FILLED', side: 'BUY' })
  const [program] = blocks('js')
  const sold = await run('node', ['--input-type=module', '-e', program!], { cwd: root })
  expect(sold.stdout).toMatch(/status: 'closed'/)
  expect(sold.stdout).toMatch(/filled: 0\.01/)
})
