/** An operator at work: looks, deposits, halts and resumes, makes keys, snapshots and backups. */
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Prng } from '../../src/base/prng.ts'
import { type Act, actor } from '../exchange/admin-client.ts'
import type { Repeated } from '../exchange/repeated.ts'
import type { Tally } from './tally.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HALT_MS = 3_000
/** Backups that are kept; older ones are removed. */
const BACKUPS_KEPT = 1
/** Each act is carried out at least so often in a run, however short. */
const TURNS_MIN = 3

interface Parts {
  readonly data: string
  readonly adminPort: number
  readonly tally: Tally
  readonly prng: Prng
}

export class SoakOperator {
  /** Its answers are counted. */
  readonly act: Act
  private readonly parts: Parts
  private readonly backups: string[] = []
  private made = 0

  constructor(parts: Parts) {
    this.parts = parts
    const { tally } = parts
    this.act = actor(parts, (name, status) => tally.count(`act ${name} ${status}`))
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
    often(30 * SECOND_MS, () => this.act('status', {}))
    often(MINUTE_MS, () => {
      return this.act('deposit', { account: prng.pick(accounts), asset: 'USDT', amount: '1' })
    })
    often(5 * MINUTE_MS, () => this.halt(prng.pick(symbols)))
    often(5 * MINUTE_MS, () => this.key(prng.pick(accounts)))
    often(10 * MINUTE_MS, () => this.backup(backups))
    often(10 * MINUTE_MS, () => this.act('audit', {}))
  }

  private async halt(symbol: string): Promise<void> {
    await this.act('halt', { symbol })
    await delay(HALT_MS)
    await this.act('resume', { symbol })
  }

  private async key(account: string): Promise<void> {
    const [row] = await this.act('key-create', { account })
    await this.act('key-revoke', { key: row!.apiKey! })
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
