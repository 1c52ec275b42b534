/**
 * Builds what has changed: writes the sources that are made from tables (generate-sources.ts), checks types
 * with tsc, and bundles each program, with all files that it imports, into one file of dist/ at the same path. Packages and modules of Node.js stay outside.
 * V8 reads an imported name again at each use: in several files, one each or as rolldown splits them, a
 * command takes 23 % more instructions (`npm run bench -- instructions`). With fields that are defined,
 * not assigned as tsconfig.json has it, 30 % more, and in the book alone 60 %.
 *
 *   node scripts/build.mjs [--untyped | --sources] [FOLDER ...]
 *
 * With folders it bundles only their programs (src, bench, ...). With --untyped it does not check types.
 * With --sources it ends once the sources are written, which takes a fifth of a second if none has changed.
 *
 * src/console runs in browsers: it has its own types, and build-console.mjs bundles it. The documents
 * become pages by build-docs.mjs.
 *
 * Plain JavaScript, because it runs before anything is built. dist/.build.json keeps what the last
 * build read and made.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildConsole } from './build-console.mjs'
import { buildDeclarations } from './build-declarations.mjs'
import { buildDocs, DOCS_MAKER, DOCS_OUTPUT, digestOfDocs } from './build-docs.mjs'

/** Files that are started by name. A file that a program imports by import() is a program too. */
const PROGRAMS = [
  /^src\/(main|index|embedded|sbe)\.ts$/,
  /^src\/.*\.thread\.ts$/,
  /^scripts\/(chaos|export|generate|load|siege|soak|verify-journal)\.ts$/,
  /^scripts\/siege\/(generator|sink)\.ts$/,
  /^scripts\/load\/watch\.thread\.ts$/,
  /^scripts\/site\/site\.ts$/,
  /^bench\/(main|tune)\.ts$/,
  /^bench\/console\/market-mover\.ts$/,
  /^bench\/micro\/\w+-peer\.ts$/,
  /^bench\/wire\/(assembled|hello|publisher|recovery-peer)\.ts$/,
  /^test\/(e2e\/record-layout|fuzz\/fuzz|recording\/record|replay\/power|sim\/sim)\.ts$/,
  /^test\/stress\/\w+-worker\.ts$/,
  /^test\/replay\/(file-acts|store-writer|damage\/cells)\.ts$/,
  // Each test file of a built exchange loads it.
  /^test\/fixtures\/answer-shapes\.ts$/,
]
/**
 * Programs of a start. V8 compiles them at the build (src/base/compiled-program.ts), as CommonJS, which it can run
 * from code; in place of each stands a module that loads it.
 */
const COMPILED = /^src\/(assembly\/run|.*\.thread)\.ts$/
const LOADER = 'src/base/compiled-program.ts'
const COMPILER = 'src/workers/compile-programs.ts'
const FOLDERS = ['src', 'bench', 'scripts', 'test']
const SOURCES_MAKER = 'scripts/generate-sources.ts'
const GENERATED = /\.gen\.\w+$/
/** A change in one of these builds everything again. */
const TOOLS = [
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/build-console.mjs',
  'scripts/build-docs.mjs',
  'tsconfig.json',
]
/** Read by tsc in turn. */
const TYPE_PROJECTS = ['tsconfig.json', 'src/console/tsconfig.json']
const CONSOLE = 'src/console/'
const STATE = 'dist/.build.json'
/** Bundles under way at a time. */
const BUNDLERS = 4

/** @typedef {{ mtimeMs: number, size: number, digest: string }} SourceFile */
/** @typedef {{ inputs: string[], imports: string[], digest: string }} Program */
/** @typedef {Record<string, SourceFile>} SourceFiles */
/**
 * @typedef {{ files: SourceFiles, programs: Record<string, Program>, sources: string, types: string,
 * console: string, docs: string }} State
 */

process.chdir(path.resolve(import.meta.dirname, '..'))
const args = process.argv.slice(2)
const isTyped = !args.includes('--untyped')
const TSC = 'node_modules/typescript/bin/tsc'
/** Whether types can be checked: `npm ci --omit=dev` leaves tsc out. */
const hasTypescript = fs.existsSync(TSC)
const named = args.filter((arg) => !arg.startsWith('--'))
const folders = named.length > 0 ? named : FOLDERS
const last = readState()
let files = readFiles(last.files)
const programs = Object.fromEntries(
  Object.entries(last.programs).filter(([name]) => files[name] !== undefined),
)
const sources = await makeSources()
if (args.includes('--sources')) {
  if (sources !== last.sources) writeState({ ...last, files, programs, sources })
  process.exit()
}
const types = digestOf(Object.keys(files))
const beganMs = Date.now()
const isShown = process.stdout.isTTY && isTyped && types !== last.types
if (isShown) process.stdout.write('Building Ringbook; the first build takes up to a minute …\n')

const consoleNames = Object.keys(files).filter((name) => name.startsWith(CONSOLE))
const consoleFiles = digestOf(consoleNames)
const isConsoleBuilt =
  consoleNames.length === 0 ||
  (consoleFiles === last.console && fs.existsSync('dist/src/console/index.html'))

