/** For one test file over a defect: without projects, each of which costs a second. */
import { defineConfig } from 'vitest/config'

const PATIENCE_MS = 300_000

export default defineConfig({
  test: {
    pool: 'forks',
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/check-answers.ts'],
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
  },
})
