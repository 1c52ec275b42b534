/**
 * A copy of the checkout in which one file at a time is patched, and one test file runs over it. Nothing is
 * built: sources are loaded as they are, and programs of dist/ are copied with the patch in them.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { PatchedDefect } from './defect.ts'

const COPIED = ['src', 'test', 'scripts', 'bench', 'examples', 'docs', 'dist', 'package.json']
const FILES = ['tsconfig.json', 'README.md', 'package-lock.json']
/** A defect may make a test file wait for longer than its tests may take. */
const PROCESS_MS = 900_000

/** What test files found. */
export interface Run {
  readonly passed: number
  readonly failed: number
  readonly output: string
}

/** Returns the file with the defect in it. Throws unless what is replaced occurs exactly once. */
export function patched({ name, file, right, wrong }: PatchedDefect): string {
  const text = fs.readFileSync(file, 'utf8')
  const places = text.split(right).length - 1
  if (places !== 1) throw new Error(`${name}: its text occurs ${places} times in ${file}`)
  return text.replace(right, () => wrong)
}

export class Checkout {
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-planted-'))
  private vitest: ChildProcess | undefined = undefined
  /** What was put back since the last run. */
  private changed: readonly string[] = []

  constructor() {
    for (const name of [...COPIED, ...FILES]) {
      fs.cpSync(name, path.join(this.folder, name), {
        recursive: true,
        mode: fs.constants.COPYFILE_FICLONE,
        preserveTimestamps: true,
      })
    }
    fs.symlinkSync(path.resolve('node_modules'), path.join(this.folder, 'node_modules'))
  }

  /** Runs the test file over the defect. Undefined when it took too long. */
  async find(defect: PatchedDefect): Promise<Run | undefined> {
    const target = path.join(this.folder, defect.file)
    fs.writeFileSync(target, patched(defect))
    try {
      return await this.run([defect.test], defect)
    } finally {
      fs.copyFileSync(defect.file, target)
      this.changed = [defect.file]
    }
  }

  /** Runs test files as they are here. */
  async run(tests: readonly string[], { file, only }: Partial<PatchedDefect> = {}) {
    const changed = [...this.changed, ...(file === undefined ? [] : [file])]
    this.vitest ??= await this.startVitest()
    const vitest = this.vitest
    vitest.send({ changed, tests, only })
    const late = setTimeout(() => vitest.kill('SIGKILL'), PROCESS_MS)
    const run = await Promise.race([once(vitest, 'message'), once(vitest, 'exit')])
    clearTimeout(late)
    if (vitest.connected) return run[0] as Run
    this.vitest = undefined
    return undefined
  }

  remove(): void {
    this.vitest?.kill()
    fs.rmSync(this.folder, { recursive: true, force: true })
  }

  private async startVitest(): Promise<ChildProcess> {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV)/.test(name)),
    )
    const vitest = fork('test/defects/warm-vitest.mjs', {
      cwd: this.folder,
      env,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    await once(vitest, 'message')
    return vitest
  }
}
