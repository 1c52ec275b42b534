import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { long, pure, rooms, wire } from './runner/groups.ts'
import { SecondTries } from './runner/second-tries.ts'
import { SlowFirst } from './runner/slow-first.ts'
import { Unfinished } from './runner/unfinished.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A test that hangs fails with its name. Slow machines take up to five times as long as usual. */
const patience = (ms: number) => ({
  ...{ testTimeout: ms, hookTimeout: ms },
  expect: { poll: { timeout: 60_000 } },
})
const ANSWERS = { setupFiles: ['test/check-answers.ts'] }
/** What waits for other threads or the kernel runs again once, and is named at the end of the run. */
const AGAIN = { retry: 1 }
/** Files that keep nothing share processes. */
const TOGETHER = { isolate: false }

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
    reporters: ['default', new SecondTries(), new Unfinished()],
    projects: [
      project('pure', { ...patience(60_000), ...TOGETHER, include: pure }),
      project('rooms', { ...patience(120_000), ...TOGETHER, ...ANSWERS, include: rooms }),
      project('wire', { ...patience(120_000), ...TOGETHER, ...AGAIN, ...ANSWERS, include: wire }),
      project('long', { ...patience(120_000), include: long }),
      project('whole', {
        ...{ ...patience(120_000), ...AGAIN, ...ANSWERS, env: { ANSWER_SHAPES: 'built' } },
        include: ['test/**/*.test.ts'],
        exclude: [...pure, ...rooms, ...wire, ...long],
      }),
    ],
  },
})
