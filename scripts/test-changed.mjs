/**
 * `npm run test:changed [-- FILE...]`: runs the unit tests nearest to what differs from HEAD, or to the given files,
 * and names the tests it left out. Near is a test that differs itself, then one that imports a changed file, then one
 * that imports it through another. Unit tests run from the sources, so nothing is built.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Files of tests of one run: an answer within seconds. */
const FILES = 6
/** Imports between a changed file and a test that is near. */
const NEAR = 2
const UNIT = /^test\/(?:(?:contract|protocol|runner|unit)\/.*|[\w-]+)\.test\.ts$/
const SIMULATORS = /^test\/sim\/.*\.test\.ts$/
const IMPORT = /(?<!['\w])(?:from|import)\s*\(?\s*'(\.[^']+)'/g

const git = (/** @type {string[]} */ ...words) =>
  execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean)
const given = process.argv.slice(2)
const changed =
  given.length > 0
    ? given
    : [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '-o', '--exclude-standard')]
const missing = given.find((name) => !existsSync(name))
if (missing !== undefined) {
  console.error(`There is no ${missing}.`)
  process.exit(1)
}
const distances = distancesFrom(changed.filter((name) => /\.tsx?$/.test(name)))
const reached = [...distances].filter(([name]) => name.endsWith('.test.ts'))
const units = reached
  .filter(([name]) => UNIT.test(name))
  .sort(([a, near], [b, far]) => near - far || a.localeCompare(b))
const run = units.filter(([, distance]) => distance <= NEAR).slice(0, FILES)
const simulators = reached.filter(([name]) => SIMULATORS.test(name))

if (run.length === 0) console.log('No unit test is near to what has changed.')
else runTests(run.map(([name]) => name))
const further = units.length - run.length
if (further > 0) console.log(`${further} unit tests further away: npm test`)
if (simulators.length > 0)
  console.log(`Simulators: npm run sim -- --minutes 1 (${names(simulators)})`)
const whole = reached.filter(([name]) => !UNIT.test(name) && !SIMULATORS.test(name))
if (whole.length > 0) console.log(`Tests that import it and start an exchange: ${names(whole)}`)
if (distances.size > 0)
  console.log('Those that start a built exchange: npm test, npm run test:long')

/**
 * By file, how many imports lead from it to the nearest changed file.
 *
 * @param {string[]} from
 * @returns {Map<string, number>}
 */
function distancesFrom(from) {
  const importers = readImporters()
  const found = new Map(from.map((name) => [name, 0]))
  for (const [name, distance] of found) {
    for (const importer of importers.get(name) ?? []) {
      if (!found.has(importer)) found.set(importer, distance + 1)
    }
  }
  return found
}

/** @returns {Map<string, string[]>} */
function readImporters() {
  /** @type {Map<string, string[]>} */
  const importers = new Map()
  for (const folder of ['src', 'scripts', 'bench', 'test']) {
    for (const inner of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const name = path.posix.join(folder, inner)
      if (!/\.tsx?$/.test(name)) continue
      for (const [, target] of readFileSync(name, 'utf8').matchAll(IMPORT)) {
        const imported = path.posix.join(path.posix.dirname(name), String(target))
        const known = importers.get(imported)
        if (known === undefined) importers.set(imported, [name])
        else known.push(name)
      }
    }
  }
  return importers
}

/** @param {string[]} files */
function runTests(files) {
  const words = ['vitest', 'run', '--config', 'test/vitest.config.ts', '--project', 'unit']
  const { status } = spawnSync('npx', [...words, ...files], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}

/** @param {[string, number][]} tests */
function names(tests) {
  const shown = tests.map(([name]) => path.posix.basename(name, '.test.ts'))
  return shown.length > 8
    ? `${shown.slice(0, 8).join(', ')} and ${shown.length - 8} more`
    : shown.join(', ')
}
