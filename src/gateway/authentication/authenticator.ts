/**
 * Who sends a request: its key, its time and its signature, over REST and the WebSocket API. Checks change
 * nothing but the count of bad signatures.
 */
import { Fault } from '../../api/errors.ts'
import type { Operation } from '../../api/operations/index.ts'
import { Param, Refusal } from '../../api/parameters.ts'
import type { Params, RawParams } from '../../api/params.ts'
import { isInRange, mappedAddress } from '../../base/address-range.ts'
import { RECV_WINDOW_MS_DEFAULT } from '../../base/limits.ts'
import { type AccountId, Ms } from '../../base/units.ts'
import { isRevoked } from '../../market/key-spec.ts'
import type { AddressHandle } from '../limits/address-table.ts'
import type { SignatureBudget } from '../limits/signature-budget.ts'
import { type ApiKey, isApiKeyFormat, type KeyRing } from './key-ring.ts'
import { SignatureCheck } from './signatures.ts'
import { expiryOf, millisecondsOf, TimingFault } from './time-window.ts'

/** What callers over one transport have in common. */
export interface CallerKind {
  /** How a request is refused that names no key. */
  readonly noKey: Fault
}

export interface Logon {
  /** Requests of the session may not be older. */
  readonly sinceMs: Ms
}

/** Who names a key. */
interface KeyHolder {
  /** '' when there is none. */
  readonly apiKey: string
  readonly kind: CallerKind
  /** The client's address, 4 or 16 bytes. */
  remoteAddress(): ArrayBuffer
}

/** The credentials of one request. */
export interface Caller extends KeyHolder {
  /** The session whose key it uses, which needs no further signature. */
  readonly logon?: Logon | undefined
  /** Puts into `check` the text that the signature covers. */
  addSigned(check: SignatureCheck, raw: RawParams): void
}

const timingFaults: Readonly<Record<number, Fault>> = {
  [TimingFault.RECV_WINDOW_TOO_LARGE]: new Fault('RECV_WINDOW_TOO_LARGE'),
  [TimingFault.TOO_OLD]: new Fault('TIMESTAMP_TOO_OLD'),
  [TimingFault.AHEAD]: new Fault('TIMESTAMP_AHEAD'),
}
export const badKeyFormat = new Fault('BAD_API_KEY_FORMAT')
/** Refuses a key for every operation: it is unknown, revoked or bound to other addresses. */
export const unusableKey = new Fault('REJECTED_API_KEY')
/** Refuses a key for this operation. */
const missingPermission = new Fault('REJECTED_API_KEY')
const badKeyType = new Fault('LOGON_KEY_TYPE')
const headerOnly: CallerKind = { noKey: badKeyFormat }
const invalidSignature = new Fault('INVALID_SIGNATURE')
/** Refuses a signature unchecked, after too many bad ones: it may be valid. */
export const tooManyBad = new Fault('TOO_MANY_REQUESTS')
const noTimestamp = new Fault('MANDATORY_PARAMETER', 'timestamp')
const noSignature = new Fault('MANDATORY_PARAMETER', 'signature')
const emptyWindow = new Fault('PARAMETER_EMPTY', 'recvWindow')
const impreciseWindow = new Fault('BAD_PRECISION', 'recvWindow')
const hugeWindow = new Fault('RECV_WINDOW_TOO_LARGE')

export class Authenticator {
  private readonly keys: KeyRing
  private readonly budget: SignatureBudget
  private readonly check = new SignatureCheck()

  constructor(keys: KeyRing, budget: SignatureBudget) {
    this.keys = keys
    this.budget = budget
  }

  /** Whether the key exists and has a permission. */
  isUsable(apiKey: string): boolean {
    const key = this.keys.find(apiKey)
    return key !== undefined && !isRevoked(key)
  }

  /** Returns the key that the request names, if it may be used for an operation of this security. */
  keyOf(security: Operation['security'], caller: KeyHolder): ApiKey | Fault {
    const key = this.keys.find(caller.apiKey)
    if (key === undefined) {
      if (caller.apiKey === '') return caller.kind.noKey
      return isApiKeyFormat(caller.apiKey) ? unusableKey : badKeyFormat
    }
    if (!isUsable(key, caller)) return unusableKey
    return isPermitted(key, security) ? key : missingPermission
  }

  /** Returns the Ed25519 key by which market streams are read from the address; why none is (sbe-market-data-streams.md). */
  streamKeyOf(apiKey: string, address: ArrayBuffer): ApiKey | Fault {
    const caller = { apiKey, kind: headerOnly, remoteAddress: () => address }
    const key = this.keyOf('MARKET_DATA', caller)
    return key instanceof Fault || key.verifier.kind === 'ED25519' ? key : badKeyType
  }

  /** Returns the accounts that a key was granted beside its own. */
  grantsOf(apiKey: string): readonly AccountId[] {
    return this.keys.find(apiKey)?.granted ?? []
  }

  nameOf(account: AccountId): string {
    return this.keys.account(account)?.name ?? ''
  }

  /** Returns until when the request may be executed: timestamp + recvWindow, ms. */
  expiryOf(params: Params, { logon }: Caller, nowMs: Ms): Ms | Fault {
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
    if (expiresMs >= 0 && millisecondsOf(timestamp) < (logon?.sinceMs ?? 0)) {
      return timingFaults[TimingFault.TOO_OLD]!
    }
    return expiresMs < 0 ? timingFaults[expiresMs]! : Ms(expiresMs)
  }

  /** Returns the request's timestamp, ms; -1 when it has none. */
  stampOf(params: Params): number {
    return params.text(Param.timestamp) ? millisecondsOf(params.numbers[Param.timestamp]!) : -1
  }

  /** Returns what is wrong with the signature; a logged-on session needs none. */
  signatureFault(
    key: ApiKey,
    params: Params,
    caller: Caller,
    address: AddressHandle,
    nowMs: Ms,
  ): Fault | undefined {
    const signature = params.text(Param.signature)
    if (signature === undefined && caller.logon !== undefined) return undefined
    if (!signature) return noSignature
    const isCostly = key.verifier.kind !== 'HMAC'
    if (isCostly && !this.budget.mayCheck(key.apiKey, address, nowMs)) return tooManyBad
    this.check.begin()
    caller.addSigned(this.check, params.raw)
    if (this.check.matches(key.verifier, signature)) return undefined
    if (isCostly) this.budget.wasBad(key.apiKey, address, nowMs)
    return invalidSignature
  }
}

function isUsable({ canRead, canTrade, addresses }: ApiKey, caller: KeyHolder): boolean {
  if (!canRead && !canTrade) return false
  if (addresses === undefined) return true
  const address = mappedAddress(new Uint8Array(caller.remoteAddress()))
  return addresses.some((range) => isInRange(address, range))
}

/** MARKET_DATA needs a valid key and nothing else. */
function isPermitted({ canRead, canTrade }: ApiKey, security: Operation['security']): boolean {
  if (security === 'TRADE') return canTrade
  return security === 'MARKET_DATA' || canRead
}
