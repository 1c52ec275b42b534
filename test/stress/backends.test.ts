/**
 * PostgreSQL's processes for a leader and a follower while no standby confirms: as many as docs/bounds.md
 * says, however often they try again.
 */
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'

const NAMES = ['first', 'second'] as const
/** Two connections, one for its notes, a commit of each that waits for a standby, and one that ends. */
const BACKENDS_MAX = 6
const HANGS_MS = 130_000
const LOOK_MS = 250
const BEYOND_MS = 120_000

const BACKENDS = `SELECT application_name AS name,
  concat_ws(' ', state, wait_event, left(query, 60)) AS doing FROM pg_stat_activity`

let servers: PostgresServers | undefined
const members: ExchangeProcess[] = []
afterEach(async () => {
  for (const member of members.splice(0)) await member.remove()
  await servers?.remove()
})

async function startMember(url: string, name: string): Promise<ExchangeProcess> {
  const member = await ExchangeProcess.prepare([
    ...['--follow', `${url}?application_name=${name}`, '--promote-after', '3'],
    ...['--read-only-seconds', '3600', '--matchers', '1', '--gateways', '1'],
  ])
  const [first] = members
  if (first !== undefined) {
    copyFileSync(path.join(first.data, 'secret.key'), path.join(member.data, 'secret.key'))
  }
  members.push(member)
  await member.run()
  return member
}

test('a member has so many backends, and no more', { timeout: 600_000 }, async () => {
  servers = await PostgresServers.start(1)
  const { primary, standbys } = servers
  const url = `postgres://ringbook@127.0.0.1:${primary.port}/postgres`
  for (const name of NAMES) await startMember(url, name)
  const [leader] = members
  const client = new SignedClient(leader!.url, leader!.keys().trader1!)
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  standbys[0]!.hang('SIGSTOP')
  /** By member: what its backends did when there were most. */
  const most = new Map<string, readonly string[]>(NAMES.map((name) => [name, []]))
  try {
    // Its commit waits, and so does all that wants the leader's row.
    const placed = client.send('POST', '/api/v3/order', { ...order, price: '1000', quantity: '1' })
    placed.catch(() => {})
    const endMs = performance.now() + HANGS_MS
    while (performance.now() < endMs) {
      const rows = await primary.query(BACKENDS)
      for (const name of NAMES) {
        const doing = rows.filter((row) => row.name === name).map((row) => String(row.doing))
        if (doing.length > most.get(name)!.length) most.set(name, doing)
      }
      await delay(LOOK_MS)
    }
  } finally {
    standbys[0]!.hang('SIGCONT')
  }
  for (const [name, doing] of most) {
    expect(doing.length, name).toBeGreaterThan(0)
    expect(doing.length, `${name}: ${doing.join('; ')}`).toBeLessThanOrEqual(BACKENDS_MAX)
  }
  // What has piled up is gone once a standby confirms again.
  const endMs = performance.now() + BEYOND_MS
  for (;;) {
    const rows = await primary.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name IN ('first', 'second')
        AND wait_event = 'SyncRep'`,
    )
    if (rows.length === 0) break
    expect(performance.now()).toBeLessThan(endMs)
    await delay(LOOK_MS)
  }
})
