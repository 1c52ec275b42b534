/**
 * Backups of the simulated exchange: each is requested by the operators' action, copied later, while the exchange
 * continues, restored into an empty folder, and then has what the exchange had at the moment of the act.
 */

import { strictEqual } from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import type { Prng } from '../../../src/base/prng.ts'
import { type BackupCut, makeBackup } from '../../../src/journal/backup.ts'
import { restoreBackup } from '../../../src/journal/restore.ts'
import { type LifecycleOptions, ProcessLifecycle } from './process-lifecycle.ts'

const WANTED_CHANCE = 0.003
const COPIED_CHANCE = 0.02
const MATCHERS_MAX = 3

export interface BackupsParts {
  readonly prng: Prng
  /** The parent of all folders. */
  readonly root: string
  readonly count: (what: string) => void
  readonly options: (
    own: Pick<LifecycleOptions, 'folder' | 'follows' | 'replica' | 'matchers' | 'durability'>,
  ) => LifecycleOptions
  /** Lets others work between two pieces of a copy. */
  readonly goesOn: () => void
}

/** A backup that is requested and not copied. */
interface Wanted {
  readonly cut: BackupCut
  /** Hash of the state at the cut. */
  readonly hash: number
  readonly process: ProcessLifecycle
}

export class Backups {
  /** The folder of the last one. */
  newest: string | undefined
  private readonly parts: BackupsParts
  private wanted: Wanted | undefined = undefined
  private made = 0

  constructor(parts: BackupsParts) {
    this.parts = parts
  }

  /** The process is gone, and what it was copying. */
  forget(): void {
    this.wanted = undefined
  }

  /** The moment of the act. */
  want(cut: BackupCut, process: ProcessLifecycle): void {
    this.wanted = { cut, hash: process.hash, process }
  }

  /** Requests a backup, or copies the requested one; `around` is the disk of the process. */
  async step(
    process: ProcessLifecycle,
    around: <Result>(action: () => Result) => Result,
  ): Promise<void> {
    const { prng } = this.parts
    if (this.wanted !== undefined) {
      if (prng.chance(COPIED_CHANCE)) await this.copy(this.wanted, around)
    } else if (prng.chance(WANTED_CHANCE)) {
      const folder = this.folder('backup')
      await process.operate('backup', { folder })
    }
  }

  private folder(name: string): string {
    return path.join(this.parts.root, `${name}-${this.made}`)
  }

  private async copy(
    { cut, hash, process }: Wanted,
    around: <Result>(action: () => Result) => Result,
  ): Promise<void> {
    const { root, count, goesOn } = this.parts
    const { folder } = process.options
    this.made++
    const target = this.folder('backup')
    const before = this.newest
    this.newest = undefined
    around(() =>
      makeBackup(folder, target, cut, process.wals, {
        goesOn: () => {
          goesOn()
          return true
        },
        copied: () => {},
      }),
    )
    this.wanted = undefined
    if (before !== undefined) fs.rmSync(before, { recursive: true, force: true })
    await this.check(target, hash)
    this.newest = target
    count('backup')
    for (const name of fs.readdirSync(root)) {
      if (name.startsWith('backup') && path.join(root, name) !== target) {
        fs.rmSync(path.join(root, name), { recursive: true, force: true })
      }
    }
  }

  /** Restores it, and starts with any number of matchers. */
  private async check(backup: string, hash: number): Promise<void> {
    const { prng, options } = this.parts
    const folder = this.folder('restored')
    restoreBackup(backup, folder)
    const matchers = prng.between(1, MATCHERS_MAX)
    const own = { folder, matchers, durability: 'flushed' as const }
    const restored = new ProcessLifecycle(options({ ...own, follows: false, replica: undefined }))
    try {
      await restored.recover()
      strictEqual(
        restored.hash,
        hash,
        'what is restored is what there was at the moment of the backup',
      )
    } finally {
      restored.leave()
      fs.rmSync(folder, { recursive: true, force: true })
    }
  }
}
