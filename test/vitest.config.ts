import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The quick part: arithmetic, tables and twins. They keep nothing, so their files share a process. */
const pure = [
  'test/tidy.test.ts',
  'test/{contract,protocol}/**/*.test.ts',
  'test/unit/{base,market,history,layout,core,api,ring,shared}/**/*.test.ts',
]

/** A test that hangs fails with its name. Slow machines take up to five times as long as usual. */
const patience = (ms: number) => ({ testTimeout: ms, hookTimeout: ms })

export default defineConfig({
  root,
  test: {
    pool: 'forks',
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          ...patience(60_000),
          name: 'pure',
          include: pure,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...patience(120_000),
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: pure,
          expect: { poll: { timeout: 60_000 } },
          setupFiles: ['test/check-answers.ts'],
        },
      },
    ],
  },
})
