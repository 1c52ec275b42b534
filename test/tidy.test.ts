/** Taste as a test: doors between rooms, sizes, banned calls, stale generated files, dead files. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { generated } from '../scripts/generated.ts'
import { deadNames } from './documents.ts'

const root = path.resolve(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const sources = files.filter((file) => /^src\/.*\.ts$/.test(file))
const code = files.filter((file) => /\.(ts|cpp|h)$/.test(file) && !/\.gen\./.test(file))

/**
 * Room → rooms it may import (src/README.md). A door leads to a room that stands above it in the table,
 * so no imports go in a circle. A door that nothing uses fails too.
 */
const doors: Record<string, readonly string[]> = {
  base: [],
  market: ['base'],
  history: ['base', 'market'],
  layout: ['base'],
  shared: ['base'],
  ring: ['base', 'layout'],
  core: ['base', 'market', 'history', 'layout'],
  journal: ['base', 'layout'],
  archive: ['base', 'market', 'history', 'layout', 'journal'],
  agents: [
    ...['base', 'market', 'history', 'layout', 'shared', 'ring', 'core', 'journal', 'archive'],
  ],
  api: ['base', 'market', 'history', 'layout', 'core'],
  'gateway/limits': ['base', 'layout', 'shared', 'api'],
  'gateway/authentication': ['base', 'market', 'shared', 'api', 'gateway/limits'],
  'gateway/streams': ['base', 'market', 'history', 'layout', 'shared', 'core', 'api'],
  'gateway/engine-link': [
    ...['base', 'market', 'layout', 'shared', 'ring', 'core', 'api'],
    ...['gateway/limits', 'gateway/streams'],
  ],
  'gateway/http': [
    ...['base', 'shared', 'api'],
    ...['gateway/limits', 'gateway/authentication', 'gateway/engine-link'],
  ],
  'gateway/websocket': [
    ...['base', 'market', 'shared', 'api'],
    ...['gateway/limits', 'gateway/authentication', 'gateway/streams', 'gateway/engine-link'],
    'gateway/http',
  ],
  gateway: [
    ...['base', 'market', 'shared', 'ring', 'core', 'api'],
    ...['gateway/limits', 'gateway/authentication', 'gateway/streams', 'gateway/engine-link'],
    ...['gateway/http', 'gateway/websocket'],
  ],
  queries: ['market', 'history', 'archive', 'api'],
  liquidity: ['base'],
  operator: ['base', 'market', 'shared', 'ring', 'journal'],
  threads: [
    ...['base', 'market', 'shared', 'ring', 'core', 'journal', 'archive', 'agents', 'api'],
    ...['gateway', 'gateway/limits', 'gateway/streams', 'gateway/engine-link', 'queries'],
    ...['liquidity', 'operator', 'config.ts'],
  ],
}
/**
 * The same for what is outside src: src ← scripts ← bench ← test. A room is a folder, or the files of
 * `scripts`, `bench` or `test` themselves. All of src is one room to them.
 */
