/**
 * A request from within this process: without key, limits and connection. Its caller takes the outcome.
 */
import type { AnyRows, Reply } from '../api/answers/answer.ts'
import type { ErrorId, Fault } from '../api/errors.ts'
import type { RawParams } from '../api/params.ts'
import { Ms } from '../base/units.ts'
import type { SettledRequest, Transport } from './request.ts'

const NOWHERE = new ArrayBuffer(0)

export abstract class InnerCall implements Transport {
  readonly overWebSocket = false
  readonly apiKey = ''
  readonly isLoggedOn = false
  readonly authorizedSinceMs = Ms(0)
  readonly microseconds = false
  readonly encoding = undefined
  readonly fault = undefined
  readonly asksForReceipt = false
  readonly arrivedNs = undefined
  readonly peer = ''
  readonly textChars = 0
  readonly isGone = false
  private readonly raw: RawParams | Fault

  constructor(raw: RawParams | Fault) {
    this.raw = raw
  }

  abstract succeed(request: SettledRequest, answer: Reply): number
  abstract fail(
    request: SettledRequest,
    id: ErrorId,
    detail: readonly (string | number)[] | undefined,
    data: AnyRows | undefined,
  ): number

  read(): RawParams | Fault {
    return this.raw
  }

  isReading(): boolean {
    return true
  }

  remoteAddress(): ArrayBuffer {
    return NOWHERE
  }

  bind(): number {
    return 0
  }

  shutOut(): boolean {
    return false
  }

  addSigned(): void {}
  answerOwn(): void {}
  limitReached(): void {}
  endLogon(): void {}
  mark(): void {}

  /** No rule of the sandbox touches calls of this process. */
  spoil(): number {
    return 0
  }
}
