/** The examples of an exchange within another program's tests, run as a user's project runs them. */
import { execFile } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { startExchange } from '../../src/index.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

const files = readdirSync(path.join(root, 'examples/embedded')).filter((name) =>
  /\.(ts|mjs|py)$/.test(name),
)

/** A project with the package and vitest installed. */
let project = ''
beforeAll(() => {
  project = mkdtempSync(path.join(os.tmpdir(), 'ringbook-project-'))
  mkdirSync(path.join(project, 'node_modules'))
  const installed = path.join(project, 'node_modules/ringbook')
  mkdirSync(path.join(installed, 'dist'), { recursive: true })
  copyFileSync(path.join(root, 'package.json'), path.join(installed, 'package.json'))
  cpSync(path.join(root, 'dist/src'), path.join(installed, 'dist/src'), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(installed, 'node_modules'))
  for (const name of ['vitest', 'ccxt', 'ws']) {
    symlinkSync(path.join(root, 'node_modules', name), path.join(project, 'node_modules', name))
  }
  writeFileSync(path.join(project, 'package.json'), '{"type": "module"}')
  for (const name of files) {
    copyFileSync(path.join(root, 'examples/embedded', name), path.join(project, name))
  }
})
afterAll(() => rmSync(project, { recursive: true }))

async function output(program: string, args: readonly string[]): Promise<string> {
  const child = path.join(root, 'dist/src/embedded.js')
  const { VITEST: _, ...others } = process.env
  const env = { ...others, RINGBOOK_EMBEDDED: child }
  const { stdout } = await run(program, args, { cwd: project, env }).catch((error) => {
    // What failed is told there.
    throw new Error(`${error.message}\n${error.stdout}`, { cause: error })
  })
  return stdout
}

test('vitest', async () => {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  expect(await output(process.execPath, [vitest, 'run', 'bot.test.ts'])).toMatch(/1 passed/)
})

test('node:test', async () => {
  expect(await output(process.execPath, ['--test', 'bot.test.mjs'])).toMatch(/^# pass 1$/m)
})

test.each([
  ['unknown-order.test.mjs', 2],
  ['resync.test.mjs', 6],
  ['backoff.test.mjs', 4],
])('%s: a naive client fails, a careful one does not', async (file, tests) => {
  const text = await output(process.execPath, ['--test', file])
  expect(text).toMatch(/^# fail 0$/m)
  expect(text.match(/^ok \d/gm)).toHaveLength(tests)
})

test('pytest, with a child process', async (context) => {
  const found = await run('python3', ['-m', 'pytest', '--version']).catch(() => undefined)
  if (found === undefined) context.skip('pytest is not installed')
  const pytest = ['-m', 'pytest', '-p', 'no:cacheprovider', 'test_bot.py']
  expect(await output('python3', pytest)).toMatch(/1 passed/)
})

test('methods from Python, with pytest or without', async () => {
  expect(await output('python3', ['test_venue.py'])).toBe('4 passed\n')
  const found = await run('python3', ['-m', 'pytest', '--version']).catch(() => undefined)
  if (found === undefined) return
  const pytest = ['-m', 'pytest', '-p', 'no:cacheprovider', 'test_venue.py']
  expect(await output('python3', pytest)).toMatch(/4 passed/)
})

test('their types hold', async () => {
  const config = { compilerOptions: { strict: true, noEmit: true, module: 'nodenext', types: [] } }
  writeFileSync(
    path.join(project, 'tsconfig.json'),
    JSON.stringify({ ...config, include: ['typed.ts'] }),
  )
  writeFileSync(
    path.join(project, 'typed.ts'),
    `import { type EmbeddedExchange, startExchange } from 'ringbook'
    const exchange: EmbeddedExchange = await startExchange({ settings: { limits: true } })
    const key: string | undefined = exchange.accounts['maker']?.apiKey
    const rule: string = await exchange.faults.add({ do: 'fill', quantity: '30%', moments: '5' })
    for await (const { event, orderId } of exchange.events({ account: 'maker' })) {
      if (event === 'TRADE') await exchange.fill({ symbol: 'BTCUSDT', orderId }, 0.5)
    }
    export { key, rule }`,
  )
  const compile = () =>
    output(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'])
  await compile()
  appendFileSync(path.join(project, 'typed.ts'), ";exchange.faults.add({ do: 'cut', code: -1 })")
  await expect(compile()).rejects.toThrow('TS2')
})

test('a child from JavaScript ends by close, and tells its own end', async () => {
  const failures: Error[] = []
  const options = { process: 'child', failed: (error: Error) => failures.push(error) } as const
  const { startExchange: start } = (await import(
    /* @vite-ignore */ path.join(root, 'dist/src/index.js')
  )) as { startExchange: typeof startExchange }
  const exchange = await start(options)
  expect((await fetch(`${exchange.url}/api/v3/ping`)).status).toBe(200)
  await exchange.close()
  await expect(fetch(`${exchange.url}/api/v3/ping`)).rejects.toThrow()
  expect(failures).toEqual([])
  await expect(start({ ...options, settings: { gateway: 1 } })).rejects.toThrow(/--gateway/)
})
