/**
 * `npm run attribute`: adds a made-up order attribute (order-tag.ts) in a copy of the tree, generates and
 * builds there, runs the tests that matter, and counts the hand-written files of src that it touches. The
 * last line is one JSON object. Exit code 1 when a step fails, or when it touches more files than --files.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readFlags, runTool, wholeNumber } from '../../scripts/command-line/tool.ts'
import { type Edit, edits } from './order-tag.ts'

const LIFE = 'test/attribute/tag-life'
const TESTS = [`${LIFE}.test.ts`, 'test/contract', 'test/replay/snapshot.test.ts']

const tool = {
  name: 'attribute',
  about: 'Adds an order attribute in a copy of the tree, tests it there, and counts the files.',
  flags: { files: { value: 'N', about: 'Files of src that it may touch', default: '8' } },
} as const

function edit(root: string, { file, apply }: Edit): void {
  const place = path.join(root, file)
  fs.writeFileSync(place, apply(fs.readFileSync(place, 'utf8')))
}

/** Copies the files that git lists, new ones too, and nothing that is built. */
function copyTree(from: string, to: string): void {
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: from })
  for (const file of listed.stdout.toString().split('\n')) {
    if (file !== '' && fs.existsSync(path.join(from, file))) {
      fs.cpSync(path.join(from, file), path.join(to, file))
    }
  }
  fs.symlinkSync(path.join(from, 'node_modules'), path.join(to, 'node_modules'))
}

/** The files that the compiler complains of, from what it prints. */
const complained = (output: string): string[] => [
  ...new Set([...output.matchAll(/^([\w/.-]+\.ts)\(\d+,\d+\): error/gm)].map((match) => match[1]!)),
]

function run(args: string[]): boolean {
  const values = readFlags(tool, args)
  if (values === undefined) return true
  const filesMax = wholeNumber('files', values.files)
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-attribute-'))
  const step = (program: string, ...words: string[]) => {
    process.stderr.write(`${program} ${words.join(' ')}\n`)
    return spawnSync(program, words, { cwd: copy, encoding: 'utf8' })
  }
  try {
    copyTree(process.cwd(), copy)
    for (const it of edits) edit(copy, it)
    fs.renameSync(path.join(copy, `${LIFE}.ts`), path.join(copy, `${LIFE}.test.ts`))
    const generated = step('npm', 'run', 'generate')
    const others = complained(step('node', 'scripts/build.mjs').stdout)
    const wrong = others.filter((file) => file.startsWith('src/'))
    const tested = step('npx', 'vitest', 'run', '--config', 'test/vitest.config.ts', ...TESTS)
    const holds = generated.status === 0 && wrong.length === 0 && tested.status === 0
    if (!holds)
      process.stdout.write(
        `${generated.stderr}${wrong.join('\n')}\n${tested.stdout}${tested.stderr}\n`,
      )
    const files = [...new Set(edits.map(({ file }) => file))]
    const list = (names: readonly string[]) => names.map((name) => `  ${name}\n`).join('')
    process.stdout.write(`hand-written files of src: ${files.length}\n${list(files)}`)
    process.stdout.write(
      `tests and benches whose records lack it: ${others.length}\n${list(others)}`,
    )
    const attribute = { files: files.length, filesMax, others: others.length, holds }
    process.stdout.write(`${JSON.stringify({ attribute })}\n`)
    return holds && files.length <= filesMax
  } finally {
    fs.rmSync(copy, { recursive: true, force: true })
  }
}

await runTool(run)
