/** A reader's local book: a snapshot and the diffs after it. It begins again whenever its stream ends. */
import { BookCheck } from '../load/checks/book-check.ts'
import type { DepthDiff, DepthSnapshot } from '../load/checks/local-book.ts'
import { Socket } from '../load/streams/socket.ts'
import { Target } from '../load/target.ts'
import { POLITE_SYMBOL, TIMEOUT_MS } from './polite.ts'

const AGAIN_MS = 500

export class BookKeeper {
  private readonly wsUrl: string
  private readonly target: Target
  private check: BookCheck | undefined = undefined
  private socket: Socket | undefined = undefined
  private _reopened = 0
  private isEnding = false
  private wrong: string[] = []

  constructor(url: string, wsUrl: string) {
    this.wsUrl = wsUrl
    this.target = new Target(url, 1, TIMEOUT_MS)
  }

  /** How often the stream ended, and the book began again. */
  get reopened(): number {
    return this._reopened
  }

  /** Rejects when the stream or the snapshot cannot be had. */
  async begin(): Promise<void> {
    const check = new BookCheck(POLITE_SYMBOL, (limit) =>
      this.target.ask<DepthSnapshot>('/api/v3/depth', {
        params: { symbol: POLITE_SYMBOL, limit },
      }),
    )
    const stream = `${this.wsUrl}/ws/${POLITE_SYMBOL.toLowerCase()}@depth@100ms`
    const onDiff = (frame: Readonly<Record<string, unknown>>) => {
      if (frame.e === 'depthUpdate') check.diff(frame as unknown as DepthDiff)
    }
    this.socket = await Socket.open(stream, onDiff, () => this.lost(check))
    this.check = check
    await check.begin()
  }

  /** Compares with a fresh snapshot. Returns a sentence for each difference. */
  async end(): Promise<readonly string[]> {
    this.isEnding = true
    const check = this.check
    if (check === undefined) return [...this.wrong, 'the reader has no book at the end']
    await check.end().catch(({ message }: Error) => this.wrong.push(message))
    this.note(check)
    this.close()
    return this.wrong
  }

  close(): void {
    this.isEnding = true
    this.socket?.close()
    void this.target.close()
  }

  private lost(check: BookCheck): void {
    this.note(check)
    this._reopened++
    this.check = undefined
    this.again()
  }

  private again(): void {
    setTimeout(() => {
      if (this.isEnding) return
      this.begin().catch(() => {
        this.socket?.close()
        this.check = undefined
        this.again()
      })
    }, AGAIN_MS)
  }

  private note(check: BookCheck): void {
    for (const { failures } of check.results()) this.wrong.push(...failures)
  }
}
