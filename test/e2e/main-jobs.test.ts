/**
 * Each npm script and each bench does its main job once, by its smallest options, or names the test that runs it. Those
 * that take long do it at night.
 * Each command of operators has a run in some test.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { claimPort } from '../../scripts/exchange/ports.ts'
import { describedActions } from '../../src/cli/local-actions.ts'
import { casesOf } from '../runner/night.ts'

const root = path.resolve(import.meta.dirname, '../..')
const text = (file: string) => readFileSync(path.join(root, file), 'utf8')
const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> }
const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-main-jobs-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A slow machine takes ten times as long as two quiet processors. */
const JOB_MS = 240_000

/** Scripts that this test runs: the words behind the command, and what is printed at the end. */
const ran: Readonly<Record<string, readonly [words: string, prints: RegExp]>> = {
  tune: [
    `--seconds 1 --commands 20000 --gateways 1 --matchers 1,2 --report ${folder}/tune.html --port PORT`,
    /"use":"--gateways 1 --matchers \d"/,
  ],
  fuzz: ['--target settings --inputs 100', /settings/],
  power: ['--losses 1', /[a-z]/],
  sim: ['--simulator simulation --seed 1', /[a-z]/],
  record: [`--parts operations --out ${folder}/recording`, /[a-z]/],
  'test:changed': ['src/base/fixed.ts', /Tests.*passed/],
  planted: ['timers.due.together', /Tests.*\D1 passed/],
}

/** Scripts whose job another test does, by the words with which it does it. */
const elsewhere: Readonly<Record<string, readonly [file: string, words: string]>> = {
  build: ['test/unit/scripts/build.test.ts', 'build.mjs'],
  generate: ['test/e2e/recipes.test.ts', "run('dist/scripts/generate.js')"],
  start: ['test/e2e/readme.test.ts', "'npm start'"],
  lesson: ['test/e2e/readme.test.ts', 'npm run lesson -- price-time-priority'],
  'verify-journal': ['test/e2e/large-amounts.test.ts', 'dist/scripts/verify-journal.js'],
  export: ['test/e2e/large-amounts.test.ts', 'dist/scripts/export.js'],
  load: ['test/e2e/load.test.ts', 'dist/scripts/load.js'],
  soak: ['test/e2e/soak.test.ts', 'dist/scripts/soak.js'],
  chaos: ['test/e2e/chaos.test.ts', 'scripts/chaos/chaos.ts'],
  siege: ['test/e2e/siege.test.ts', 'scripts/siege'],
  pictures: ['test/browser/pictures.test.ts', 'KEEP_PICTURES'],
  bench: ['test/e2e/main-jobs.test.ts', 'dist/bench/main.js'],
  prepack: ['test/e2e/package.test.ts', 'npm'],
}
/** Jobs that are not run, with the reason. */
const notRun: Readonly<Record<string, string>> = {
  test: 'runs this test',
  'test:long': 'runs this test',
  'test:night': 'runs this test',
  lint: 'judges the checkout',
  check: 'judges the checkout',
  format: 'changes the checkout',
  mutants: 'fetches Stryker by npm',
}

/** By bench: its smallest options. Fewer connections may leave a key of sessions without one. */
const benches: Readonly<Record<string, string>> = {
  book: '--rounds 1 --commands 20000',
  engine: '--rounds 1 --commands 20000 --accounts 2',
  instructions: '--commands 2000 --rounds 1',
  'gateway-instructions': '--rounds 1 --seconds 1 --warm-up 1 --resting 10 --port PORT',
  scale: '--rounds 1 --commands 20000 --accounts 2',
  ring: '--rounds 1',
  journal: '--blocks 2',
  replicated: '--blocks 2 --seconds 1 --turns 1 --port PORT',
  embedded: '--rounds 1 --orders 5 --events 20',
  failover: '--turns 1 --promote-after 1 --orders 5',
  follow: '--trades 5 --seconds 1',
  wire: '--seconds 1 --pairs 1 --connections 8 --resting 10 --cancels 10 --in-place 0 --port PORT',
  wsapi: '--seconds 1 --pairs 1 --connections 8 --resting 10 --cancels 10 --in-place 0 --port PORT',
  fanout: '--seconds 1 --pairs 1 --readers 1 --sbe-pairs 1 --stalled-pairs 0 --port PORT',
  render: '--rounds 1 --passes 20',
  overload: '--seconds 1 --capacity-seconds 1 --connections 8 --resting 10 --port PORT',
  recovery: '--events 10000 --seconds 1 --pairs 1 --port PORT',
  metrics: '--seconds 1 --pairs 1 --connections 2 --port PORT',
  latency: '--rate 50 --seconds 1 --rounds 1 --port PORT',
  tail: '--seconds 1 --turns 1 --connections 2 --in-place 0 --port PORT',
  archive: '--events 10000 --pairs 1 --seconds 1 --port PORT',
  queries: '--trades 10000 --asks 2 --pairs 1 --seconds 1 --rate 50 --klines 2 --port PORT',
  console: '--levels 10 --trades 10 --seconds 1 --settle 1',
  hmac: '--rounds 1',
}

