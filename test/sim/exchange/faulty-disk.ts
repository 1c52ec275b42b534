/**
 * Stands between the exchange and the files of one folder: the process may die, or the disk refuse, in
 * the middle of anything that it does with a file, and a power loss takes back whatever was not
 * flushed, sector by sector. LMDB's own files are not seen here: what it flushes is on the disk.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import type { Prng } from '../../../src/base/prng.ts'

const SECTOR_BYTES = 512

/** The process is dead from here on. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

/** What happens at one of the next operations. */
export type Trouble = 'kill' | 'refuse write' | 'refuse flush'

/** A flush that runs beside the process. */
interface Flush {
  readonly file: string | undefined
  /** What it brings to the disk. */
  readonly covered: ReadonlySet<Unflushed>
  readonly refusal: Error | null
  readonly done: (refusal: Error | null) => void
}

/** Bytes that were written and not flushed. */
interface Unflushed {
  readonly file: string
  readonly offset: number
  readonly before: Buffer
  /** How long the file was. */
  readonly size: number
}

const seams = [
  'openSync',
  'closeSync',
  'writeSync',
  'readSync',
  'ftruncateSync',
  'fdatasync',
  'fdatasyncSync',
  'fsyncSync',
  'renameSync',
  'rmSync',
] as const
type Seam = (typeof seams)[number]
type Real = Pick<typeof fs, Seam>

export class FaultyDisk {
  /** Holds everything that the exchange keeps. */
  folder = ''
  /** Called with what happened. */
  private readonly count: (what: string) => void
  private readonly prng: Prng
  private readonly real: Real
  /** Files of the folder, by descriptor. */
  private readonly files = new Map<number, string>()
  private unflushed: Unflushed[] = []
  private flushes: Flush[] = []
  /** Those whose file the process has flushed meanwhile, by a call that blocked. */
  private lateFlushes: Flush[] = []
  /** Names that were given and not flushed: [from, to]. */
  private renamed: (readonly [from: string, to: string])[] = []
  private trouble: Trouble | undefined = undefined
  private operationsLeft = 0
  private state: 'alive' | 'dying' | 'dead' = 'alive'
  private installed = false

  constructor(prng: Prng, count: (what: string) => void) {
    this.prng = prng
    this.count = count
    this.real = Object.fromEntries(seams.map((seam) => [seam, fs[seam]])) as unknown as Real
  }

  get isDying(): boolean {
    return this.state !== 'alive'
  }

  /** Whether flushes beside the process are under way. */
  get isFlushing(): boolean {
    return this.flushes.length > 0
  }

  /** Whether flushes are under way that one which blocked has passed. */
  get isFlushingLate(): boolean {
    return this.lateFlushes.length > 0
  }

  /** One of the flushes beside the process is over: they may pass each other. */
  endFlush(): void {
    this.endOneOf(this.flushes)
  }

  /** One is over that was passed: its file may have been written again, with no flush begun. */
  endLateFlush(): void {
    const { file, refusal } = this.endOneOf(this.lateFlushes)
    const begun = (bytes: Unflushed) => this.flushes.some(({ covered }) => covered.has(bytes))
    const isWritten = this.unflushed.some((it) => it.file === file && !begun(it))
    if (refusal === null && isWritten) this.count('flush that ends late')
  }

  /** Something goes wrong at the `operations`-th operation from now on that it can happen to. */
  arm(trouble: Trouble, operations: number): void {
    this.trouble = trouble
    this.operationsLeft = operations
  }

  disarm(): void {
    this.trouble = undefined
  }

  /** Runs `action` with every file operation under control. Throws Killed when the process died in it. */
  around<Result>(action: () => Result): Result {
    if (this.installed) return action()
    this.install()
    try {
      const result = action()
      // What fails alone has caught it.
      if (this.state === 'dying') throw new Killed('the process is dead')
      return result
    } finally {
      this.uninstall()
    }
  }

  /** Controls file operations until the action resolves: nothing else may run meanwhile. */
  async aroundTurn<Result>(action: () => Promise<Result>): Promise<Result> {
    if (this.installed) return action()
    this.install()
    try {
      const result = await action()
      if (this.state === 'dying') throw new Killed('the process is dead')
      return result
    } finally {
      this.uninstall()
    }
  }

  /** Nothing changes any more, so that what a dead process had open can be closed. */
  bury(close: () => void): void {
    this.state = 'dead'
    this.trouble = undefined
    this.flushes = []
    this.lateFlushes = []
    this.around(close)
    for (const descriptor of this.files.keys()) this.real.closeSync(descriptor)
    this.files.clear()
    this.state = 'alive'
  }

  /** Any sector and any name that was not flushed may be lost. */
  losePower(): void {
    const kept = this.prng.pick([0, 0.5, 0.9, 1])
    for (const [from, to] of this.renamed.reverse()) {
      if (!this.prng.chance(kept) && fs.existsSync(to)) this.real.renameSync(to, from)
    }
    for (const { file, offset, before, size } of this.unflushed.reverse()) {
      if (!fs.existsSync(file)) continue
      const descriptor = this.real.openSync(file, 'r+')
      for (let at = 0; at < before.length; at += SECTOR_BYTES) {
        if (this.prng.chance(kept)) continue
        this.real.writeSync(
          descriptor,
          before.subarray(at, at + SECTOR_BYTES),
          0,
          undefined,
          offset + at,
        )
        this.count('torn sector')
      }
      if (this.prng.chance(0.5) && fs.fstatSync(descriptor).size > size) {
        this.real.ftruncateSync(descriptor, size)
      }
      this.real.closeSync(descriptor)
    }
    this.unflushed = []
    this.renamed = []
  }