const doorsOutside: Record<string, readonly string[]> = {
  'scripts/command-line': [],
  'scripts/exchange': ['src'],
  'scripts/audit': ['src', 'scripts/command-line'],
  'scripts/chaos': ['src', 'scripts/exchange'],
  'scripts/load': ['src', 'scripts/command-line'],
  'scripts/siege': ['src', 'scripts/load'],
  scripts: [
    ...['src', 'scripts/command-line', 'scripts/exchange', 'scripts/audit', 'scripts/chaos'],
    ...['scripts/load', 'scripts/siege'],
  ],
  'bench/harness': ['scripts/command-line'],
  'bench/workloads': ['src'],
  'bench/wire': ['src', 'bench/harness', 'bench/workloads'],
  'bench/micro': ['src', 'bench/harness', 'bench/workloads', 'bench/wire'],
  'bench/tune': ['scripts/load', 'bench/harness', 'bench/micro', 'bench/wire'],
  bench: [...['scripts/command-line', 'bench/harness', 'bench/micro', 'bench/wire', 'bench/tune']],
  'test/fixtures': ['src', 'scripts/exchange'],
  'test/model': ['src'],
  'test/sim': ['src', 'scripts/command-line', 'bench/workloads', 'test/model'],
  'test/protocol': ['src', 'bench/workloads', 'test/fixtures', 'test/model'],
  'test/contract': ['src', 'bench/workloads', 'test/model', 'test/sim'],
  'test/stress': ['src'],
  'test/replay': [
    ...['src', 'scripts/command-line', 'scripts/audit', 'bench/workloads'],
    ...['test/model', 'test/sim'],
  ],
  'test/fuzz': ['src', 'scripts/command-line', 'bench/workloads', 'test/fixtures', 'test/sim'],
  'test/e2e': [
    ...['src', 'scripts/exchange', 'scripts/chaos', 'scripts/load', 'scripts/siege'],
    ...['bench/workloads', 'test/fixtures'],
  ],
  'test/unit': [
    ...['src', 'scripts/command-line', 'scripts/exchange', 'scripts/audit', 'scripts/load'],
    ...['scripts/siege', 'bench/harness', 'bench/workloads', 'bench/wire', 'bench/tune'],
    ...['test/fixtures', 'test/model', 'test/sim', 'test/protocol', 'test/replay'],
  ],
  test: ['scripts', 'test/fixtures'],
}
/** Package → the one place that may import it. */
const homes: Record<string, RegExp> = {
  'uWebSockets.js': /^src\/gateway\//,
  lmdb: /^src\/journal\//,
  'fast-json-stringify': /^src\/api\/render\//,
  piscina: /^src\/queries\//,
  pino: /^src\/threads\//,
  'prom-client': /^src\/operator\//,
  'smol-toml': /^src\/config\.ts$/,
}
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
  'src/base/clock.ts': 'the clock itself',
  'src/agents/matcher.ts': "the journal's time, and expiry",
  'src/gateway/websocket/connection.ts': 'what a ping says',
  'src/gateway/streams/feeds/feeds.ts': 'windows of tickers',
  'src/gateway/streams/feeds/kline-feed.ts': 'the kline under way',
  'src/gateway/streams/feeds/trade-feeds.ts': 'times of frames',
  'src/gateway/gateway.ts': 'times of events',
  'src/gateway/limits/order-credits.ts': 'intervals of limits, which clients are told',
  'src/gateway/http/rest.ts': 'timestamps of requests, and intervals of limits',
  'src/gateway/server.ts': 'intervals of limits',
  'src/gateway/streams/topics.ts': 'times of frames, and the kline under way',
  'src/gateway/engine-link/trade-seeds.ts': 'the day that a ticker shows',
  'src/gateway/streams/user-streams.ts': 'times of events',
  'src/gateway/websocket/ws-api.ts': 'timestamps of requests, and intervals of limits',
  'src/gateway/websocket/ws-streams.ts': 'times of events',
  'src/liquidity/front-door.ts': 'timestamps of requests',
  'src/operator/clerk.ts': 'times of facts',
  'src/operator/metrics-process.ts': 'when the process began',
  'src/threads/archivist-rounds.ts': 'retention by days, and trading status',
  'src/threads/archivist.thread.ts': 'retention by days, and trading status',
  'src/threads/launch.ts': 'times of facts',
}
const wallClock = /\bDate\.now\b|\bnew Date\(\)|\bnowMs\(\)/

const imports = (file: string) =>
  [...read(file).matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string)
/** The folder under src; of the gateway, its own folders are rooms. A file of src itself is alone. */
function roomOf(file: string): string {
  const [, room = '', inner = ''] = file.split('/')
  return room === 'gateway' && !inner.endsWith('.ts') ? `${room}/${inner}` : room
}
/** Outside src: the folder, or the one above where a file has none of its own. Src is one room. */
function outerRoomOf(file: string): string {
  const [top = '', inner = ''] = file.split('/')
  return top === 'src' || inner.endsWith('.ts') ? top : `${top}/${inner}`
}
/** What a relative import names, from the root. */
const targetOf = (file: string, target: string) =>
  path.normalize(path.join(path.dirname(file), target))

