/** Taste as a test: imports between rooms, banned calls, stale documents, dead files. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { generatedSources } from '../scripts/generate-sources.ts'
import { generated } from '../scripts/generated.ts'
import { deadNames } from './documents.ts'
import {
  importCycles,
  importedFiles,
  importsBackwards,
  importsOf,
  readRooms,
  rooms,
  statesKeptTwice,
} from './rooms.ts'

const root = path.resolve(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '')
  .concat(generatedSources().map(([file]) => file))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const sources = files.filter((file) => /^src\/.*\.tsx?$/.test(file))
const code = files.filter((file) => /\.(tsx?|cpp|h)$/.test(file) && !/\.gen\./.test(file))

/** What the scales of the screens are of. */
const SCALED =
  /(?<![-\w])(?:font(?:-size|-weight)?|padding[\w-]*|margin[\w-]*|(?:row-|column-)?gap|border-radius): [^;]*;/g
/** Lengths except hairlines and room for something beside; weights except the two. */
const OFF_SCALE = /(?<!\d)(?:[3-9]|1\d|2\d)px|font-weight: (?!400|600)|font-size: (?!var)/
/** Package → the one place that may import it. */
const homes: Record<string, RegExp> = {
  'uWebSockets.js': /^src\/gateway\//,
  lmdb: /^src\/journal\//,
  'fast-json-stringify': /^src\/api\/answers\//,
  pg: /^src\/replica\/postgres-session\.ts$/,
  piscina: /^src\/queries\//,
  pino: /^src\/(assembly|workers)\//,
  'smol-toml': /^src\/config\//,
}
/** Packages that are bundled for browsers, from the one room that runs there. */
const browserPackages = /^(preact|@preact\/|lightweight-charts|minisearch|uplot)/
/** Whose words an operator does not know: `fileFault` translates. */
const rawFault = /cannot[^`'"\n]*\$\{(\(error as Error\)\.)?message\}/
/** What the deterministic core must never reach for. */
const bannedInCore = new RegExp(
  [
    /\bDate\.now\b|\bnew Date\b|\bperformance\b|\bsetTimeout\b|\bsetImmediate\b/,
    /\bMath\.random\b|\bprocess\.|\bconsole\b|node:|\bawait\b|\basync\b/,
  ]
    .map((part) => part.source)
    .join('|'),
)

/** Files that read the wall clock, which may step by hours, and what clients or records see of it. */
const wallClockReaders: Record<string, string> = {
  'src/base/real-time.ts': 'the clock itself',
  'src/base/real-date.ts': 'the clock of Node.js',
  'src/base/manual-time.ts': 'a clock that a program sets',
  'src/base/time.ts': 'the shape of clocks',
  'src/base/virtual-clock.ts': 'dates that a virtual clock shows',
  'src/assembly/loop/loop-virtual.ts': 'the date that a virtual clock begins at',
  'src/assembly/main/crew.ts': 'what the sandbox shows of the clock',
  'src/assembly/main/clock-watch.ts': 'the time that it steers',
  'src/assembly/in-this-process.ts': 'the date that a fork begins at',
  'src/assembly/venue-clock.ts': 'dates that a virtual clock shows',
  'src/control/actions/clock.ts': 'dates that a virtual clock shows',
  'src/control/actions/operators.ts': 'until when earlier tokens are good',
  'src/control/token.ts': 'until when earlier tokens are good',
  'src/cli/salvage.ts': 'when an operator gave blocks up',
  'src/agents/indexer-agent.ts': 'retention by days, and trading status',
  'src/agents/matcher.ts': "the journal's time, and expiry",
  'src/gateway/websocket/connection.ts': 'what a ping says',
  'src/gateway/streams/feeds/feeds.ts': 'windows of tickers',
  'src/gateway/streams/feeds/kline-feed.ts': 'the kline under way',
  'src/gateway/streams/feeds/trade-feeds.ts': 'times of frames',
  'src/gateway/streams/feeds/auction-feed.ts': 'times of frames',
  'src/gateway/streams/feeds/status-feeds.ts': 'times of frames',
  'src/gateway/gateway.ts': 'times of events',
  'src/gateway/limits/order-credits.ts': 'intervals of limits, which clients are told',
  'src/pipeline/pipeline.ts': 'timestamps of requests, and intervals of limits',
  'src/gateway/server.ts': 'intervals of limits',
  'src/gateway/http/plain-requests.ts': 'intervals of limits',
  'src/gateway/streams/frame-faults.ts': 'times of events',
  'src/gateway/streams/feeds/depth-feeds.ts': 'times of frames',
  'src/gateway/streams/pace.ts': 'times of frames, and the kline under way',
  'src/gateway/engine-link/trade-seeds.ts': 'the day that a ticker shows',
  'src/gateway/streams/user-streams.ts': 'times of events',
  'src/gateway/websocket/ws-api.ts': 'the end of sessions',
  'src/gateway/websocket/ws-streams.ts': 'times of events',
  'src/liquidity/exchange-client.ts': 'timestamps of requests',
  'src/console/net/server-clock.ts': 'timestamps of requests, and the lag that is shown',
  'src/control/command-executor.ts': 'times of facts',
  'src/control/keyed-actions.ts': 'the age of facts',
  'src/control/worker-control-plane.ts': 'moments of backups',
  'src/control/schedule/schedule-runner.ts': 'times of the day at which statuses change',
  'src/control/fault-book.ts': 'moments at which rules begin and end',
  'src/telemetry/metrics-process.ts': 'when the process began',
  'src/telemetry/metrics.ts': 'ages of a backup and a certificate',
  'src/telemetry/kept-figures.ts': 'the seconds and minutes of plots',
  'src/assembly/main/alert-sender.ts': 'when an alert began',
  'src/admin-api/figures.ts': 'the times below plots',
  'src/assembly/main/open-admin-server.ts': 'the times below plots',
  'src/agents/indexer.ts': 'retention by days',
  'src/agents/snapshot-agent.ts': 'retention of journals by days',
  'src/assembly/stages/recover.ts': 'times of facts',
  'src/assembly/main/open-folder.ts': 'times of facts',
  'src/assembly/main/quorum-member.ts': 'times of facts',
}
const wallClock = /\bDate\.now\b|\bnew Date\(\)|\bnowMs\(\)/

/** Time is handed in (src/base/time.ts): nothing else reads a clock or blocks a thread by itself. */
const ownTime =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\b|\bhrtime\b|\bAtomics\.wait(Async)?\b/
const ownTimeReaders =
  /^src\/(base\/real-time|ring\/doorbell|workers\/start-gate)\.ts$|^src\/(console|cli)\//
const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

const imports = (file: string) => importsOf(read(file))

describe('rooms', () => {
  const texts = new Map(
    files.filter((file) => /\.tsx?$/.test(file)).map((file) => [file, read(file)]),
  )
  const { used, refused } = readRooms(texts)

  test('a room imports what the table allows', () => {
    expect(refused).toEqual([])
  })

  test('the table allows what is used', () => {
    const allowed = Object.entries(rooms).flatMap(([room, to]) =>
      to.map((other) => `${room} → ${other}`),
    )
    expect(allowed.filter((pair) => !used.has(pair))).toEqual([])
  })

  test('pages import types of the protocol alone', () => {
    const refusedOf = (text: string) =>
      readRooms(new Map([['src/console/net/api.ts', text]])).refused
    const types = "import type {\n  empty,\n} from '../../api/answers/market.ts'\n"
    expect(refusedOf(types)).toEqual([])
    expect(refusedOf(types + types.replace('import type', 'import'))).toHaveLength(2)
  })

  test('rooms import rooms above them', () => {
    const names = Object.keys(rooms)
    for (const [room, to] of Object.entries(rooms)) {
      expect(
        to.filter((other) => names.indexOf(other) >= names.indexOf(room)),
        room,
      ).toEqual([])
    }
  })

  test('src imports no scripts, scripts no benches, none of them tests', () => {
    expect(importsBackwards(texts)).toEqual([])
  })

  test('no imports go in a circle', () => {
    expect(importCycles(texts)).toEqual([])
    const circle = new Map([
      ['src/a.ts', "import type { B } from './b.ts'"],
      ['src/b.ts', "import { c } from './c.ts'"],
      ['src/c.ts', "import { b } from './b.ts'\nimport { a } from './a.ts'"],
    ])
    expect(importCycles(circle)).toEqual([
      'src/b.ts → src/c.ts → src/b.ts',
      'src/a.ts → src/b.ts → src/c.ts → src/a.ts',
    ])
  })

  test('programs of one process keep nothing twice', () => {
    const src = [...texts].filter(([file]) => file.startsWith('src/'))
    expect(statesKeptTwice(new Map(src))).toEqual([])
  })

  test.each([
    ['let state = 0', ['src/main.ts, src/late.ts: src/state.ts']],
    [
      'export const state = new WeakMap<object, Set<number>>()',
      ['src/main.ts, src/late.ts: src/state.ts'],
    ],
    ['export const state = new Map(rows)', []],
    ['const state = () => {\n  let count = 0', []],
  ])('what keeps something: %s', (state, twice) => {
    const program = new Map([
      ['src/main.ts', "import { part } from './part.ts'\nawait import('./late.ts')"],
      ['src/part.ts', "import { state } from './state.ts'"],
      ['src/late.ts', "import { state } from './state.ts'"],
      ['src/state.ts', state],
    ])
    expect(statesKeptTwice(program)).toEqual(twice)
  })

  test.each(sources)('packages of %s', (file) => {
    for (const target of imports(file)) {
      if (browserPackages.test(target)) expect(file).toMatch(/^src\/console\//)
      if (homes[target] === undefined) continue
      expect(file, `${target} has another home`).toMatch(homes[target])
    }
  })

  test('every package has a home', () => {
    const { dependencies } = JSON.parse(read('package.json'))
    expect(Object.keys(homes).sort()).toEqual(Object.keys(dependencies).sort())
  })
})

describe('taste', () => {
  test.each(code)('%s', (file) => {
    const text = read(file)
    if (file === 'test/tidy.test.ts') return
    expect(text, 'a reminder was left').not.toMatch(/\b(TODO|FIXME|XXX|HACK)\b/)
    expect(text, 'a check is suppressed').not.toMatch(/@ts-ignore|@ts-expect-error|biome-ignore/)
    if (file.startsWith('src/')) {
      expect(text, 'a file is imported whole').not.toMatch(/import \* as \w+ from '\./)
    }
    expect(text, "a system's error stands raw in a sentence").not.toMatch(rawFault)
    expect(text, 'a test is skipped').not.toMatch(/\b(test|describe|it)\.(skip|only|todo)\b/)
  })

  test.each(
    sources.filter((file) => file.startsWith('src/core/')),
  )('%s is deterministic', (file) => {
    expect(withoutComments(read(file))).not.toMatch(bannedInCore)
  })

  test('time is handed in', () => {
    const readers = sources.filter((file) => ownTime.test(withoutComments(read(file))))
    expect(readers.filter((file) => !ownTimeReaders.test(file))).toEqual([])
  })

  test('screens take type, space and radii from the scales of style.css', () => {
    const styles = ['style.css', 'console.css', 'operator/operator.css']
    const rules = styles.flatMap((name) => read(`src/console/${name}`).match(SCALED) ?? [])
    expect(rules.length).toBeGreaterThan(100)
    expect(rules.filter((rule) => OFF_SCALE.test(rule))).toEqual([])
  })

  test('only what is shown or recorded goes by the wall clock; durations are monotonic', () => {
    const readers = sources.filter((file) => wallClock.test(read(file)))
    expect(readers.filter((file) => wallClockReaders[file] === undefined)).toEqual([])
  })
})

describe('nothing is stale or dead', () => {
  test.each(generated())('%s is what its table says', (file, text) => {
    expect(read(file)).toBe(text)
  })

  test('what makes the generated sources imports none of them', () => {
    const reached = new Set(['scripts/generate-sources.ts'])
    for (const file of reached) {
      // Imports, and not those in texts that it writes.
      const lines = read(file).match(/^(?:import|export|\}).* from '.*'$/gm) ?? []
      for (const target of importedFiles(file, lines.join('\n'))) reached.add(target)
    }
    expect(reached).toContain('src/layout/schema.ts')
    expect([...reached].filter((file) => /\.gen\./.test(file))).toEqual([])
  })

  test('only the functions of units and generated accessors cast to a unit', () => {
    const names = [...read('src/base/units.ts').matchAll(/^export const (\w+) =/gm)].map(
      ([, name]) => name,
    )
    expect(names).toContain('Lots')
    const cast = new RegExp(`\\bas (${names.join('|')})\\b`)
    const casting = files.filter(
      (file) => /\.ts$/.test(file) && !/\.gen\.ts$/.test(file) && cast.test(read(file)),
    )
    expect(casting).toEqual(['src/base/units.ts'])
  })

  test('every source file is reached', () => {
    const reached = new Set<string>()
    for (const file of files.filter((name) => /^(src|bench|scripts|test)\/.*\.tsx?$/.test(name))) {
      for (const target of imports(file)) {
        if (target.startsWith('#')) reached.add(`src/${target.slice(1)}`)
        else if (target.startsWith('.')) {
          reached.add(path.normalize(path.join(path.dirname(file), target)))
        }
      }
      for (const match of read(file).matchAll(/[\w./-]+\.thread\.(?:ts|js)/g)) {
        reached.add(`src/workers/${path.basename(match[0]).replace(/js$/, 'ts')}`)
      }
    }
    for (const [, kind] of read('src/workers/hosting.ts').matchAll(/^ {2}(\w+): \{/gm)) {
      reached.add(`src/workers/${kind}.thread.ts`)
    }
    const begun = [
      ...['src/main.ts', 'src/embedded.ts', 'src/workers/compile-programs.ts'],
      'src/console/main.tsx',
      ...['src/console/operator/main.tsx', 'src/console/docs/main.ts'],
    ]
    // Declarations are read by tsc alone.
    const dead = sources.filter(
      (file) => !reached.has(file) && !begun.includes(file) && !file.endsWith('.d.ts'),
    )
    expect(dead).toEqual([])
  })
})

describe('documents', () => {
  const documents = files.filter((file) => /^(README|(src|docs|examples)\/.*)\.md$/.test(file))

  test.each(documents)('%s names what exists', (file) => {
    expect(deadNames(file, read(file), files, read)).toEqual([])
  })

  test('every page is linked', () => {
    const index = read('docs/README.md')
    const pages = documents.filter((file) => /^docs\/[\w-]+\.md$/.test(file))
    const isLinked = (file: string) => index.includes(`(${path.basename(file)})`)
    expect(pages.filter((file) => !isLinked(file))).toEqual(['docs/README.md'])
  })

  test('every decision is linked', () => {
    const index = read('docs/decisions/README.md')
    const pages = documents.filter((file) => /^docs\/decisions\/(?!README)/.test(file))
    const isLinked = (file: string) => index.includes(`](${path.basename(file)})`)
    expect(pages.filter((file) => !isLinked(file))).toEqual([])
  })
})