const QUICK = /^(test:changed|fuzz|sim|book|engine|scale|ring|journal|recovery|wire|hmac)$/
const runsOf = <T>(table: Readonly<Record<string, T>>) =>
  casesOf(Object.entries(table), ([name]) => QUICK.test(name))

async function output(
  command: readonly string[],
  words: string,
): Promise<readonly [code: unknown, text: string]> {
  const port = words.includes('PORT') ? await claimPort() : 0
  const [program, ...own] = command
  const args = [...own, ...words.replace('PORT', String(port)).split(' ')]
  // A job that hangs is ended before its test is, so that it outlives no test.
  const options = { cwd: root, timeout: JOB_MS - 20_000 }
  const child = spawn(program!, args, options)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      printed += data
    })
  }
  const [code] = await once(child, 'close')
  return [code, printed]
}

test('every script has a run of its main job', () => {
  const own = Object.keys(scripts).filter((name) => !(/^pre/.test(name) && name !== 'prepack'))
  const named = [...Object.keys(ran), ...Object.keys(elsewhere), ...Object.keys(notRun)]
  expect(named.sort()).toEqual(own.sort())
  for (const [name, [file, words]] of Object.entries(elsewhere)) {
    expect(existsSync(path.join(root, file)) && text(file).includes(words), name).toBe(true)
  }
})

test('every command has a run in a test', () => {
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const isTest = (file: string) => /\.test\.ts$/.test(file) && !file.startsWith('defects')
  const texts = files.filter(isTest).map((file) => text(path.join('test', file)))
  const tests = texts.join('\n')
  // By its name, or by its row where it asks no exchange: `quorumTrim.run(`.
  const runs = (name: string) => {
    const row = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    return new RegExp(`['"\`]${name}['"\` ]|\\b${row}\\.run\\(`)
  }
  const named = describedActions().map(({ name }) => name)
  expect(named.filter((name) => !runs(name).test(tests))).toEqual([])
})

describe('a script', () => {
  test.each(runsOf(ran))('%s', { timeout: JOB_MS }, async (name, [words, prints]) => {
    const [, file] = /^node (\S+)$/.exec(scripts[name]!) ?? []
    const command = file === undefined ? ['npm', 'run', name, '--'] : [process.execPath, file]
    const [code, printed] = await output(command, words)
    expect(printed).toMatch(prints)
    expect(code).toBe(0)
  })
})

describe('a bench', () => {
  const run = (name: string, words: string) =>
    output([process.execPath, 'dist/bench/main.js'], `${name} ${words}`)

  test('has a run here; an unknown one ends with 1 and the names', async () => {
    for (const name of ['nonsense', 'toString']) {
      const [code, printed] = await run(name, '--rounds 1')
      expect([code, printed]).toEqual([1, expect.stringMatching(/^usage: npm run bench -- \S+\n$/)])
      const names = printed.trim().split(' ').at(-1)!.split('|')
      expect(names.sort()).toEqual(Object.keys(benches).sort())
    }
  })

  test.each(runsOf(benches))('%s', { timeout: JOB_MS }, async (name, words) => {
    const [code, printed] = await run(name, words)
    expect(printed).toMatch(new RegExp(`\\{"bench":"${name}","ratios":\\{`))
    expect(code).toBe(0)
  })
})
