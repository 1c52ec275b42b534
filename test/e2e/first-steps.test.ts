/** What a newcomer meets: the version, a banner, and an order that it gives to paste. */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'

const run = promisify(execFile)
let exchange: ExchangeProcess

afterEach(async () => {
  vi.unstubAllEnvs()
  await exchange?.remove()
})

test('the version is that of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { status, stdout } = spawnSync(process.execPath, ['dist/src/main.js', '--version'])
  expect([status, String(stdout)]).toEqual([0, `ringbook ${version}\n`])
})

test('an order pasted from the banner is filled; an unknown variable is named', async () => {
  exchange = await ExchangeProcess.prepare([
    ...[...FEW_THREADS, '--log-format', 'text', '--liquidity', 'demo'],
  ])
  vi.stubEnv('RINGBOOK_LIMIT', 'on')
  const exited = exchange.launch()
  await Promise.race([
    exited,
    eventually('a banner', () => (exchange.output.includes('Control-C') ? true : undefined)),
  ])
  const { output } = exchange
  expect(output).toContain('The variable RINGBOOK_LIMIT is not a known setting')
  expect(output).toContain('Did you mean RINGBOOK_LIMITS?')
  expect(output).toContain(`${exchange.wsUrl}/ws-api/v3`)
  const [, order = ''] = /another terminal:\n\n([\s\S]*?)\n\n/.exec(output) ?? []
  const pasted = await run('bash', ['-ec', order])
  expect(JSON.parse(pasted.stdout)).toMatchObject({ symbol: 'BTCUSDT', status: 'FILLED' })
  expect(await exchange.stop()).toMatchObject({ code: 0 })
})
