/**
 * An operator who opens accounts, makes and revokes keys, deposits and withdraws while the exchange is killed.
 * The accounts have no orders, so what they should hold is known to the atom. An action that was not answered is
 * sent again with its key after the start: it must then have been carried out once.
 */
import { randomUUID } from 'node:crypto'
import type { Prng } from '../../src/base/prng.ts'
import { type ActionAnswer, type ActionRow, act } from '../exchange/admin-client.ts'
import { units } from '../exchange/amounts.ts'
import type { ExchangeProcess } from '../exchange/exchange-process.ts'

const ACCOUNTS_MAX = 12
const KEYS_MAX = 8
const ASSETS = ['BTC', 'USDT'] as const
type Asset = (typeof ASSETS)[number]
const OK = 200
/** The disk refused, or the exchange is stopping: nothing is known. */
const FAILED = 500

type Given = Readonly<Record<string, string>>

interface Action {
  readonly name: string
  readonly given: Given
  readonly key: string
}

interface KnownAccount {
  readonly name: string
  readonly atoms: Record<Asset, bigint>
  /** Whether the key is revoked, by key. */
  readonly keys: Map<string, boolean>
}

export type OperatorCounts = Readonly<OperatorLane['counts']>

export class OperatorLane {
  private readonly exchange: ExchangeProcess
  private readonly prng: Prng
  private readonly accounts: KnownAccount[] = []
  private unanswered: Action | undefined = undefined
  private opened = 0
  /** So far. */
  readonly counts = { answered: 0, resolved: 0 }

  constructor(exchange: ExchangeProcess, prng: Prng) {
    this.exchange = exchange
    this.prng = prng
  }

  /** Returns what takes it back to this moment, as a load takes the exchange. */
  checkpoint(): () => void {
    const kept = structuredClone(this.accounts)
    return () => {
      this.unanswered = undefined
      this.accounts.splice(0, this.accounts.length, ...kept)
    }
  }

  /** Acts until an answer is lost. */
  async run(): Promise<void> {
    while (this.unanswered === undefined) {
      const action = { ...this.next(), key: randomUUID() }
      this.unanswered = action
      const answer = await this.send(action)
      if (answer === undefined || answer.status >= FAILED) return
      this.unanswered = undefined
      if (answer.status !== OK) throw new Error(`${action.name} is refused: ${answer.body.error}`)
      this.counts.answered++
      this.apply(action, answer.body.rows)
    }
  }

  /** After a start: resolves what was not answered. Returns what is lost or wrong, as sentences. */
  async compare(): Promise<readonly string[]> {
    const findings: string[] = []
    const action = this.unanswered
    if (action !== undefined) {
      const answer = await this.send(action)
      if (answer?.status !== OK) {
        return [`${action.name}, sent again, is refused: ${answer?.body.error ?? 'no answer'}`]
      }
      this.unanswered = undefined
      this.counts.resolved++
      if (action.name !== 'key-create') this.apply(action, undefined)
      else await this.adoptKey(action, findings)
    }
    for (const account of this.accounts) findings.push(...(await this.compareAccount(account)))
    return findings
  }

  private next(): Pick<Action, 'name' | 'given'> {
    const { accounts } = this
    const prng = this.prng
    const mayOpen = accounts.length < ACCOUNTS_MAX
    if (accounts.length === 0 || (mayOpen && prng.chance(0.1))) {
      return { name: 'account-open', given: { account: `chaos-${++this.opened}` } }
    }
    const { name: account, atoms, keys } = accounts[prng.below(accounts.length)]!
    const asset = ASSETS[prng.below(ASSETS.length)]!
    if (prng.chance(0.2)) {
      const live = [...keys].filter(([, isRevoked]) => !isRevoked)
      if (live.length > 0 && prng.chance(0.5))
        return { name: 'key-revoke', given: { key: live[0]![0] } }
      if (keys.size < KEYS_MAX) return { name: 'key-create', given: { account } }
    }
    if (atoms[asset] > 1n && prng.chance(0.4)) {
      const amount = textOf(1n + BigInt(prng.below(Number(atoms[asset] / 2n))))
      return { name: 'withdraw', given: { account, asset, amount } }
    }
    return {
      name: 'deposit',
      given: { account, asset, amount: textOf(BigInt(prng.between(1, 1e9))) },
    }
  }

  private apply({ name, given }: Action, rows: readonly ActionRow[] | undefined): void {
    if (name === 'account-open') {
      this.accounts.push({ name: given.account!, atoms: { BTC: 0n, USDT: 0n }, keys: new Map() })
      return
    }
    const owner = this.accounts.find((it) => it.name === given.account || it.keys.has(given.key!))!
    if (name === 'key-create') owner.keys.set(rows![0]!.apiKey!, false)
    else if (name === 'key-revoke') owner.keys.set(given.key!, true)
    else {
      const atoms = units(given.amount!)
      owner.atoms[given.asset as Asset] += name === 'deposit' ? atoms : -atoms
    }
  }

  /** Takes the one key that no client received. */
  private async adoptKey({ given }: Action, findings: string[]): Promise<void> {
    const owner = this.accounts.find(({ name }) => name === given.account)!
    const unknown = (await this.keysOf(owner)).filter(({ apiKey }) => !owner.keys.has(apiKey!))
    if (unknown.length !== 1) {
      findings.push(
        `${owner.name} has ${unknown.length} keys of one key-create that was sent again`,
      )
    }
    for (const { apiKey } of unknown) owner.keys.set(apiKey!, false)
  }

  private async compareAccount(account: KnownAccount): Promise<string[]> {
    const { name, atoms, keys } = account
    const findings: string[] = []
    const held = await this.read('balances', { account: name })
    for (const asset of ASSETS) {
      const row = held.find((it) => it.asset === asset)
      const found = row === undefined ? 0n : units(row.free!)
      if (found === atoms[asset]) continue
      findings.push(`${name} has ${textOf(found)} ${asset} instead of ${textOf(atoms[asset])}`)
    }
    const found = await this.keysOf(account)
    for (const [key, isRevoked] of keys) {
      const row = found.find(({ apiKey }) => apiKey === key)
      if (row === undefined) findings.push(`the key ${key} of ${name} is lost`)
      else if ((row.may === 'nothing') !== isRevoked) findings.push(`the key ${key} may ${row.may}`)
    }
    if (found.length !== keys.size) {
      findings.push(`${name} has ${found.length} keys instead of ${keys.size}`)
    }
    return findings
  }

  private keysOf({ name }: KnownAccount): Promise<readonly ActionRow[]> {
    return this.read('keys', { account: name })
  }

  private async read(name: string, given: Given): Promise<readonly ActionRow[]> {
    const answer = await this.send({ name, given, key: randomUUID() })
    return answer?.body.rows ?? []
  }

  private send({ name, given, key }: Action): Promise<ActionAnswer | undefined> {
    return act(this.exchange, name, given, key)
  }
}

const textOf = (atoms: bigint): string => {
  const digits = String(atoms).padStart(9, '0')
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`
}