  /** What a killed process wrote is in the kernel's hands, and gets to the disk in the end. */
  settle(): void {
    this.unflushed = []
    this.renamed = []
  }

  private install(): void {
    this.installed = true
    Object.assign(fs, {
      openSync: (file: string, flags?: string | number, mode?: number) =>
        this.open(file, flags, mode),
      closeSync: (descriptor: number) => {
        this.files.delete(descriptor)
        this.real.closeSync(descriptor)
      },
      writeSync: (descriptor: number, ...more: never[]) => this.write(descriptor, more),
      readSync: (descriptor: number, ...more: never[]) => {
        if (this.files.has(descriptor)) this.meet('read')
        return (this.real.readSync as (...args: unknown[]) => number)(descriptor, ...more)
      },
      ftruncateSync: (descriptor: number, length?: number) => {
        if (this.files.has(descriptor) && !this.meet('write')) return
        this.real.ftruncateSync(descriptor, length)
      },
      fdatasync: (descriptor: number, done: Flush['done']) => this.beginFlush(descriptor, done),
      fdatasyncSync: (descriptor: number) => this.flush(descriptor),
      fsyncSync: (descriptor: number) => this.flush(descriptor),
      renameSync: (from: string, to: string) => {
        if (this.isOurs(from)) {
          if (!this.meet('write')) return
          this.renamed.push([from, to])
        }
        this.real.renameSync(from, to)
      },
      rmSync: (file: string, options?: fs.RmOptions) => {
        if (this.isOurs(file) && !this.meet('remove')) return
        this.real.rmSync(file, options)
      },
    })
    syncBuiltinESMExports()
  }

  private uninstall(): void {
    this.installed = false
    Object.assign(fs, this.real)
    syncBuiltinESMExports()
  }

  private isOurs(file: string): boolean {
    return file.startsWith(this.folder)
  }

  private open(file: string, flags?: string | number, mode?: number): number {
    const descriptor = this.real.openSync(file, flags ?? 'r', mode)
    if (this.isOurs(file)) this.files.set(descriptor, file)
    return descriptor
  }

  private write(descriptor: number, more: readonly unknown[]): number {
    const write = this.real.writeSync as (...args: unknown[]) => number
    const file = this.files.get(descriptor)
    if (file === undefined || !(more[0] instanceof Uint8Array)) return write(descriptor, ...more)
    const [bytes, from, length, offset] = more as [Uint8Array, number, number, number]
    let written = length
    let death: unknown
    try {
      if (!this.meet('write')) return length
    } catch (error) {
      // Part of a dying process's last write may be there: all or nothing of a sector.
      written = Math.floor(length * this.prng.unit())
      if (length <= SECTOR_BYTES) written = 2 * written < length ? 0 : length
      death = error
    }
    const before = Buffer.alloc(length)
    const { size } = fs.fstatSync(descriptor)
    const known = Math.max(0, Math.min(length, size - offset))
    if (known > 0) this.readBack(file, before, known, offset)
    this.unflushed.push({ file, offset, before, size })
    if (death === undefined) return write(descriptor, bytes, from, length, offset)
    write(descriptor, bytes, from, written, offset)
    throw death
  }

  /** Its own descriptor may be for writing alone. */
  private readBack(file: string, into: Buffer, length: number, offset: number): void {
    const descriptor = this.real.openSync(file, 'r')
    this.real.readSync(descriptor, into, 0, length, offset)
    this.real.closeSync(descriptor)
  }

  private flush(descriptor: number): void {
    const file = this.files.get(descriptor)
    if (file === undefined) {
      this.real.fdatasyncSync(descriptor)
      return
    }
    if (!this.meet('flush')) return
    const isFolder = fs.fstatSync(descriptor).isDirectory()
    if (isFolder) this.renamed = this.renamed.filter(([, to]) => path.dirname(to) !== file)
    else {
      this.unflushed = this.unflushed.filter((it) => it.file !== file)
      this.lateFlushes.push(...this.flushes.filter((it) => it.file === file))
      this.flushes = this.flushes.filter((it) => it.file !== file)
    }
  }

  private beginFlush(descriptor: number, done: Flush['done']): void {
    const file = this.files.get(descriptor)
    const covered = new Set(this.unflushed.filter((it) => it.file === file))
    let refusal: Error | null = null
    try {
      this.meet('flush')
    } catch (error) {
      if (error instanceof Killed) throw error
      refusal = error as Error
    }
    this.flushes.push({ file, covered, refusal, done })
  }

  private endOneOf(flushes: Flush[]): Flush {
    const ended = flushes.splice(this.prng.below(flushes.length), 1)[0]!
    const { covered, refusal, done } = ended
    if (refusal === null) this.unflushed = this.unflushed.filter((it) => !covered.has(it))
    this.around(() => done(refusal))
    return ended
  }

  /** False for a dead process. Throws what is due. */
  private meet(operation: 'read' | 'write' | 'flush' | 'remove'): boolean {
    if (this.state === 'dead') return operation === 'read'
    if (this.state === 'dying') throw new Killed('the process is dead')
    const trouble = this.trouble
    if (trouble === undefined || !concerns(trouble, operation)) return true
    if (--this.operationsLeft > 0) return true
    this.trouble = undefined
    this.count(trouble)
    if (trouble === 'kill') {
      this.state = 'dying'
      throw new Killed('the process is dead')
    }
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
}

const concerns = (trouble: Trouble, operation: string): boolean =>
  trouble === 'kill' || trouble === `refuse ${operation}`

/** Whether the disk refused. */
export const isRefusal = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException)?.code === 'ENOSPC'
