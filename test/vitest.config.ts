import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Arithmetic and tables: they keep nothing, so their files may share a process. */
const pure = ['base', 'market', 'history', 'core', 'api', 'ring', 'shared'].map(
  (room) => `test/unit/${room}/**/*.test.ts`,
)

/** Only reached when a test fails, so that a slow machine fails none. */
const timeouts = { testTimeout: 600_000, hookTimeout: 600_000 }

export default defineConfig({
  root,
  test: {
    pool: 'forks',
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          ...timeouts,
          name: 'pure',
          include: pure,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...timeouts,
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: pure,
          expect: { poll: { timeout: 120_000 } },
          setupFiles: ['test/check-answers.ts'],
        },
      },
    ],
  },
})
