/** The package that `npm pack` makes: small, complete without network and compiler, and it trades. */
import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimPort } from '../../scripts/exchange/ports.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'

const MEGABYTE = 1_000_000
const INSTALL_MB_MAX = 64
/** process.versions.modules of each version of Node.js. */
const interfaces: Readonly<Record<string, number>> = { 20: 115, 22: 127, 24: 137, 25: 141 }

let folder: string
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
  const home = path.join(folder, 'home')
  mkdirSync(home)
  said = npm(home, 'install', path.join(folder, archive))
  installed = path.join(home, 'node_modules')
})
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
  const home = path.join(folder, 'home')
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