buildDeclarations()
const [areTypesRight, [built, docs]] = await Promise.all([
  !isTyped || !hasTypescript || types === last.types || checkTypes(),
  bundleAndDocument(),
  isConsoleBuilt || buildConsole(),
])
if (
  built.length > 0 ||
  sources !== last.sources ||
  types !== last.types ||
  !isConsoleBuilt ||
  docs !== last.docs
) {
  removeStrangers()
  const checked = isTyped && hasTypescript ? types : last.types
  writeState({
    ...{ files, programs, sources, types: areTypesRight ? checked : '' },
    ...{ console: consoleFiles, docs },
  })
}
if (!areTypesRight) process.exitCode = 1
else if (isShown)
  process.stdout.write(`Built in ${((Date.now() - beganMs) / 1000).toFixed(1)} s.\n`)

/** @returns {State} */
function readState() {
  try {
    return JSON.parse(fs.readFileSync(STATE, 'utf8'))
  } catch {
    return { files: {}, programs: {}, sources: '', types: '', console: '', docs: '' }
  }
}

/**
 * Reads a file only if its time or size is not what it was.
 *
 * @param {SourceFiles} known
 * @returns {SourceFiles}
 */
function readFiles(known) {
  const names = FOLDERS.filter((folder) => fs.existsSync(folder)).flatMap((folder) =>
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => path.posix.join(folder, name))
      .filter(
        (name) =>
          name.endsWith('.ts') ||
          GENERATED.test(name) ||
          (name.startsWith(CONSOLE) && /\.\w+$/.test(name)),
      ),
  )
  return Object.fromEntries(
    [...names, ...TOOLS].sort().map((name) => {
      const { mtimeMs, size } = fs.statSync(name)
      const before = known[name]
      if (before?.mtimeMs === mtimeMs && before.size === size) return [name, before]
      const digest = createHash('sha256').update(fs.readFileSync(name)).digest('hex')
      return [name, { mtimeMs, size, digest }]
    }),
  )
}

/**
 * Returns the digest of these files and the tools. Another version of Node.js needs other code.
 *
 * @param {readonly string[]} names
 */
function digestOf(names) {
  const hash = createHash('sha256').update(process.version)
  for (const name of [...TOOLS, ...names]) hash.update(`${name} ${files[name]?.digest}\n`)
  return hash.digest('hex')
}

/**
 * Writes the generated sources that are not what their tables say, and removes others of that name. Returns the
 * digest of them and of what makes them.
 */
async function makeSources() {
  if (files[SOURCES_MAKER] === undefined) return ''
  if (!isUpToDate(SOURCES_MAKER)) programs[SOURCES_MAKER] = await bundleProgram(SOURCES_MAKER)
  const digest = () =>
    digestOf([...maker.inputs, ...Object.keys(files).filter((it) => GENERATED.test(it))])
  const maker = programs[SOURCES_MAKER]
  if (digest() === last.sources) return last.sources
  const { generatedSources } = await import(pathToFileURL(outputOf(SOURCES_MAKER)).href)
  /** @type {Map<string, string>} */
  const made = new Map(generatedSources())
  for (const [name, text] of made) {
    if (fs.existsSync(name) && fs.readFileSync(name, 'utf8') === text) continue
    fs.mkdirSync(path.dirname(name), { recursive: true })
    // In one step: a test may be reading it.
    fs.writeFileSync(`${name}.new`, text)
    fs.renameSync(`${name}.new`, name)
  }
  for (const name of Object.keys(files)) {
    if (GENERATED.test(name) && !made.has(name)) fs.rmSync(name)
  }
  files = readFiles(files)
  return digest()
}

/** @returns {Promise<boolean>} */
async function checkTypes() {
  fs.mkdirSync('dist', { recursive: true })
  let areRight = true
  const projects = TYPE_PROJECTS.filter((project) => fs.existsSync(project))
  for (const project of projects) areRight = (await checkProject(project)) && areRight
  return areRight
}

/**
 * @param {string} project
 * @returns {Promise<boolean>}
 */
function checkProject(project) {
  return runNode([TSC, '--project', project])
}

/**
 * @param {readonly string[]} words
 * @returns {Promise<boolean>}
 */
function runNode(words) {
  const child = spawn(process.execPath, words, { stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code === 0))
  })
}

/**
 * Bundles programs, then makes the pages of the documents where what they are made from has changed.
 * Returns the names of the programs, and the digest of the pages.
 *
 * @returns {Promise<[string[], string]>}
 */
async function bundleAndDocument() {
  const bundled = await bundle()
  // Tables may not hold before files are generated from them.
  if (!isTyped || files[DOCS_MAKER] === undefined) return [bundled, last.docs]
  const digest = `${programs[DOCS_MAKER]?.digest} ${consoleFiles} ${digestOfDocs()}`
  if (digest !== last.docs || !fs.existsSync(DOCS_OUTPUT)) await buildDocs()
  return [bundled, digest]
}

