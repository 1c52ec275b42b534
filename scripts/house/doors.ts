/** Which room may import which: src/README.md shows the rooms of src. */
import path from 'node:path'

/** Room → rooms it may import. */
export type Doors = Readonly<Record<string, readonly string[]>>

/**
 * Room → rooms it may import (src/README.md). A door leads to a room that stands above it in the table,
 * so no imports go in a circle. A door that nothing uses fails too.
 */
const insideDoors: Doors = {
  base: [],
  config: ['base'],
  market: ['base'],
  layout: ['base'],
  history: ['base', 'market', 'layout'],
  shared: ['base', 'layout'],
  ring: ['base', 'layout'],
  core: ['base', 'market', 'history', 'layout'],
  journal: ['base', 'layout'],
  replica: ['base', 'layout', 'journal'],
  archive: ['base', 'market', 'history', 'layout', 'journal'],
  agents: [
    ...['base', 'market', 'history', 'layout', 'shared', 'ring', 'core', 'journal', 'archive'],
  ],
  api: ['base', 'market', 'history', 'layout', 'core'],
  'gateway/limits': ['base', 'layout', 'shared', 'api'],
  'gateway/authentication': ['base', 'market', 'shared', 'api', 'gateway/limits'],
  'gateway/streams': ['base', 'market', 'history', 'layout', 'shared', 'core', 'api'],
  'gateway/engine-link': [
    ...['base', 'market', 'history', 'layout', 'shared', 'ring', 'core', 'api'],
    ...['gateway/limits', 'gateway/streams'],
  ],
  'gateway/requests': [
    ...['base', 'shared', 'api'],
    ...['gateway/limits', 'gateway/authentication', 'gateway/engine-link'],
  ],
  'gateway/http': [
    ...['base', 'shared', 'api'],
    ...['gateway/limits', 'gateway/authentication', 'gateway/requests'],
  ],
  'gateway/websocket': [
    ...['base', 'market', 'shared', 'api'],
    ...['gateway/limits', 'gateway/authentication', 'gateway/streams', 'gateway/engine-link'],
    'gateway/requests',
  ],
  gateway: [
    ...['base', 'market', 'history', 'layout', 'shared', 'ring', 'core', 'api'],
    ...['gateway/limits', 'gateway/authentication', 'gateway/streams', 'gateway/engine-link'],
    ...['gateway/requests', 'gateway/http', 'gateway/websocket'],
  ],
  queries: ['base', 'market', 'history', 'shared', 'journal', 'archive', 'api'],
  console: [],
  liquidity: ['base', 'config'],
  telemetry: ['base', 'journal', 'ring', 'shared'],
  control: [
    ...['base', 'config', 'market', 'shared', 'ring', 'core', 'journal', 'replica', 'telemetry'],
  ],
  'admin-api': ['base', 'journal', 'ring', 'shared', 'telemetry', 'control'],
  cli: ['base', 'config', 'journal', 'replica', 'control'],
  threads: [
    ...['base', 'market', 'shared', 'ring', 'core', 'journal', 'replica', 'archive', 'agents'],
    'api',
    ...['gateway', 'gateway/limits', 'gateway/streams', 'gateway/engine-link', 'gateway/http'],
    'queries',
    ...['liquidity', 'config', 'telemetry', 'control', 'admin-api'],
  ],
}
/**
 * The same for what is outside src: src ← scripts ← bench ← test. A room is a folder, or the files of
 * `scripts`, `bench` or `test` themselves. All of src is one room to them.
 */
