import { defineConfig } from 'vitest/config'
import { FailedFiles } from '../failed-files.ts'

export default defineConfig({
  test: {
    dir: import.meta.dirname,
    include: ['*.ts'],
    exclude: ['vitest.config.ts'],
    reporters: ['default', new FailedFiles()],
  },
})
