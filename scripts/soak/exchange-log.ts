/** The log of the exchange, as a file: its lines of the start, its warnings, its size. */
import fs from 'node:fs'
import { fileBytes } from './samples.ts'

const WARNING_LEVEL = 40
/** Texts that are distinguished. */
const TEXTS_MAX = 100
const PIECE_BYTES = 1 << 20

export class ExchangeLog {
  /** Texts of warnings and errors, and how often each came. */
  readonly warnings = new Map<string, number>()
  /** Lines of warnings and errors. */
  warned = 0
  /** Its descriptor, to be written to. */
  readonly descriptor: number
  private readonly file: string
  private readonly said: (line: string) => void
  private readonly piece = Buffer.alloc(PIECE_BYTES)
  private readBytes = 0
  private rest = ''
  private _last = ''

  /** `said` gets each line that is a warning or an error. */
  constructor(file: string, said: (line: string) => void) {
    this.file = file
    this.said = said
    this.descriptor = fs.openSync(file, 'a+')
  }

  get bytes(): number {
    return fileBytes(this.file)
  }

  /** The last line read. */
  get last(): string {
    return this._last
  }

  /** Reads what was added. Returns the new lines. */
  read(): string[] {
    const lines: string[] = []
    for (;;) {
      const length = fs.readSync(this.descriptor, this.piece, 0, PIECE_BYTES, this.readBytes)
      if (length === 0) break
      this.readBytes += length
      const parts = (this.rest + this.piece.toString('utf8', 0, length)).split('\n')
      this.rest = parts.pop()!
      lines.push(...parts)
    }
    for (const line of lines) this.take(line)
    return lines
  }

  close(): void {
    fs.closeSync(this.descriptor)
  }

  private take(line: string): void {
    if (line !== '') this._last = line
    const level = Number(/"level":(\d+)/.exec(line)?.[1] ?? WARNING_LEVEL)
    if (line === '' || level < WARNING_LEVEL) return
    this.warned++
    this.said(line)
    const text = /"msg":"([^"]*)"/.exec(line)?.[1] ?? line
    const count = this.warnings.get(text)
    if (count !== undefined || this.warnings.size < TEXTS_MAX) {
      this.warnings.set(text, (count ?? 0) + 1)
    }
  }
}
