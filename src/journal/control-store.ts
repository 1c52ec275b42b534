/**
 * The control journal: operators' decisions (assets, symbols, accounts, keys, deposits), as JSON values
 * numbered from 1, each on the disk before `append` returns. Small; a start reads all of it. Only the
 * operators' door writes it.
 */
import path from 'node:path'
import { orClose } from '../base/closing.ts'
import { ControlKey } from '../layout/keys.gen.ts'
import {
  checkLength,
  Environment,
  flushFolder,
  StorageError,
  Sync,
  type Table,
} from './environment.ts'

export class ControlStore {
  readonly #environment: Environment
  readonly #table: Table
  #lastSequence = 0

  /** Opens or creates the control journal. Throws StorageError with one clear sentence. */
  static open(dataFolder: string): ControlStore {
    return new ControlStore(dataFolder)
  }

  private constructor(dataFolder: string) {
    const folder = path.join(dataFolder, 'control')
    checkLength(folder)
    this.#environment = new Environment({ folder, mapBytes: 1 << 20 })
    this.#table = this.#environment.table()
    orClose([this.#environment], () => {
      this.#environment.flush()
      flushFolder(folder)
      flushFolder(dataFolder)
      for (const key of this.#table.keys({ reverse: true, limit: 1 })) {
        this.#lastSequence = ControlKey.sequence(key)
      }
    })
  }

  get lastSequence(): number {
    return this.#lastSequence
  }

  /** Appends a value and returns its sequence. Throws StorageError when the disk refuses. */
  append(value: unknown): number {
    return this.appendAll([value])
  }

  /** Appends several values, all or none. Returns the sequence of the last. */
  appendAll(values: readonly unknown[]): number {
    const rows = values.map((value, i) => {
      const key = new ControlKey().of(this.#lastSequence + 1 + i)
      return { key, text: Buffer.from(JSON.stringify(value)) }
    })
    this.#environment.write(() => {
      for (const { key, text } of rows) this.#table.append(key, text)
    }, Sync.DISK)
    this.#lastSequence += rows.length
    return this.#lastSequence
  }

  /** Returns every value in sequence. Throws StorageError when one is missing or is not JSON. */
  *entries(): Iterable<unknown> {
    let sequence = 0
    for (const { key, value } of this.#table.rows({})) {
      sequence++
      if (ControlKey.sequence(key) !== sequence) {
        throw new StorageError(`Entry ${sequence} of the control journal is missing.`)
      }
      yield parse(Buffer.from(value).toString('utf8'), sequence)
    }
  }

  close(): void {
    this.#environment.close()
  }
}

function parse(text: string, sequence: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new StorageError(`Entry ${sequence} of the control journal is not JSON.`)
  }
}
