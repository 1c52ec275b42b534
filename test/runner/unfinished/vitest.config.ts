import { defineConfig } from 'vitest/config'
import { Unfinished } from '../unfinished.ts'

export default defineConfig({
  root: import.meta.dirname,
  test: { include: ['ends.ts'], reporters: ['default', new Unfinished()] },
})
