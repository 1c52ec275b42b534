/**
 * Walks the pages of a first venue and of backups: every block of shell lines runs as it stands there, in
 * the order of the pages, against one exchange that the test starts by the first page.
 */
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

/** The first block starts the exchange, which the test does on other ports. */
const START = 'npm start -- --demo off --data venue-data\n'
/** Starts on a restored folder, which `restored` does. */
const START_AGAIN = 'npm start -- --data restored\n'
const blocksOf = (page: string) =>
  [...readFileSync(path.join(root, page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(
    ([, text]) => text!,
  )

let exchange: ExchangeProcess
let folder: string

beforeAll(async () => {
  exchange = await ExchangeProcess.start(['--demo', 'off'])
  folder = path.join(exchange.data, 'walk')
  mkdirSync(path.join(folder, 'bin'), { recursive: true })
  // What npx and npm would start from a checkout. On a busy machine the archive is behind for a moment.
  const programs = {
    npx: `[ "$1" = ringbook ] && shift || exit 2
for i in $(seq 40); do
  node ${root}/dist/src/main.js "$@" 2>said && exit
  code=$?
  cat said >&2
  grep -q overloaded said || exit $code
  sleep 0.5
done
exit $code`,
    npm: `[ "$2" = verify-journal ] && shift 3 && exec node ${root}/dist/scripts/verify-journal.js "$@"`,
  }
  for (const [name, text] of Object.entries(programs)) {
    const file = path.join(folder, 'bin', name)
    writeFileSync(file, `#!/bin/sh\n${text}\n`)
    chmodSync(file, 0o755)
  }
})
afterAll(() => exchange?.remove())

/** Runs blocks in one shell. Returns what they print. */
async function walk(blocks: readonly string[]): Promise<string> {
  const script = blocks
    .join('\n')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${exchange.port}`)
    .replaceAll('RINGBOOK_DATA=venue-data', `RINGBOOK_DATA=${exchange.data}`)
  const env = {
    ...process.env,
    PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`,
    RINGBOOK_DATA: exchange.data,
    RINGBOOK_ADMIN_PORT: String(exchange.adminPort),
  }
  return (await run('bash', ['-eo', 'pipefail', '-c', script], { cwd: folder, env })).stdout
}

describe('a first venue', () => {
  test('trades as its page says', async () => {
    const [start, ...blocks] = blocksOf('docs/first-venue.md')
    expect(start).toBe(START)
    const said = await walk(blocks)
    expect(said).toContain('would make 7 changes to the venue.')
    expect(said).toContain('7 changes made.')
    expect(said).toMatch(/"side":"SELL".*"fills":\[\]/)
    expect(said).toMatch(/"status":"FILLED".*"side":"BUY"/)
    expect(said).toMatch(/Every asset adds up/)
  })

  test('is backed up, checked and restored as the page of backups says', async () => {
    const blocks = blocksOf('docs/backup.md')
    expect(blocks.filter((text) => text.startsWith('npm start'))).toEqual([START_AGAIN])
    await walk(['mkdir backups\n', ...blocks.filter((text) => text !== START_AGAIN)])
    for (const name of ['backups/monday/control', 'restored/control', 'restored/secret.key']) {
      expect(existsSync(path.join(folder, name)), name).toBe(true)
    }
  })

  test('continues from the restored folder with what it had', async () => {
    const balances = () => walk(['npx ringbook balances alice -o json\n'])
    const before = await balances()
    await exchange.stop()
    await exchange.run(['--data', path.join(folder, 'restored')])
    const data = path.join(folder, 'restored')
    expect(
      await walk([`export RINGBOOK_DATA=${data}\nnpx ringbook balances alice -o json\n`]),
    ).toBe(before)
  })
})
