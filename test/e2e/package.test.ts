/**
 * The package that `npm pack` makes: small, complete without network and compiler, it trades, and it serves the suites of a
 * project that has installed it.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimPort } from '../../scripts/exchange/ports.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { hasTool } from '../runner/tools.ts'

const MEGABYTE = 1_000_000
const INSTALL_MB_MAX = 72
/** Compressed: it is for pages too. */
const DECODER_BYTES_MAX = 12_000
const TSC = 'node_modules/typescript/bin/tsc'
/** process.versions.modules of each version of Node.js. */
const interfaces: Readonly<Record<string, number>> = { 20: 115, 22: 127, 24: 137, 25: 141 }

/** What a project with the suites has beside Ringbook: linked from here, since nothing is downloaded. */
const BESIDE = ['@binance/spot', 'ccxt', 'jest', 'jest-environment-node', 'vitest', 'ws']
const root = path.resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

let folder: string
let home: string
let installed: string
let said = ''

/** Runs npm in the folder, with an empty cache and without network. Returns what it prints. */
function npm(cwd: string, ...words: readonly string[]): string {
  const flags = ['--offline', '--cache', path.join(folder, 'cache'), '--no-audit', '--no-fund']
  return String(execFileSync('sh', ['-c', '"$@" 2>&1', 'sh', 'npm', ...words, ...flags], { cwd }))
}

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-package-'))
  npm('.', 'pack', '--pack-destination', folder)
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(archive).toBe(`ringbook-${version}.tgz`)
  home = path.join(folder, 'home')
  mkdirSync(home)
  said = npm(home, 'install', path.join(folder, archive))
  installed = path.join(home, 'node_modules')
  // The package is built, packed and installed.
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('an install is small, and warns of no engine', () => {
  const entries = readdirSync(installed, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(path.join(entry.parentPath, entry.name)).size)
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / MEGABYTE
  expect(megabytes).toBeLessThan(INSTALL_MB_MAX)
  expect(said).not.toMatch(/EBADENGINE|[Uu]nsupported/)
})

test('it has binaries for this platform alone, for every Node.js that it supports', () => {
  const own = path.join(installed, 'ringbook')
  const { engines } = JSON.parse(readFileSync(path.join(own, 'package.json'), 'utf8'))
  const majors = [...engines.node.matchAll(/\^(\d+)/g)].map(([, major]) => major!)
  expect(Object.keys(interfaces)).toEqual(majors)
  const binaries = readdirSync(path.join(own, 'node_modules/uWebSockets.js'))
    .filter((name) => name.endsWith('.node'))
    .sort()
  const wanted = majors.map(
    (it) => `uws_${process.platform}_${process.arch}_${interfaces[it]}.node`,
  )
  expect(binaries).toEqual(wanted)
  const readme = readFileSync(path.join(own, 'README.md'), 'utf8')
  for (const major of majors) expect(readme).toMatch(new RegExp(`Node\\.js [^\\n]*\\b${major}\\b`))
  expect(existsSync(path.join(own, 'node_modules/lmdb/src'))).toBe(false)
})

test('what is installed starts, and fills an order', async () => {
  const [port, adminPort] = [await claimPort(), await claimPort()]
  const args = ['start', '--port', String(port), '--admin-port', String(adminPort)]
  const child = spawn(path.join(installed, '.bin/ringbook'), args, { cwd: home })
  try {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        output += text
      })
    }
    await eventually('its start', () => {
      expect(child.exitCode, output).toBe(null)
      return output.includes('"started"') || undefined
    })
    const [key] = JSON.parse(readFileSync(path.join(home, 'data/demo-keys.json'), 'utf8'))
    const client = new SignedClient(`http://127.0.0.1:${port}`, key)
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' }
    const { body } = await client.send('POST', '/api/v3/order', order)
    expect(body).toMatchObject({ status: 'FILLED' })
    for (const page of ['/docs', '/docs/api/trading', '/docs/llms.txt']) {
      expect((await fetch(`http://127.0.0.1:${port}${page}`)).status, page).toBe(200)
    }
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  }
})

/** Runs a program in the project. Resolves to what it prints on both outputs; rejects with it. */
async function output(program: string, args: readonly string[], more = {}): Promise<string> {
  const { VITEST: _, FORCE_COLOR: __, ...others } = process.env
  const env = { ...others, NO_COLOR: '1', ...more }
  try {
    const { stdout, stderr } = await run(program, args, { cwd: home, env })
    return stdout + stderr
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout: string; stderr: string }
    throw new Error(`${message}\n${stdout}\n${stderr}`, { cause: error })
  }
}

