/** Which room of src may import which (src/README.md), read from imports. */
import path from 'node:path'

/**
 * Room → rooms it may import. A room imports only rooms above it in the table, so no imports go in a
 * circle. A pair that nothing uses is to be removed.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  base: [],
  config: ['base'],
  market: ['base'],
  sandbox: ['base', 'market'],
  layout: ['base'],
  history: ['base', 'market', 'layout'],
  shared: ['base', 'market', 'sandbox', 'layout'],
  ring: ['base', 'layout'],
  core: ['base', 'market', 'history', 'layout'],
  journal: ['base', 'layout'],
  replica: ['base', 'layout', 'journal'],
  archive: ['base', 'market', 'history', 'layout', 'journal'],
  api: ['base', 'market', 'sandbox', 'history', 'layout', 'core'],
  'gateway/limits': ['base', 'market', 'layout', 'shared', 'api'],
  'gateway/authentication': ['base', 'market', 'api', 'gateway/limits'],
  'gateway/streams': ['base', 'market', 'sandbox', 'history', 'layout', 'shared', 'core', 'api'],
  'gateway/engine-link': [
    ...['base', 'market', 'sandbox', 'history', 'layout', 'shared', 'ring', 'core', 'api'],
    ...['gateway/limits', 'gateway/streams'],
  ],
  pipeline: [
    ...['base', 'market', 'sandbox', 'shared', 'api'],
    ...['gateway/limits', 'gateway/authentication', 'gateway/engine-link'],
  ],
  'gateway/http': [
    ...['base', 'shared', 'api'],
    ...['gateway/limits', 'gateway/authentication', 'pipeline'],
  ],
  'gateway/sessions': [
    ...['base', 'api', 'gateway/limits', 'gateway/authentication', 'gateway/streams'],
    ...['gateway/engine-link', 'pipeline'],
  ],
  'gateway/websocket': [
    ...['base', 'market', 'shared', 'api'],
    ...['gateway/limits', 'gateway/authentication', 'gateway/streams', 'gateway/engine-link'],
    ...['pipeline', 'gateway/sessions'],
  ],
  gateway: [
    ...['base', 'market', 'sandbox', 'history', 'layout', 'shared', 'ring', 'core', 'api'],
    ...['gateway/limits', 'gateway/authentication', 'gateway/streams', 'gateway/engine-link'],
    ...['pipeline', 'gateway/http', 'gateway/websocket'],
  ],
  queries: ['base', 'market', 'history', 'shared', 'journal', 'archive', 'api'],
  liquidity: ['base', 'config'],
  telemetry: ['base', 'journal', 'ring', 'shared'],
  control: [
    ...[
      'base',
      'config',
      'market',
      'sandbox',
      'shared',
      'ring',
      'core',
      'journal',
      'replica',
      'telemetry',
    ],
  ],
  agents: [
    ...[
      'base',
      'config',
      'market',
      'sandbox',
      'history',
      'layout',
      'shared',
      'ring',
      'core',
      'journal',
    ],
    ...['replica', 'archive', 'pipeline'],
    ...['gateway', 'gateway/limits', 'gateway/streams', 'gateway/engine-link'],
    ...['liquidity', 'control'],
  ],
  'admin-api': ['base', 'journal', 'ring', 'shared', 'telemetry', 'control'],
  console: ['base', 'api', 'control', 'admin-api'],
  cli: ['base', 'config', 'market', 'journal', 'replica', 'archive', 'agents', 'control'],
  workers: [
    ...['base', 'config', 'sandbox', 'shared', 'ring', 'journal', 'agents', 'api', 'gateway'],
    ...['gateway/limits', 'gateway/http', 'queries', 'liquidity', 'control'],
  ],
  assembly: [
    ...[
      'base',
      'config',
      'market',
      'sandbox',
      'shared',
      'ring',
      'core',
      'journal',
      'replica',
      'archive',
    ],
    ...['agents', 'api', 'gateway', 'gateway/limits', 'gateway/streams', 'queries', 'liquidity'],
    ...['telemetry', 'control', 'admin-api', 'workers'],
  ],
}

/** Pairs of rooms; the first imports types alone: nothing of the other runs in a page. */
const typesOnly: readonly string[] = ['api', 'control', 'admin-api'].map((it) => `console → ${it}`)

/** Rooms are the folders of src; gateway's own folders are rooms too. Undefined for src/main.ts and files elsewhere. */
function roomOf(file: string): string | undefined {
  const [top, room = '', inner = ''] = file.split('/')
  if (top !== 'src' || inner === '') return undefined
  return room === 'gateway' && !inner.endsWith('.ts') ? `${room}/${inner}` : room
}