/** Bundles the programs that are not up to date. Returns their names. */
async function bundle() {
  const queue = Object.keys(files).filter(
    (name) =>
      (name === DOCS_MAKER || folders.some((folder) => name.startsWith(`${folder}/`))) &&
      PROGRAMS.some((program) => program.test(name)),
  )
  /** @type {string[]} */
  const stale = []
  const seen = new Set()
  const work = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      if (seen.has(name)) continue
      seen.add(name)
      if (!isUpToDate(name)) {
        stale.push(name)
        programs[name] = await bundleProgram(name)
      }
      queue.push(...(programs[name]?.imports ?? []))
    }
  }
  await Promise.all(Array.from({ length: BUNDLERS }, work))
  const compiled = stale.includes(COMPILER) ? [...seen] : stale
  const uncompiled = compiled.filter(isCompiled).map(codeFileOf)
  if (uncompiled.length > 0 && !(await runNode([outputOf(COMPILER), ...uncompiled])))
    throw new Error('The programs of a start were not compiled.')
  return stale
}

/** @param {string} name */
function isUpToDate(name) {
  const program = programs[name]
  return program?.digest === digestOf(program?.inputs ?? []) && fs.existsSync(outputOf(name))
}

/** @param {string} name */
function outputOf(name) {
  return `dist/${name.replace(/\.ts$/, '.js')}`
}

/** @param {string} name */
function isCompiled(name) {
  return COMPILED.test(name) && files[COMPILER] !== undefined
}

/** @param {string} name */
function codeFileOf(name) {
  return outputOf(name).replace(/js$/, 'cjs')
}

/**
 * @param {string} name
 * @returns {Promise<Program>}
 */
async function bundleProgram(name) {
  const { rolldown } = await import('rolldown')
  /** @type {Set<string>} */
  const imports = new Set()
  const bundler = await rolldown({
    input: name,
    platform: 'node',
    external: /^(?!.*\.ts$)/,
    tsconfig: 'tsconfig.json',
    // A package that a program does not use is not loaded: lmdb takes 50 ms.
    treeshake: { moduleSideEffects: 'no-external' },
    // How long plugins took does not matter to a user who waits for `npm start` on a busy machine.
    checks: { bundlerTimings: false },
    plugins: [
      {
        name: 'programs',
        // A file that is imported at run time is another program's: only its name stays. With all in
        // one file `ringbook help` takes an eighth more of a processor, and loads every package.
        resolveId(source, importer, { kind }) {
          if (kind !== 'dynamic-import' || !source.endsWith('.ts')) return null
          const target = path.join(path.relative('.', path.dirname(importer ?? '')), source)
          imports.add(target)
          const from = path.relative(path.dirname(name), target).replace(/\.ts$/, '.js')
          return { id: from.startsWith('.') ? from : `./${from}`, external: true }
        },
      },
    ],
  })
  if (isCompiled(name)) imports.add(LOADER).add(COMPILER)
  const { output } = await bundler
    .write({
      file: isCompiled(name) ? codeFileOf(name) : outputOf(name),
      format: isCompiled(name) ? 'cjs' : 'esm',
      codeSplitting: false,
      sourcemap: true,
      sourcemapExcludeSources: true,
      // A fifth of what V8 would read at each start.
      comments: false,
    })
    .finally(() => bundler.close())
  if (isCompiled(name)) writeLoader(name, output[0].exports)
  if (output[0].code.startsWith('#!')) fs.chmodSync(outputOf(name), 0o755)
  const inputs = output[0].moduleIds.map((id) => path.relative('.', id)).sort()
  return { inputs, imports: [...imports], digest: digestOf(inputs) }
}

/**
 * @param {string} name
 * @param {readonly string[]} exported
 */
function writeLoader(name, exported) {
  const [file, loader] = [codeFileOf(name), outputOf(LOADER)]
  const lines = [
    `import { loadProgram } from '${path.posix.relative(path.dirname(file), loader)}'`,
    `const program = loadProgram(import.meta.dirname + '/${path.basename(file)}')`,
    ...exported.map((it) =>
      it === 'default' ? 'export default program' : `export const { ${it} } = program`,
    ),
  ]
  fs.writeFileSync(outputOf(name), `${lines.join('\n')}\n`)
}

/** Removes programs that are no longer built. */
function removeStrangers() {
  const outputs = new Set(Object.keys(programs).map(outputOf))
  for (const name of fs.readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
    const file = path.posix.join('dist', name)
    if (file.startsWith(`dist/${CONSOLE}`) || file.startsWith(`${DOCS_OUTPUT}/`)) continue
    const program = file.replace(/\.c?js(\.map|\.code)?$/, '.js')
    if (program.endsWith('.js') && !outputs.has(program)) fs.rmSync(file)
  }
}

/** @param {State} state */
function writeState(state) {
  fs.writeFileSync(`${STATE}.new`, JSON.stringify(state))
  fs.renameSync(`${STATE}.new`, STATE)
}
