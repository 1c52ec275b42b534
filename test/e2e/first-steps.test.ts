/** What a newcomer meets: the version, a banner, and an order that it gives to paste. */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
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

test('alone it says what it can do, as help and --help do, in lines that fit', () => {
  const said = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/src/main.js', ...words])
    return { status, text: String(stdout), error: String(stderr) }
  }
  const alone = said()
  expect(alone).toMatchObject({ status: 0, error: '' })
  expect(alone.text).toContain('ringbook start')
  expect(alone.text).toContain('Here, ringbook is run as: npx ringbook\n')
  expect([said('help'), said('--help')]).toEqual([alone, alone])
  const settings = said('start', '--help')
  expect(settings.text).toContain('--durability')
  expect(said('help', 'start')).toEqual(settings)
  expect(said('--help', 'start')).toEqual(settings)
  for (const { text } of [alone, settings]) {
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100)
  }
  for (const [words, error] of [
    [['strat'], 'Unknown command "strat". Did you mean start?\n'],
    [['start', '--prot', '1'], '--prot is not a known flag. Did you mean --port?\n'],
    [['--prot', '1'], '--prot is not a known flag. Did you mean --port?\n'],
    [['status', '--watsh'], '--watsh is not a known flag. Did you mean --watch?\n'],
  ] as const) {
    expect(said(...words)).toEqual({ status: 1, text: '', error })
  }
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
  expect(output).toContain(path.join(exchange.data, 'operator-token'))
  // The line that the banner gives for another terminal, as it stands there.
  const [, status = ''] = /^ +(npx ringbook status .*)$/m.exec(output) ?? []
  const npx = `npx() { shift; '${process.execPath}' dist/src/main.js "$@"; }`
  expect((await run('bash', ['-ec', `${npx}\n${status}`])).stdout).toContain('accepts orders')
  const pasted = await run('bash', ['-ec', order])
  expect(JSON.parse(pasted.stdout)).toMatchObject({ symbol: 'BTCUSDT', status: 'FILLED' })
  expect(await exchange.stop()).toMatchObject({ code: 0 })
})
