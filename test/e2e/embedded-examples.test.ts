/**
 * The examples of an exchange within another program's tests, run as a user's project runs them: naive and careful clients,
 * types, a child. package.test.ts runs the examples of frameworks.
 */
import { execFile } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
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
  name.endsWith('.mjs'),
)

/** A project with the package installed. */
let project = ''
beforeAll(() => {
  project = mkdtempSync(path.join(os.tmpdir(), 'ringbook-project-'))
  mkdirSync(path.join(project, 'node_modules'))
  const installed = path.join(project, 'node_modules/ringbook')
  mkdirSync(path.join(installed, 'dist'), { recursive: true })
  copyFileSync(path.join(root, 'package.json'), path.join(installed, 'package.json'))
  cpSync(path.join(root, 'dist/src'), path.join(installed, 'dist/src'), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(installed, 'node_modules'))
  for (const name of ['ccxt', 'ws']) {
    symlinkSync(path.join(root, 'node_modules', name), path.join(project, 'node_modules', name))
  }
  writeFileSync(path.join(project, 'package.json'), '{"type": "module"}')
  for (const name of files) {
    copyFileSync(path.join(root, 'examples/embedded', name), path.join(project, name))
  }
})
afterAll(() => rmSync(project, { recursive: true }))

async function output(program: string, args: readonly string[]): Promise<string> {
  const { VITEST: _, ...env } = process.env
  const { stdout } = await run(program, args, { cwd: project, env }).catch((error) => {
    // What failed is printed there.
    throw new Error(`${error.message}\n${error.stdout}`, { cause: error })
  })
  return stdout
}

test.each([
  ['unknown-order.test.mjs', 2],
  ['resync.test.mjs', 6],
  ['backoff.test.mjs', 4],
])('%s: a naive client fails, a careful one does not', async (file, tests) => {
  const text = await output(process.execPath, ['--test', file])
  expect(text).toMatch(/^# fail 0$/m)
  expect(text.match(/^ok \d/gm)).toHaveLength(tests)
})

test('their types hold', async () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    types: [],
    // Without what the package's types refer to.
    target: 'es2022',
    lib: ['es2022', 'dom'],
  }
  writeFileSync(
    path.join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['typed.ts'] }),
  )
  writeFileSync(
    path.join(project, 'typed.ts'),
    `import { type EmbeddedExchange, startExchange } from 'ringbook'
    await using exchange: EmbeddedExchange = await startExchange({
      settings: { limits: true, 'orders-per-second': 5, durability: 'flushed' },
      exit: (close) => close,
    })
    await exchange.faults.add({ do: 'cut', from: new Date() })
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
  const typed = readFileSync(path.join(project, 'typed.ts'), 'utf8')
  const wrong = [
    "exchange.faults.add({ do: 'cut', code: -1 })",
    'startExchange({ settings: { limit: true } })',
    "startExchange({ settings: { durability: 'never' } })",
    'startExchange({ settings: { port: 1 } })',
  ]
  writeFileSync(path.join(project, 'typed.ts'), [typed, ...wrong].join(';\n'))
  const said = await compile().catch((error: Error) => error.message)
  const lines = [...said.matchAll(/typed\.ts\((\d+),\d+\): error TS2/g)].map(([, line]) =>
    Number(line),
  )
  const first = typed.split('\n').length + 1
  expect(lines).toEqual(wrong.map((_, at) => first + at))
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
  const misspelt: object = { gateway: 1 }
  await expect(start({ ...options, settings: misspelt })).rejects.toThrow(/--gateway/)
})
