/**
 * Every lesson runs, comes true, and prints what its page shows, except durations and counts that differ
 * with each run. With KEEP_LESSONS=yes the pages are written instead.
 */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const pages = path.join(root, 'docs/lessons')
const program = path.join(root, 'examples/lessons/lesson.mjs')
const isKept = process.env.KEEP_LESSONS === 'yes'

const OUTPUT = /```text\n([\s\S]*?)```/

/** Lesson → what differs with each run. */
const masks: Readonly<Record<string, readonly RegExp[]>> = {
  'price-time-priority': [],
  'self-trade-prevention': [],
  icebergs: [],
  stops: [],
  oco: [],
  'opening-auction': [],
  'halt-and-reopening': [],
  'kill-and-recovery': [
    /\d+ answers, and none for \d+/g,
    /has \d+ open/g,
    /\d+ of them placed, \d+ never/g,
  ],
  stages: [/ [\d.]+ µs/g, / █+/g],
  overload: [/\d+ orders are placed, \d+ got/g],
}

const masked = (name: string, text: string) =>
  masks[name]!.reduce((rest, mask) => rest.replaceAll(mask, '…'), text)

async function exitCodeOf(...args: readonly string[]): Promise<number> {
  const failure = await run(process.execPath, [program, ...args], { cwd: root }).catch((it) => it)
  return failure.code ?? 0
}

describe('lessons', () => {
  test.each(Object.keys(masks))('%s prints what its page shows', async (name) => {
    const { stdout } = await run(process.execPath, [program, name], { cwd: root })
    const file = path.join(pages, `${name}.md`)
    const page = readFileSync(file, 'utf8')
    if (isKept)
      writeFileSync(
        file,
        page.replace(OUTPUT, () => `\`\`\`text\n${stdout}\`\`\``),
      )
    else expect(masked(name, stdout)).toBe(masked(name, OUTPUT.exec(page)![1]!))
    expect(page).toContain(`npm run lesson -- ${name}\n`)
  })

  test('each page has a program and a line in the table', () => {
    const names = readdirSync(pages)
      .map((file) => file.replace(/\.md$/, ''))
      .filter((name) => name !== 'README')
    expect(names.sort()).toEqual(Object.keys(masks).sort())
    const table = readFileSync(path.join(pages, 'README.md'), 'utf8')
    expect(table).toContain('each is under 100 lines')
    for (const name of names) {
      expect(table).toContain(`| [${name}](${name}.md) |`)
      const code = readFileSync(path.join(root, `examples/lessons/${name}.mjs`), 'utf8')
      expect(code.split('\n').length, name).toBeLessThan(100)
    }
  })

  test('a lesson that is not there is refused with the names of those that are', async () => {
    expect(await exitCodeOf()).toBe(2)
    expect(await exitCodeOf('lesson')).toBe(2)
    await expect(run(process.execPath, [program, 'another'])).rejects.toThrow(
      /: halt-and-reopening, icebergs, .*, stops\./,
    )
  })
})
