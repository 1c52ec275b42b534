/** Commits of PostgreSQL that answer success although no standby has confirmed them: none is trusted. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PostgresServer } from '../../scripts/postgres/postgres-server.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { OutcomeUnknown, type Quorum } from '../../src/replica/quorum.ts'
import { eventually } from '../fixtures/eventually.ts'
import { OfferingJournal } from '../model/offering-journal.ts'
import { PostgresStage } from './stages.ts'

const NAMES = 'ANY 1 (*)'
const WAITING = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"

let servers: PostgresServers
let primary: PostgresServer
let databases = 0
beforeAll(async () => {
  servers = await PostgresServers.start(1)
  primary = servers.primary
})
afterAll(() => servers.remove())

/** Returns a leader of a new database whose every connection has these settings. */
async function leader(settings: Readonly<Record<string, string>> = {}) {
  const database = `doubts_${++databases}`
  const stage = await PostgresStage.on(servers, database)
  for (const [name, value] of Object.entries(settings)) {
    await primary.query(`ALTER DATABASE ${database} SET ${name} = '${value}'`)
  }
  const quorum = stage.connect()
  await quorum.open()
  await quorum.prepare()
  await quorum.takeLead(undefined, { epoch: 1, member: 'one', address: '' })
  return { stage, quorum }
}

function block() {
  const journal = new OfferingJournal(0, 'first')
  journal.offer(100)
  return journal.blocks
}

const outcome = (written: Promise<number>) => written.catch((error: unknown) => error)

async function name(value: string): Promise<void> {
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${value}'`)
  await primary.query('SELECT pg_reload_conf()')
}

const isWaiting = async (count: number) =>
  (await primary.query(WAITING)).length === count || undefined

/** Runs a write while no standby confirms; `action` runs once it waits. */
async function whileWaiting(quorum: Quorum, action: () => Promise<void>): Promise<unknown> {
  const [standby] = servers.standbys
  standby!.hang('SIGSTOP')
  try {
    const written = outcome(quorum.append(1, block(), 0))
    await eventually('a commit that waits', () => isWaiting(1))
    await action()
    return await written
  } finally {
    standby!.hang('SIGCONT')
  }
}

test.each<[string, string]>([
  ['client_min_messages', 'error'],
  ['synchronous_commit', 'local'],
  ['synchronous_commit', 'off'],
])('a database whose %s is %s hides no cancelled wait', async (setting, value) => {
  const { stage, quorum } = await leader({ [setting]: value })
  let found: unknown
  await stage.whileWaitIsCancelled(async () => {
    found = await outcome(quorum.append(1, block(), 0))
  })
  expect(found).toBeInstanceOf(OutcomeUnknown)
  await quorum.close()
})

test('a commit that waits while synchronous_standby_names is emptied has an unknown outcome', async () => {
  const { quorum } = await leader()
  const found = await whileWaiting(quorum, () => name('')).finally(() => name(NAMES))
  expect(found).toBeInstanceOf(OutcomeUnknown)
  await quorum.close()
})

test('so has one while it is emptied and set again', async () => {
  const { quorum } = await leader()
  const found = await whileWaiting(quorum, async () => {
    await name('')
    await eventually('a wait that ends', () => isWaiting(0))
    await name(NAMES)
  })
  expect(found).toBeInstanceOf(OutcomeUnknown)
  await quorum.close()
})

test('settings that are read again between two writes cost a second look, and no block', async () => {
  const { quorum } = await leader()
  const [one] = block()
  await name(NAMES)
  const found = await outcome(quorum.append(1, [one!], 0))
  if (found instanceof OutcomeUnknown) await quorum.open()
  expect(await quorum.beat(1)).toBe(1)
  await quorum.close()
})
