/**
 * What every request passes before its handler, whichever way it came, in the order of supplement
 * 2a.7: parameter syntax, key, timestamp, signature, mandatory and unknown parameters. Rate limits
 * come before and are the callers', who know the address. It changes nothing.
 */
import { type CheckedRow, checkParams, checkSyntax } from '#api/check.ts'
import { Fault } from '#api/errors.ts'
import type { Operation } from '#api/operations/index.ts'
import { Param, Refusal } from '#api/parameters.ts'
import type { Params, RawParams } from '#api/params.ts'
import { RECV_WINDOW_MS_DEFAULT } from '#base/limits.ts'
import {
  type ApiKey,
  expiryOf,
  isApiKeyFormat,
  type KeyRing,
  SignatureCheck,
  TimingFault,
} from './auth.ts'

/** What the door needs of an operation's row. */
export type GuardedRow = CheckedRow & Pick<Operation, 'security'>

/** How one request presents itself. */
export interface Caller {
  readonly apiKey: string
  readonly overWebSocket: boolean
  /** Puts into `check` the text that the signature covers. */
  addSigned(check: SignatureCheck, raw: RawParams): void
}

/** A request that was let in. */
export interface Admission {
  readonly params: Params
  readonly key: ApiKey | undefined
  /** timestamp + recvWindow in ms; 0 for unsigned. */
  readonly expiresMs: number
}

const timingFaults: Readonly<Record<number, Fault>> = {
  [TimingFault.RECV_WINDOW_TOO_LARGE]: new Fault('RECV_WINDOW_TOO_LARGE'),
  [TimingFault.TOO_OLD]: new Fault('TIMESTAMP_TOO_OLD'),
  [TimingFault.AHEAD]: new Fault('TIMESTAMP_AHEAD'),
}
const badKeyFormat = new Fault('BAD_API_KEY_FORMAT')
const rejectedKey = new Fault('REJECTED_API_KEY')
const invalidSignature = new Fault('INVALID_SIGNATURE')
const noTimestamp = new Fault('MANDATORY_PARAMETER', 'timestamp')
const noSignature = new Fault('MANDATORY_PARAMETER', 'signature')
const noApiKey = new Fault('MANDATORY_PARAMETER', 'apiKey')
const emptyWindow = new Fault('PARAMETER_EMPTY', 'recvWindow')
const impreciseWindow = new Fault('BAD_PRECISION', 'recvWindow')
const hugeWindow = new Fault('RECV_WINDOW_TOO_LARGE')

export class Door {
  readonly #keys: KeyRing
  readonly #check = new SignatureCheck()

  constructor(keys: KeyRing) {
    this.#keys = keys
  }

  admit(
    operation: GuardedRow,
    raw: RawParams | Fault,
    caller: Caller,
    nowMs: number,
  ): Admission | Fault {
    if (raw instanceof Fault) return raw
    const params = checkSyntax(raw)
    if (params instanceof Fault) return params
    let key: ApiKey | undefined
    let expiresMs = 0
    if (operation.security !== 'NONE') {
      const found = this.#keyOf(operation, caller)
      if (found instanceof Fault) return found
      key = found
      if (operation.signed) {
        const expiry = this.#expiryOf(params, nowMs)
        if (expiry instanceof Fault) return expiry
        expiresMs = expiry
        const fault = this.#signatureFault(key, params, caller)
        if (fault !== undefined) return fault
      }
    }
    return checkParams(operation, params, caller.overWebSocket) ?? { params, key, expiresMs }
  }

  #keyOf(operation: GuardedRow, caller: Caller): ApiKey | Fault {
    const key = this.#keys.find(caller.apiKey)
    if (key === undefined) {
      if (caller.overWebSocket && caller.apiKey === '') return noApiKey
      return isApiKeyFormat(caller.apiKey) ? rejectedKey : badKeyFormat
    }
    const permitted = operation.security === 'TRADE' ? key.canTrade : key.canRead
    return permitted ? key : rejectedKey
  }

  #expiryOf(params: Params, nowMs: number): number | Fault {
    const timestamp = params.text(Param.timestamp) ? params.numbers[Param.timestamp]! : -1
    if (timestamp < 0) return noTimestamp
    let recvWindow = RECV_WINDOW_MS_DEFAULT * 1000
    if (params.has(Param.recvWindow)) {
      if (params.text(Param.recvWindow) === '') return emptyWindow
      recvWindow = params.numbers[Param.recvWindow]!
      if (recvWindow === Refusal.PRECISION) return impreciseWindow
      if (recvWindow < 0) return hugeWindow
    }
    const expiresMs = expiryOf(timestamp, recvWindow, nowMs)
    return expiresMs < 0 ? timingFaults[expiresMs]! : expiresMs
  }

  #signatureFault(key: ApiKey, params: Params, caller: Caller): Fault | undefined {
    const signature = params.text(Param.signature)
    if (!signature) return noSignature
    this.#check.begin()
    caller.addSigned(this.#check, params.raw)
    return this.#check.matches(key, signature) ? undefined : invalidSignature
  }
}
