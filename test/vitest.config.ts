/**
 * `npm test` runs every room, and one of each kind of whole exchange, in minutes. `npm run test:long` runs long: more
 * seeds, kills, browsers, PostgreSQL, each walk through the documents. `npm run test:night` runs night: planted
 * defects, sieges, soaks, every bench, every layout. Nothing is tried twice.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { FailedFiles } from './runner/failed-files.ts'
import { SlowFirst } from './runner/slow-first.ts'
import { Unfinished } from './runner/unfinished.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
// Many tests import the sources. They need no build, but the files that it makes from tables.
execFileSync(process.execPath, [`${root}scripts/build.mjs`, '--sources'], { stdio: 'inherit' })

/** Simulators, each of which `npm test` runs on few seeds. */
const simulators = ['test/sim/*.test.ts', 'test/sim/exchange/*.test.ts']
/** For `npm test`, one of each kind: a started exchange, a recovery, threads under stress. */
const oneOfEach = [
  'test/e2e/{ccxt,crash,history,listing,market-streams,metrics}.test.ts',
  'test/e2e/{sandbox/virtual-start,user-stream}.test.ts',
  'test/replay/{layouts,snapshot}.test.ts',
  'test/stress/{counters,doorbell,ledger,ring,wal}.test.ts',
]
/** Whether planted defects fit the code that they are planted in. */
const PLANTING = 'test/defects/planting.test.ts'
/** Hours: too long for each change. */
const nightly = [
  'test/defects/*.test.ts',
  'test/e2e/{git-address,load,siege,soak}.test.ts',
  'test/stress/{backends,replicated-chaos}.test.ts',
]
/** They do more at night (test/runner/night.ts). */
const moreAtNight = [
  'test/browser/lost-answers.test.ts',
  'test/e2e/{derived-faults,layouts,main-jobs}.test.ts',
  'test/replica/layouts.test.ts',
]
/** They replace modules (vi.mock), which other files in the process would meet. */
const replacing = ['test/unit/{journal/environment,layout/poisoned-archive}.test.ts']
/**
 * They start exchanges within their process. What these reserve stays until a collection, and Linux may then refuse
 * a program that another file in the process starts (ENOMEM).
 */
const embedding = ['test/unit/assembly/*.test.ts']
/** Units that take ten seconds or more, or need tools that few machines have. */
const longUnits = [
  'test/unit/archive/{klines,retention,retention-replay}.test.ts',
  'test/unit/assembly/{kept-sockets,marks,seed,ten-loads,virtual,virtual-week}.test.ts',
  'test/unit/bench/load.test.ts',
  'test/unit/gateway/{false-week,many-readers,limits/refused-wire}.test.ts',
  'test/unit/replica/join.test.ts',
  'test/unit/scripts/{build,replicated-deploy}.test.ts',
]

/** A test that hangs fails with its name. Slow machines take up to five times as long as usual. */
const patience = (ms: number) => ({
  testTimeout: ms,
  hookTimeout: ms,
  expect: { poll: { timeout: 60_000 } },
})
const ANSWERS = { setupFiles: ['test/check-answers.ts'] }
const BUILT = { ...ANSWERS, env: { ANSWER_SHAPES: 'built' } }

const project = (name: string, test: object) => ({
  extends: true as const,
  test: { name, ...test },
})

export default defineConfig({
  root,
  test: {
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    reporters: ['default', new Unfinished(), new FailedFiles()],
    projects: [
      project('unit', {
        ...patience(120_000),
        ...ANSWERS,
        // Files that keep nothing share processes.
        isolate: false,
        include: [
          ...['test/*.test.ts', 'test/{contract,protocol,runner,unit}/**/*.test.ts', PLANTING],
        ],
        exclude: [...longUnits, ...replacing, ...embedding],
      }),
      project('embedding', {
        ...patience(120_000),
        ...ANSWERS,
        include: embedding,
        exclude: longUnits,
      }),
      project('simulators', {
        ...patience(240_000),
        env: { RINGBOOK_SIM_SEEDS: '2' },
        include: simulators,
      }),
      project('whole', { ...patience(120_000), ...BUILT, include: [...oneOfEach, ...replacing] }),
      project('long', {
        ...patience(240_000),
        ...BUILT,
        globalSetup: 'test/runner/tools.ts',
        include: [
          'test/{browser,e2e,fuzz,recording,replay,replica,sim,stress}/**/*.test.ts',
          ...longUnits,
        ],
        exclude: [...oneOfEach, ...nightly],
      }),
      project('night', {
        ...patience(1_200_000),
        ...ANSWERS,
        globalSetup: 'test/runner/tools.ts',
        env: { ...BUILT.env, RINGBOOK_NIGHT: 'yes' },
        include: [...nightly, ...moreAtNight],
        exclude: [PLANTING],
      }),
    ],
  },
})
