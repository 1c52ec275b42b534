/**
 * The API keys that requests may name, and how each is verified. Filled at start and by operators' actions;
 * the authenticator reads it for REST and the WebSocket API (rest-api.md, request security).
 */
import { assert } from '../../base/assert.ts'
import { type AccountId, Ms } from '../../base/units.ts'
import type { KeyRights, KeySpec } from '../../market/key-spec.ts'
import type { AccountSpec } from '../../market/listing.ts'
import { type Verifier, verifierOf } from './signatures.ts'

const API_KEY_CHARS = 64

/** A key as requests use it. */
export interface ApiKey extends Omit<KeyRights, 'account'> {
  readonly account: AccountSpec
  readonly verifier: Verifier
}

export class KeyRing {
  private readonly keys = new Map<string, ApiKey>()
  /** By id. */
  private readonly accounts: AccountSpec[] = []
  /** By id of their master. */
  private readonly subIds = new Map<AccountId, AccountId[]>()

  constructor(keys: readonly KeySpec[], accounts: readonly AccountSpec[]) {
    for (const account of accounts) this.enter(account)
    for (const key of keys) this.put(key)
  }

  /** A later one of the same name replaces an earlier. */
  put(spec: KeySpec): void {
    const account = this.accounts[spec.account]
    assert(account !== undefined, 'every key belongs to an account')
    const { apiKey, canRead, canTrade, canWithdraw = false, createdMs = Ms(0) } = spec
    const { addresses, granted, withdrawTo } = spec
    const rights = {
      apiKey,
      canRead,
      canTrade,
      canWithdraw,
      createdMs,
      ...(addresses === undefined ? {} : { addresses }),
      ...(granted && { granted }),
      ...(withdrawTo && { withdrawTo }),
    }
    this.keys.set(apiKey, { ...rights, account, verifier: verifierOf(spec) })
  }

  /** Opens the account, or changes it for all of its keys. */
  setAccount(account: AccountSpec): void {
    this.enter(account)
    for (const [name, key] of this.keys) {
      if (key.account.id === account.id) this.keys.set(name, { ...key, account })
    }
  }

  subAccounts(master: AccountId): readonly AccountSpec[] {
    return (this.subIds.get(master) ?? []).map((id) => this.accounts[id]!)
  }

  private enter(account: AccountSpec): void {
    const { id, master } = account
    const isNew = this.accounts[id] === undefined
    this.accounts[id] = account
    if (!isNew || master === undefined) return
    const known = this.subIds.get(master)
    if (known === undefined) this.subIds.set(master, [id])
    else known.push(id)
  }

  account(id: number): AccountSpec | undefined {
    return this.accounts[id]
  }

  /** A map compares only texts of the same salted hash: timing reveals nothing of a key. */
  find(apiKey: string): ApiKey | undefined {
    return this.keys.get(apiKey)
  }
}

/** Whether the text can be an API key at all: 64 letters and digits. */
export function isApiKeyFormat(text: string): boolean {
  if (text.length !== API_KEY_CHARS) return false
  for (let i = 0; i < API_KEY_CHARS; i++) {
    const code = text.charCodeAt(i)
    const digit = code >= 48 && code <= 57
    const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
    if (!digit && !letter) return false
  }
  return true
}
