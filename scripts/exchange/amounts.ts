/** Exact sums of what the wire writes with 8 decimals, as integers of 1e-8. */
import type { SignedClient } from './signed-client.ts'

export interface Balance {
  readonly free: bigint
  readonly locked: bigint
}

export interface BalanceText {
  readonly asset: string
  readonly free: string
  readonly locked: string
}

/** `'1.5'` is 150000000n. */
export function units(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const magnitude = BigInt(whole) * 100_000_000n + BigInt(fraction.padEnd(8, '0'))
  return text.startsWith('-') ? -magnitude : magnitude
}

export function balancesFrom(rows: readonly BalanceText[]): Record<string, Balance> {
  return Object.fromEntries(
    rows.map((row) => [row.asset, { free: units(row.free), locked: units(row.locked) }]),
  )
}

/** What `GET account` shows. */
export async function balancesOf(client: SignedClient): Promise<Record<string, Balance>> {
  const { body } = await client.send('GET', '/api/v3/account')
  return balancesFrom(body.balances as BalanceText[])
}

/** What changed between the two, asset by asset; assets that did not change are left out. */
export function changes(
  before: Readonly<Record<string, Balance>>,
  after: Readonly<Record<string, Balance>>,
): Record<string, Balance> {
  const rows = Object.entries(after).map(([asset, now]): [string, Balance] => {
    const then = before[asset] ?? { free: 0n, locked: 0n }
    return [asset, { free: now.free - then.free, locked: now.locked - then.locked }]
  })
  return Object.fromEntries(rows.filter(([, { free, locked }]) => free !== 0n || locked !== 0n))
}
