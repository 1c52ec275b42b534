import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

export default defineConfig({
  root,
  resolve: { conditions: ['ringbook-source', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['ringbook-source', 'node', 'import', 'default'] } },
  test: {
    include: ['test/**/*.test.ts'],
    // Only reached when a test fails, so that a slow machine fails none.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
    pool: 'forks',
    maxWorkers: 2,
    globalSetup: [],
    setupFiles: ['test/check-answers.ts'],
  },
})