describe('doors', () => {
  const used = new Set<string>()
  const indoors = sources.filter((file) => file.split('/').length > 2)

  test.each(indoors)('%s', (file) => {
    const room = roomOf(file)
    for (const target of imports(file)) {
      if (target.startsWith('.')) {
        const other = roomOf(targetOf(file, target))
        if (other !== room) expect(doors[room], `${target} is no door of ${room}`).toContain(other)
        used.add(`${room} → ${other}`)
      } else if (homes[target] !== undefined) {
        expect(file, `${target} has another home`).toMatch(homes[target])
      }
    }
  })

  const outdoors = files.filter((file) => /^(scripts|bench|test)\/.*\.ts$/.test(file))
  test.each(outdoors)('%s', (file) => {
    const room = outerRoomOf(file)
    for (const target of imports(file).filter((name) => name.startsWith('.'))) {
      const path = targetOf(file, target)
      // The scripts that generate code hold imports of other files as text.
      if (!files.includes(path)) continue
      expect(path, 'tests are not imported').not.toMatch(/\.test\.ts$/)
      const other = outerRoomOf(path)
      if (other === room) continue
      expect(doorsOutside[room], `${target} is no door of ${room}`).toContain(other)
      used.add(`${room} → ${other}`)
    }
  })

  test('every door is used', () => {
    const all = [...Object.entries(doors), ...Object.entries(doorsOutside)]
    const names = all.flatMap(([room, to]) => to.map((door) => `${room} → ${door}`))
    expect(names.filter((name) => !used.has(name))).toEqual([])
  })

  test.each([
    ['src', doors, ['config.ts']],
    ['outside', doorsOutside, ['src']],
  ])('doors of %s lead one way', (_, table, ground) => {
    const above = new Set(ground)
    for (const [room, to] of Object.entries(table)) {
      expect(
        to.filter((door) => !above.has(door)),
        room,
      ).toEqual([])
      above.add(room)
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
    const lines = text.split('\n')
    if (!/\/(operations|errors|schema)/.test(file)) {
      expect(lines.length, 'lines; past 500, look for the seam').toBeLessThanOrEqual(501)
    }
    for (const [index, line] of lines.entries()) {
      const quoted = /['"`]/.test(line)
      if (!quoted) expect(line.length, `${file}:${index + 1} is too long`).toBeLessThanOrEqual(110)
    }
    if (file === 'test/tidy.test.ts') return
    expect(text, 'a reminder was left').not.toMatch(/\b(TODO|FIXME|XXX|HACK)\b/)
    expect(text, 'a check is suppressed').not.toMatch(/@ts-ignore|@ts-expect-error|biome-ignore/)
    if (file.startsWith('src/')) {
      expect(text, 'a file is imported whole').not.toMatch(/import \* as \w+ from '\./)
    }
    expect(text, 'a test is skipped').not.toMatch(/\b(test|describe|it)\.(skip|only|todo)\b/)
  })

  test.each(
    sources.filter((file) => file.startsWith('src/core/')),
  )('%s is deterministic', (file) => {
    const withoutComments = read(file).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    expect(withoutComments).not.toMatch(bannedInCore)
  })

  test('only what is shown or recorded goes by the wall clock; durations are monotonic', () => {
    const readers = sources.filter((file) => wallClock.test(read(file)))
    expect(readers.filter((file) => wallClockReaders[file] === undefined)).toEqual([])
  })

  test('no bags', () => {
    const bag = /(^|[/-])(utils?|helpers?|common|managers?|types)([.-]|\/)/
    expect(files.filter((file) => bag.test(file))).toEqual([])
  })
})

describe('nothing is stale or dead', () => {
  test.each(generated())('%s is what its table says', (file, text) => {
    expect(read(file)).toBe(text)
  })

  test('every source file is reached', () => {
    const reached = new Set<string>()
    for (const file of files.filter((name) => /^(src|bench|scripts|test)\/.*\.ts$/.test(name))) {
      for (const target of imports(file)) {
        if (target.startsWith('#')) reached.add(`src/${target.slice(1)}`)
        else if (target.startsWith('.')) {
          reached.add(path.normalize(path.join(path.dirname(file), target)))
        }
      }
      for (const match of read(file).matchAll(/[\w./-]+\.thread\.(?:ts|js)/g)) {
        reached.add(`src/threads/${path.basename(match[0]).replace(/js$/, 'ts')}`)
      }
    }
    const dead = sources.filter((file) => !reached.has(file) && file !== 'src/main.ts')
    expect(dead).toEqual([])
  })
})

describe('documents', () => {
  const documents = files.filter((file) => /^(README|src\/.*|docs\/.*)\.md$/.test(file))

  test.each(documents)('%s names what exists', (file) => {
    expect(deadNames(file, read(file), files, read)).toEqual([])
  })

  test.each([
    ['README.md', 150],
    ['src/README.md', 130],
  ])('%s has at most %i lines', (file, linesMax) => {
    expect(read(file).trimEnd().split('\n').length).toBeLessThanOrEqual(linesMax)
  })

  test('every promise names its tests', () => {
    const promises = read('docs/promises.md')
      .split(/^\d+\. /m)
      .slice(1)
    expect(promises.length).toBe(read('README.md').match(/^\d+\. /gm)!.length)
    for (const promise of promises) expect(promise).toMatch(/`test\/[\w/-]+\.test\.ts`/)
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
    for (const file of pages) expect(read(file), file).toMatch(/\*\*Cost\.\*\*/)
  })
})
