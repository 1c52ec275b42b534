/** An operator at work: looks, deposits, halts and resumes, makes keys, snapshots and backups. */
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Prng } from '../../src/base/prng.ts'
import { readToken } from '../../src/control/token.ts'
import type { Repeated } from './clients.ts'
import type { Tally } from './tally.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HALT_MS = 3_000
/** Backups that are kept; older ones are removed. */
const BACKUPS_KEPT = 1
/** Each act is carried out at least so often in a run, however short. */
const TURNS_MIN = 3

type Row = Readonly<Record<string, unknown>>

interface Parts {
  readonly data: string
  readonly adminPort: number
  readonly tally: Tally
  readonly prng: Prng
}

export class SoakOperator {
  private readonly parts: Parts
  private readonly backups: string[] = []
  private made = 0

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** Returns the act's table. Rejects with its sentence when it is refused. */
  async act(name: string, given: object = {}): Promise<readonly Row[]> {
    const { adminPort, data, tally } = this.parts
    const response = await fetch(`http://127.0.0.1:${adminPort}/actions/${name}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${readToken(data)}` },
      body: JSON.stringify(given),
    })
    const answer = (await response.json()) as { error?: string; rows?: readonly Row[] }
    tally.count(`act ${name} ${response.status}`)
    if (!response.ok) throw new Error(`${name}: ${answer.error}`)
    return answer.rows ?? []
  }

  /** Opens an account with these funds. Returns its key as `demo-keys.json` has keys. */
  async account(account: string, funds: Readonly<Record<string, string>>): Promise<Row> {
    await this.act('account-open', { account })
    for (const [asset, amount] of Object.entries(funds)) {
      await this.act('deposit', { account, asset, amount })
    }
    const [row] = await this.act('key-create', { account })
    return { account, apiKey: row!.apiKey, secretKey: row!.secretKey }
  }

  /** Begins what it does at intervals. */
  begin(
    repeated: Repeated,
    runMs: number,
    accounts: readonly string[],
    symbols: readonly string[],
    backups: string,
  ): void {
    const { prng } = this.parts
    const often = (ms: number, act: () => Promise<unknown>) =>
      repeated.every(Math.min(ms, runMs / (TURNS_MIN + 1)), async () => void (await act()))
    often(30 * SECOND_MS, () => this.act('status'))
    often(MINUTE_MS, () => {
      return this.act('deposit', { account: prng.pick(accounts), asset: 'USDT', amount: '1' })
    })
    often(5 * MINUTE_MS, () => this.halt(prng.pick(symbols)))
    often(5 * MINUTE_MS, () => this.key(prng.pick(accounts)))
    often(10 * MINUTE_MS, () => this.backup(backups))
    often(10 * MINUTE_MS, () => this.act('audit'))
  }

  private async halt(symbol: string): Promise<void> {
    await this.act('halt', { symbol })
    await delay(HALT_MS)
    await this.act('resume', { symbol })
  }

  private async key(account: string): Promise<void> {
    const [row] = await this.act('key-create', { account })
    await this.act('key-revoke', { key: row!.apiKey })
  }

  private async backup(folder: string): Promise<void> {
    const backup = path.join(folder, `backup-${++this.made}`)
    await this.act('backup', { folder: backup })
    this.backups.push(backup)
    while (this.backups.length > BACKUPS_KEPT) {
      fs.rmSync(this.backups.shift()!, { recursive: true })
    }
  }
}
