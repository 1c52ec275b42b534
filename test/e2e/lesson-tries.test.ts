/** What the pages of the lessons give to try: each change of a lesson has the end that its page states. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
let folder: string
let lessons: string

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-tries-'))
  lessons = path.join(folder, 'examples/lessons')
  cpSync(path.join(root, 'examples/lessons'), lessons, { recursive: true })
  for (const name of ['dist', 'node_modules']) {
    symlinkSync(path.join(root, name), path.join(folder, name))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a lesson with `from` replaced everywhere. Returns its exit code and what it prints. */
async function tryWith(name: string, from: string, to: string) {
  const file = path.join(lessons, `${name}.mjs`)
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replaceAll(from, to))
  const program = path.join(lessons, 'lesson.mjs')
  return new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, [program, name], (error, output) =>
      resolve({ code: error?.code ?? 0, output }),
    )
  })
}

describe('tries', () => {
  test.each([
    ['price-time-priority', '49990', '50010', /did not come true: The best price traded first/],
    [
      'self-trade-prevention',
      'selfTradePreventionMode })',
      '})',
      /did not come true: The arriving order ended/,
    ],
    ['icebergs', "icebergQty: '0.2'", "icebergQty: '0.001'", /did not come true: -1013 .*ICEBERG/],
    ['stops', '50900', '50970', /did not come true: 2\.1 % below/],
    ['oco', "'49000'", "'53500'", /did not come true: -2010 /],
    [
      'opening-auction',
      "'BUY', '2', '50100'",
      "'BUY', '2', '49900'",
      /at 50000\n\nThis lesson did not come true: All see/,
    ],
    ['halt-and-reopening', "'54000'", "'52000'", /did not come true: The next trade/],
    ['overload', 'PENDING = 4', 'PENDING = 1024', /did not come true: Some are placed/],
  ])('%s: %s becomes %s', async (name, from, to, expected) => {
    const { code, output } = await tryWith(name, from, to)
    expect(output).toMatch(expected)
    expect(code).toBe(1)
    const page = readFileSync(path.join(root, `docs/lessons/${name}.md`), 'utf8')
    expect(page).toContain('\n## Try\n')
  })
})
