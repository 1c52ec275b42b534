import { defineConfig } from 'vitest/config'
import { SecondTries } from '../second-tries.ts'

export default defineConfig({
  root: import.meta.dirname,
  test: { include: ['tries.ts'], retry: 1, reporters: ['default', new SecondTries()] },
})