const programsOf = (page: string): readonly (readonly [file: string, text: string])[] =>
  [...readFileSync(path.join(root, page), 'utf8').matchAll(/^```js\n([\s\S]*?)^```/gm)].map(
    ([, text = ''], at) => [`question-${at + 1}.test.mjs`, text],
  )

describe('a project that has installed it', () => {
  beforeAll(() => {
    mkdirSync(path.join(installed, '@binance'))
    for (const name of BESIDE) {
      symlinkSync(path.join(root, 'node_modules', name), path.join(installed, name))
    }
    const examples = path.join(installed, 'ringbook/examples/embedded')
    for (const name of readdirSync(examples).filter((it) => it !== 'ringbook_venue.py')) {
      copyFileSync(path.join(examples, name), path.join(home, name))
    }
  })

  test('vitest, on threads', async () => {
    const vitest = path.join(installed, 'vitest/vitest.mjs')
    const suites = ['bot.test.ts', 'fixture.test.ts', 'sbe.test.ts']
    const text = await output(process.execPath, [vitest, 'run', '--pool=threads', ...suites])
    expect(text).toMatch(/Tests {2}5 passed/)
  })

  test('node:test, and each program of Testing a bot', async () => {
    const programs = programsOf('docs/guides/testing-a-bot.md')
    for (const [file, text] of programs) writeFileSync(path.join(home, file), text)
    const files = ['bot.test.mjs', ...programs.map(([file]) => file)]
    const text = await output(process.execPath, ['--test', ...files])
    expect(text).toMatch(/^# pass 11$/m)
  })

  test('Jest, with the environment', async () => {
    const jest = path.join(installed, 'jest/bin/jest.js')
    const config = { testMatch: ['**/*.test.cjs'] }
    writeFileSync(path.join(home, 'jest.config.json'), JSON.stringify(config))
    expect(await output(process.execPath, [jest])).toMatch(/Tests: +2 passed, 2 total/)
  })

  test.runIf(hasTool('pytest'))('pytest, with the file that one command finds', async () => {
    const found = await output('npx', ['--offline', 'ringbook', 'python-path'])
    expect(existsSync(path.join(found.trim(), 'ringbook_venue.py'))).toBe(true)
    const args = ['-m', 'pytest', '-p', 'no:cacheprovider', '-p', 'ringbook_venue']
    const suites = ['test_bot.py', 'test_venue.py']
    const text = await output('python3', [...args, ...suites], { PYTHONPATH: found.trim() })
    expect(text).toMatch(/8 passed/)
  })

  test('its decoder of SBE, without an exchange, small and typed', async () => {
    writeFileSync(path.join(home, 'decode.mjs'), DECODE)
    expect(await output(process.execPath, ['decode.mjs'])).toBe('PingResponse SbeError\n')
    const folder = path.join(installed, 'ringbook/dist/src')
    expect(gzipSync(readFileSync(path.join(folder, 'sbe.js'))).length).toBeLessThan(
      DECODER_BYTES_MAX,
    )
    const check = (text: string) => {
      writeFileSync(path.join(home, 'typed.ts'), text)
      const flags = ['--ignoreConfig', '--noEmit', '--module', 'nodenext', '--target', 'es2022']
      return output(process.execPath, [path.join(root, TSC), ...flags, '--strict', 'typed.ts'])
    }
    expect(await check(TYPED)).toBe('')
    await expect(check(TYPED.replace('bids', 'bid'))).rejects.toThrow(
      "Property 'bid' does not exist",
    )
  })

  test('two copies in one process', async () => {
    const copy = path.join(home, 'copy/node_modules/ringbook')
    cpSync(path.join(installed, 'ringbook'), copy, { recursive: true })
    writeFileSync(path.join(home, 'copies.mjs'), COPIES)
    expect(await output(process.execPath, ['copies.mjs'])).toBe('200 200\n')
  })

  test.each([
    'has no mark',
    'prepares a spare',
    'has a spare',
    'was reverted, and prepares the next spare',
  ])('no way to end leaves anything of an exchange that %s', async (marks) => {
    writeFileSync(path.join(home, 'end.mjs'), END)
    writeFileSync(path.join(home, 'end.test.mjs'), END)
    const ways = Object.entries(ends)
    const folders = await Promise.all(ways.map(([way, args]) => end(way, args, marks)))
    const left = folders.filter((it) => existsSync(it))
    // A start takes a folder of the last ten seconds for one that is being made.
    for (const it of left) utimesSync(it, 0, 0)
    expect(left).toHaveLength(4)
    await output(process.execPath, ['end.mjs', 'close'], { NOTE: path.join(home, 'last') })
    expect(folders.filter((it) => existsSync(it))).toEqual([])
  })
})

const DECODE = `
import { decode, SbeError } from 'ringbook/sbe'
const { template } = decode(new Uint8Array([0, 0, 101, 0, 3, 0, 5, 0]))
try {
  decode(new Uint8Array(1))
} catch (error) {
  console.log(template, error instanceof SbeError && error.name)
}
`

const TYPED = `
import { decode, type SbeMessages } from 'ringbook/sbe'
const decoded = decode(new Uint8Array(0))
if (decoded.template === 'DepthResponse') decoded.message.bids[0]?.price.slice()
export const side: SbeMessages['OrderResponse']['side'] = 'BUY'
`

const COPIES = `
import { startExchange } from 'ringbook'
import { startExchange as startOther } from './copy/node_modules/ringbook/dist/src/index.js'
const both = await Promise.all([startExchange(), startOther()])
const answers = await Promise.all(both.map(({ url }) => fetch(url + '/api/v3/ping')))
console.log(...answers.map(({ status }) => status))
await Promise.all(both.map((exchange) => exchange.close()))
`

/** A program whose exchange does not end by close, but in the given way. */
const END = `
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { startExchange } from 'ringbook'
const { NOTE, MARKS = 'has a spare', WAY = process.argv[2] } = process.env
const exchange = await startExchange({ process: WAY.endsWith('of a child') ? 'child' : 'this' })
if (MARKS === 'prepares a spare') {
  const marked = exchange.mark().catch(() => {})
  // Up to where the copy is made.
  const path = exchange.folder + '/marks/spare-2'
  for (let isDone = false; !isDone && !existsSync(path); ) {
    isDone = await Promise.race([marked.then(() => true), new Promise(setImmediate)])
  }
} else if (MARKS !== 'has no mark') {
  const mark = await exchange.mark()
  if (MARKS !== 'has a spare') await exchange.revert(mark)
}
writeFileSync(NOTE + '.new', exchange.folder)
renameSync(NOTE + '.new', NOTE)
if (WAY === 'close') await exchange.close()
if (WAY === 'process.exit') process.exit()
if (WAY === 'an uncaught exception') setImmediate(() => { throw new Error('mine') })
if (WAY === 'a forgotten close') test('it', () => {})
if (WAY === 'Ctrl-C of a runner') test('it', () => new Promise(() => {}))
`

/** Arguments of Node.js by way to end. */
const ends: Readonly<Record<string, readonly string[]>> = {
  SIGINT: ['end.mjs'],
  SIGTERM: ['end.mjs'],
  SIGKILL: ['end.mjs'],
  'SIGINT, of a child': ['end.mjs'],
  'SIGTERM, of a child': ['end.mjs'],
  'SIGKILL, of a child': ['end.mjs'],
  'Ctrl-C of a runner': ['--test', 'end.test.mjs'],
  'an uncaught exception': ['end.mjs'],
  'process.exit': ['end.mjs'],
  'a forgotten close': ['--test', '--test-force-exit', 'end.test.mjs'],
}

/** Ends an exchange in one way. Resolves to its folder once its process is gone. */
async function end(way: string, args: readonly string[], marks: string): Promise<string> {
  const note = path.join(home, `${way}, ${marks}`)
  const env = { ...process.env, WAY: way, NOTE: note, MARKS: marks }
  // A separate group, as a terminal gives to each command.
  const child = spawn(process.execPath, args, { cwd: home, env, detached: true, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await eventually(way, () => existsSync(note) || undefined)
  const [signal] = way.split(',')
  if (way === 'Ctrl-C of a runner') process.kill(-child.pid!, 'SIGINT')
  else if (signal!.startsWith('SIG')) child.kill(signal as NodeJS.Signals)
  await ended
  const ofExchange = readFileSync(note, 'utf8')
  if (way.endsWith('of a child')) {
    await eventually('the end of the child', () => !existsSync(ofExchange) || undefined)
  }
  // A runner may end before the process of its test does.
  const pid = Number(/ringbook-embedded-(\d+)-/.exec(ofExchange)![1])
  await eventually('the end of the process', () => hasEnded(pid) || undefined)
  return ofExchange
}

function hasEnded(pid: number): boolean {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}
