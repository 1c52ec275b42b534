/**
 * `npm run mutants -- TEST... [--since COMMIT] [--lines FILE:FROM-TO]`: changes the sources in small ways by
 * Stryker, one at a time, and prints which changes no test of the given files finds. Changed are the lines of src
 * that differ from a commit (HEAD unless --since names one), or those that --lines names. TEST is below test/,
 * without `.test.ts`. A command for the author of a change, and no gate: many survivors are equal to what
 * they replace. Stryker is fetched by npm when it is first used, into node_modules/.cache.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'

const STRYKER = '9.6.1'
const FOLDER = path.resolve('node_modules/.cache/mutants')

const { values, positionals: tests } = parseArgs({
  allowPositionals: true,
  options: {
    since: { type: 'string', default: 'HEAD' },
    lines: { type: 'string', multiple: true, default: [] },
  },
})
const missing = tests.find((test) => !existsSync(`test/${test}.test.ts`))
if (tests.length === 0 || missing !== undefined) {
  console.error(missing === undefined ? 'Name a test.' : `There is no test/${missing}.test.ts.`)
  process.exit(1)
}
const mutate = values.lines.length > 0 ? values.lines : changedLines(values.since)
if (mutate.length === 0) {
  console.error(`Nothing in src differs from ${values.since}.`)
  process.exit(1)
}
install()
const vitestConfig = path.join(FOLDER, 'vitest.config.mjs')
const include = tests.map((test) => `test/${test}.test.ts`)
const options = {
  include,
  testTimeout: 120_000,
  pool: 'forks',
  setupFiles: ['test/check-answers.ts'],
}
writeFileSync(vitestConfig, `export default { test: ${JSON.stringify(options)} }\n`)
const config = path.join(FOLDER, 'stryker.json')
const plugin = 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js'
const stryker = {
  mutate,
  testRunner: 'vitest',
  plugins: [path.join(FOLDER, plugin)],
  vitest: { configFile: vitestConfig, related: false },
  reporters: ['clear-text'],
  concurrency: 1,
  ignorePatterns: ['dist', 'docs', 'examples'],
  // Its TypeScript is older than the sources.
  checkers: [],
  tsconfigFile: 'none.json',
  tempDirName: path.join(FOLDER, 'sandbox'),
}
writeFileSync(config, JSON.stringify(stryker))
const program = path.join(FOLDER, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const { status } = spawnSync(process.execPath, [program, 'run', config], { stdio: 'inherit' })
process.exitCode = status ?? 1

/**
 * Returns FILE:FROM-TO of the lines of src that differ from a commit.
 * @param {string} commit
 */
function changedLines(commit) {
  const args = ['diff', '--unified=0', '--no-prefix', commit, '--', 'src']
  const ranges = []
  let file = ''
  for (const line of execFileSync('git', args, { encoding: 'utf8' }).split('\n')) {
    if (line.startsWith('+++ ')) file = line.slice(4)
    const [, from, count = '1'] = /^@@ .* \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (from !== undefined && count !== '0' && /\.tsx?$/.test(file)) {
      ranges.push(`${file}:${from}-${Number(from) + Number(count) - 1}`)
    }
  }
  return ranges
}

function install() {
  const program = path.join(FOLDER, 'node_modules/@stryker-mutator/core/package.json')
  if (existsSync(program) && JSON.parse(readFileSync(program, 'utf8')).version === STRYKER) return
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(path.join(FOLDER, 'package.json'), '{"private":true}')
  const vitest = JSON.parse(readFileSync('node_modules/vitest/package.json', 'utf8')).version
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${STRYKER}`)
  const args = ['install', '--no-audit', '--no-fund', ...packages, `vitest@${vitest}`]
  spawnSync('npm', args, { cwd: FOLDER, stdio: 'inherit' })
}
