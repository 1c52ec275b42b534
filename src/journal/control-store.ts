/**
 * The control journal: operators' decisions (assets, symbols, accounts, keys, deposits), as JSON values
 * numbered from 1, each on the disk before `append` returns, and on the quorum, if there is one, before
 * that. Small; a start reads all of it. Only the admin server writes it.
 */
import path from 'node:path'
import { orClose } from '../base/closing.ts'
import { ControlKey } from '../layout/keys.gen.ts'
import {
  checkLength,
  Environment,
  type EnvironmentFigures,
  flushFolder,
  StorageError,
  Sync,
  type Table,
} from './environment.ts'

/** Brings values to the quorum, numbered from `first`. Throws StorageError when that fails. */
export type BeforeAppend = (first: number, texts: readonly string[]) => void

export class ControlStore {
  private readonly environment: Environment
  private readonly table: Table
  private before: BeforeAppend | undefined
  private _lastSequence = 0

  /** Opens or creates the control journal. Throws StorageError with one clear sentence. */
  static open(dataFolder: string, before?: BeforeAppend): ControlStore {
    return new ControlStore(dataFolder, before)
  }

  private constructor(dataFolder: string, before: BeforeAppend | undefined) {
    this.before = before
    const folder = path.join(dataFolder, 'control')
    checkLength(folder)
    this.environment = new Environment({ folder, mapBytes: 1 << 20 })
    this.table = this.environment.table()
    orClose([this.environment], () => {
      this.environment.flush()
      flushFolder(folder)
      flushFolder(dataFolder)
      for (const key of this.table.keys({ reverse: true, limit: 1 })) {
        this._lastSequence = ControlKey.sequence(key)
      }
      this.environment.release()
    })
  }

  /** This member leads from now on: values are brought to the quorum before they are appended. */
  lead(before: BeforeAppend): void {
    this.before = before
  }

  get lastSequence(): number {
    return this._lastSequence
  }

  /** Appends a value and returns its sequence. Throws StorageError when the disk refuses. */
  append(value: unknown): number {
    return this.appendAll([value])
  }

  /** Appends several values, all or none. Returns the sequence of the last. */
  appendAll(values: readonly unknown[]): number {
    return this.appendTexts(values.map((value) => JSON.stringify(value)))
  }

  /** The same for values that are JSON already. */
  appendTexts(texts: readonly string[]): number {
    const first = this._lastSequence + 1
    // This journal never has what the quorum lacks, so a start need not take anything back.
    this.before?.(first, texts)
    const rows = texts.map((text, i) => ({
      key: new ControlKey().of(first + i),
      text: Buffer.from(text),
    }))
    this.environment.write(() => {
      for (const { key, text } of rows) this.table.append(key, text)
    }, Sync.DISK)
    this._lastSequence += rows.length
    return this._lastSequence
  }

  /** Returns every value in sequence. Throws StorageError when one is missing or is not JSON. */
  *entries(): Iterable<unknown> {
    let sequence = 0
    for (const text of this.texts()) yield parse(text, ++sequence)
  }

  /** Returns the JSON of every value in sequence. Throws StorageError when one is missing. */
  *texts(): Iterable<string> {
    let sequence = 0
    try {
      for (const { key, value } of this.table.rows({})) {
        sequence++
        if (ControlKey.sequence(key) !== sequence) {
          throw new StorageError(`Entry ${sequence} of the control journal is missing.`)
        }
        yield Buffer.from(value).toString('utf8')
      }
    } finally {
      this.environment.release()
    }
  }

  figures(): EnvironmentFigures {
    return this.environment.figures()
  }

  close(): void {
    this.environment.close()
  }
}

function parse(text: string, sequence: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StorageError(`Entry ${sequence} of the control journal is not JSON.`)
  }
}
