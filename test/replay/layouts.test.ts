/** Data folders of earlier layouts (test/e2e/record-layout.ts), read where they lie. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDataFolder } from '../../scripts/audit/data-folder.ts'
import { auditJournals } from '../../scripts/audit/journal-audit.ts'

const recorded = path.resolve('test/fixtures/recorded')
const layouts = fs.readdirSync(recorded).filter((name) => name.startsWith('layout-'))

describe.each(layouts)('%s', (name) => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-layout-'))
  const folder = path.join(root, 'data')
  beforeAll(() => {
    execFileSync('tar', ['-C', root, '-xzf', path.join(recorded, name), 'data'])
  })
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

  test('views without a fault, and its snapshot still says which blocks there must be', async () => {
    const data = await openDataFolder(folder)
    const options = { data, accountsMax: 4096, ordersMax: 4096, advanced: () => {} }
    const report = auditJournals(options)
    expect(report.findings).toEqual([])
    expect(report.snapshots).toEqual([1])
    expect(report.events).toBeGreaterThan(1_000)
  })
})