/** The names of what a file's text imports, packages and files. */
export const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?<!['\w])(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    (match) => match[1] as string,
  )

/** The names of imports that are not of types alone. */
const valuesOf = (text: string): string[] =>
  importsOf(text.replace(/^(?:import|export) type [^;]*? from '[^']+'$/gm, ''))

/** The files of the project that a file imports. */
export const importedFiles = (file: string, text: string): string[] =>
  filesOf(file, importsOf(text))

const filesOf = (file: string, targets: readonly string[]): string[] =>
  targets
    .filter((target) => target.startsWith('.'))
    .map((target) => path.posix.join(path.posix.dirname(file), target))

/** Pairs of rooms that files import by, and imports that the table does not allow. */
export function readRooms(texts: ReadonlyMap<string, string>): {
  readonly used: ReadonlySet<string>
  readonly refused: readonly string[]
} {
  const used = new Set<string>()
  const refused: string[] = []
  for (const [file, text] of texts) {
    const room = roomOf(file)
    if (room === undefined) continue
    const values = new Set(filesOf(file, valuesOf(text)))
    for (const target of importedFiles(file, text)) {
      const other = roomOf(target)
      if (other === room) continue
      const pair = `${room} → ${other}`
      const isAllowed = other !== undefined && rooms[room]?.includes(other)
      if (isAllowed && !(typesOnly.includes(pair) && values.has(target))) used.add(pair)
      else refused.push(`${file}: ${target}`)
    }
  }
  return { used, refused }
}

/** src ← scripts ← bench ← test: imports of files outside src that lead the other way. */
const ORDER = ['src', 'scripts', 'bench', 'test']
export const importsBackwards = (texts: ReadonlyMap<string, string>): readonly string[] =>
  [...texts].flatMap(([file, text]) =>
    importedFiles(file, text)
      .filter((target) => ORDER.indexOf(topOf(target)) > ORDER.indexOf(topOf(file)))
      .map((target) => `${file}: ${target}`),
  )
const topOf = (file: string): string => file.slice(0, file.indexOf('/'))

/** Files that import each other in a circle, of each circle that a walk meets first; types count too. */
export function importCycles(texts: ReadonlyMap<string, string>): readonly string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const way: string[] = []
  const visit = (file: string): void => {
    if (done.has(file)) return
    const begin = way.indexOf(file)
    if (begin !== -1) {
      cycles.push([...way.slice(begin), file].join(' → '))
      return
    }
    way.push(file)
    for (const target of importedFiles(file, texts.get(file) ?? '')) visit(target)
    way.pop()
    done.add(file)
  }
  for (const file of texts.keys()) visit(file)
  return cycles
}

/** A file that is imported when its name is met, as a separate program. */
const LATE_IMPORT = /\bimport\('(\.[^']+\.ts)'\)/g
/** A variable of a file, or a table in it that is filled later. */
const STATE =
  /^(?:export )?(?:let\b|const \w+(?::[^=]*)? = new (?:Weak)?(?:Map|Set)(?:<[\s\S]*?>)?\(\))/m

/**
 * Files that keep something, and are in two programs of one process: in one that imports the other at run
 * time. Each is bundled alone (scripts/build.mjs), so neither would see what the other's keeps.
 */
export function statesKeptTwice(texts: ReadonlyMap<string, string>): readonly string[] {
  const textOf = (file: string) => texts.get(file) ?? ''
  const lateOf = (file: string) =>
    filesOf(
      file,
      [...textOf(file).matchAll(LATE_IMPORT)].map(([, target]) => target!),
    )
  const programOf = (file: string) =>
    reachedFrom([file], (one) => filesOf(one, valuesOf(textOf(one).replaceAll(LATE_IMPORT, ''))))
  return [...texts.keys()].flatMap((file) => {
    const late = reachedFrom(lateOf(file), (other) => [...programOf(other)].flatMap(lateOf))
    if (late.size === 0) return []
    const own = [...programOf(file)].filter((kept) => STATE.test(textOf(kept)))
    return [...late].flatMap((other) => {
      const others = programOf(other)
      return own.filter((kept) => others.has(kept)).map((kept) => `${file}, ${other}: ${kept}`)
    })
  })
}

function reachedFrom(
  files: readonly string[],
  next: (file: string) => readonly string[],
): ReadonlySet<string> {
  const reached = new Set(files)
  for (const file of reached) for (const other of next(file)) reached.add(other)
  return reached
}