const outsideDoors: Doors = {
  'scripts/command-line': ['src'],
  'scripts/exchange': ['src'],
  'scripts/audit': ['src', 'scripts/command-line'],
  'scripts/postgres': ['scripts/exchange'],
  'scripts/chaos': ['src', 'scripts/exchange', 'scripts/audit', 'scripts/postgres'],
  'scripts/load': ['src', 'scripts/command-line'],
  'scripts/siege': ['src', 'scripts/load'],
  'scripts/soak': ['src', 'scripts/exchange', 'scripts/load', 'scripts/siege'],
  'scripts/house': [],
  'scripts/benchmarks': [],
  'scripts/differences': ['src'],
  'scripts/api-pages': ['src'],
  scripts: [
    ...['src', 'scripts/command-line', 'scripts/exchange', 'scripts/audit', 'scripts/chaos'],
    ...['scripts/load', 'scripts/siege', 'scripts/soak', 'scripts/house', 'scripts/benchmarks'],
    ...['scripts/differences', 'scripts/api-pages'],
  ],
  'scripts/site': ['src', 'scripts/api-pages', 'scripts'],
  'bench/harness': ['src', 'scripts/command-line'],
  'bench/workloads': ['src'],
  'bench/wire': ['src', 'bench/harness', 'bench/workloads'],
  'bench/micro': ['src', 'scripts/postgres', 'bench/harness', 'bench/workloads', 'bench/wire'],
  'bench/members': ['scripts/exchange', 'scripts/postgres', 'bench/harness', 'bench/wire'],
  'bench/console': ['src', 'scripts/command-line', 'scripts/exchange', 'bench/harness'],
  'bench/tune': [
    'scripts/command-line',
    'scripts/load',
    'bench/harness',
    'bench/micro',
    'bench/wire',
  ],
  bench: [
    ...[
      'scripts/command-line',
      'scripts/benchmarks',
      'bench/harness',
      'bench/micro',
      'bench/wire',
      'bench/members',
    ],
    'bench/console',
    'bench/tune',
  ],
  'test/fixtures': ['src', 'scripts/exchange', 'bench/workloads'],
  'test/model': ['src'],
  'test/sim': ['src', 'scripts/command-line', 'bench/workloads', 'test/model'],
  'test/protocol': ['src', 'bench/workloads', 'test/fixtures', 'test/model'],
  'test/contract': ['src', 'bench/workloads', 'test/model', 'test/sim'],
  'test/stress': ['src', 'scripts/postgres', 'scripts/chaos', 'bench/workloads'],
  'test/replay': [
    ...['src', 'scripts/command-line', 'scripts/audit', 'bench/workloads'],
    ...['test/model', 'test/sim'],
  ],
  'test/fuzz': ['src', 'scripts/command-line', 'bench/workloads', 'test/fixtures', 'test/sim'],
  'test/e2e': [
    ...['src', 'scripts/exchange', 'scripts/chaos', 'scripts/load', 'scripts/siege'],
    ...['scripts/soak', 'scripts/api-pages', 'bench/workloads', 'test/fixtures'],
  ],
  'test/replica': [
    ...['src', 'scripts/exchange', 'scripts/postgres', 'test/fixtures', 'test/model', 'test/e2e'],
  ],
  'test/browser': ['scripts/exchange'],
  'test/attribute': [...['scripts/command-line', 'scripts/exchange', 'test/e2e', 'test/fixtures']],
  'test/unit': [
    ...['src', 'scripts/command-line', 'scripts/exchange', 'scripts/audit', 'scripts/load'],
    ...[
      'scripts/siege',
      'scripts/soak',
      'scripts/house',
      'scripts/differences',
      'bench/harness',
      'bench/workloads',
      'bench/wire',
      'bench/tune',
    ],
    ...['test/fixtures', 'test/model', 'test/sim', 'test/protocol', 'test/replay'],
  ],
  'test/runner': [],
  test: ['src', 'scripts', 'scripts/house', 'scripts/api-pages', 'test/fixtures', 'test/runner'],
}

/** A table of doors, and what stands below all of its rooms. */
export interface DoorTable {
  readonly doors: Doors
  readonly ground: readonly string[]
  /** The room of a file of the table; undefined for files that other tables have. */
  roomOf(file: string): string | undefined
  /** The room of a file that one of the table's files imports. */
  targetOf(file: string): string
}

/** The folder under src; of the gateway, its own folders are rooms. A file of src itself is alone. */
function insideRoomOf(file: string): string {
  const [, room = '', inner = ''] = file.split('/')
  return room === 'gateway' && !inner.endsWith('.ts') ? `${room}/${inner}` : room
}

/** Outside src: the folder, or the one above where a file has none of its own. Src is one room. */
function outsideRoomOf(file: string): string {
  const [top = '', inner = ''] = file.split('/')
  return top === 'src' || inner.endsWith('.ts') ? top : `${top}/${inner}`
}

export const tables: readonly DoorTable[] = [
  {
    doors: insideDoors,
    ground: [],
    roomOf: (file) => (/^src\/.*\/.*\.tsx?$/.test(file) ? insideRoomOf(file) : undefined),
    targetOf: insideRoomOf,
  },
  {
    doors: outsideDoors,
    ground: ['src'],
    roomOf: (file) =>
      /^(scripts|bench|test)\/.*\.ts$/.test(file) ? outsideRoomOf(file) : undefined,
    targetOf: outsideRoomOf,
  },
]

/** The names of what a file's text imports, packages and files. */
export const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string)

/** The path that a relative import means, from the project's folder. */
export const pathOf = (file: string, target: string): string =>
  path.posix.normalize(path.posix.join(path.posix.dirname(file), target))

export interface DoorReport {
  /** Doors that imports go through, as `room → room`. */
  readonly used: readonly string[]
  readonly unused: readonly string[]
  /** Imports that no door is there for, as `file: target`. */
  readonly shut: readonly string[]
}

/** Checks the imports of all files, given by path with their text. */
export function readDoors(files: ReadonlyMap<string, string>, of = tables): DoorReport {
  const used = new Set<string>()
  const shut: string[] = []
  for (const [file, text] of files) {
    const table = of.find(({ roomOf }) => roomOf(file) !== undefined)
    if (table === undefined) continue
    const room = table.roomOf(file)!
    for (const target of importsOf(text)) {
      if (!target.startsWith('.')) continue
      const path = pathOf(file, target)
      const other = table.targetOf(path)
      // Scripts that generate code hold imports of other files as text.
      if (other === room || !files.has(path)) continue
      const isDoor = table.doors[room]?.includes(other) && !path.endsWith('.test.ts')
      if (isDoor) used.add(`${room} → ${other}`)
      else shut.push(`${file}: ${target}`)
    }
  }
  const all = of.flatMap(({ doors }) =>
    Object.entries(doors).flatMap(([room, to]) => to.map((door) => `${room} → ${door}`)),
  )
  return { used: [...used], unused: all.filter((door) => !used.has(door)), shut }
}
