/** Commits of PostgreSQL that answer success although no standby has confirmed them: none is trusted. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PostgresServer } from '../../scripts/postgres/postgres-server.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { PostgresQuorum } from '../../src/replica/postgres-quorum.ts'
import { OutcomeUnknown, type Quorum } from '../../src/replica/quorum.ts'
import { eventually } from '../fixtures/eventually.ts'
import { OfferingJournal } from '../model/offering-journal.ts'
import { PostgresStage } from './stages.ts'

const NAMES = 'ANY 1 (*)'
/** Time for a statement to reach its commit on a machine that is busy. */
const PATIENT_MS = 3_000
const WAITING_PIDS = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"

let servers: PostgresServers
let primary: PostgresServer
let databases = 0
beforeAll(async () => {
  servers = await PostgresServers.start(1)
  primary = servers.primary
})
afterAll(() => servers.remove())

/** Returns a leader of a new database whose every connection has these settings. */
async function leader(settings: Readonly<Record<string, string>> = {}, answerMs?: number) {
  const database = `doubts_${++databases}`
  const stage = await PostgresStage.on(servers, database)
  for (const [name, value] of Object.entries(settings)) {
    await primary.query(`ALTER DATABASE ${database} SET ${name} = '${value}'`)
  }
  const quorum = stage.connect(answerMs)
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
  (await primary.query(WAITING_PIDS)).length === count || undefined

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

test('a commit whose standby goes while it waits is unknown, and on the quorum once a beat is', async () => {
  const { quorum } = await leader({}, PATIENT_MS)
  const [one] = block()
  const [standby] = servers.standbys
  await standby!.stop('SIGKILL')
  try {
    const written = outcome(quorum.append(1, [one!], 0))
    await eventually('a commit that waits', () => isWaiting(1))
    expect(await written).toBeInstanceOf(OutcomeUnknown)
    // The commit before still waits, and holds the row of the leader.
    await quorum.open()
    expect(await outcome(quorum.beat(1))).toBeInstanceOf(OutcomeUnknown)
  } finally {
    await standby!.start()
  }
  const confirmed = await eventually('a beat', async () => {
    await quorum.open()
    const found = await outcome(quorum.beat(1))
    return found instanceof OutcomeUnknown ? undefined : found
  })
  expect(confirmed).toBe(1)
  expect((await quorum.ends()).get(0)?.position).toBe(1)
  await quorum.close()
})

test('a commit whose connection is terminated while it waits has an unknown outcome', async () => {
  const { quorum } = await leader()
  const found = await whileWaiting(quorum, async () => {
    await primary.query(`SELECT pg_terminate_backend(pid) FROM (${WAITING_PIDS}) AS waiting`)
  })
  expect(found).toBeInstanceOf(OutcomeUnknown)
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

const BACKENDS =
  "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE application_name = 'ringbook'"
const BACKENDS_MAX = 4
const ANSWER_MS = 300

test('backends of members do not pile up while no standby confirms', async () => {
  const { quorum } = await leader()
  await quorum.close()
  const url = servers.url(`doubts_${databases}`)
  const members = [1, 2].map(
    () => new PostgresQuorum({ url, answerMs: ANSWER_MS, time: new RealTime() }),
  )
  const [standby] = servers.standbys
  standby!.hang('SIGSTOP')
  let most = 0
  try {
    for (let tries = 0; tries < 15; tries++) {
      const tried = members.map(async (member, i) => {
        await member.open()
        // The leader beats; the other one wants the lead.
        if (i === 0) return member.beat(1)
        return member.takeLead(await member.lead(), { epoch: 2, member: 'two', address: '' })
      })
      for (const outcome of await Promise.allSettled(tried)) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(OutcomeUnknown) })
      }
      const [row] = await primary.query(BACKENDS)
      most = Math.max(most, Number(row?.count))
    }
  } finally {
    standby!.hang('SIGCONT')
  }
  expect(most).toBeLessThanOrEqual(BACKENDS_MAX)
  for (const member of members) await member.close()
})

test('a member that is gone leaves no query behind it', async () => {
  const { quorum } = await leader()
  const database = `doubts_${databases}`
  const reading = "FROM pg_stat_activity WHERE application_name = 'ringbook' AND state = 'active'"
  await primary.session(async (ask) => {
    await ask('BEGIN')
    // Its reader waits for the table for as long as the lock may take, and then is gone.
    await ask('LOCK TABLE ringbook_blocks IN ACCESS EXCLUSIVE MODE')
    const asked = quorum.ends().catch((error: unknown) => error)
    await eventually('a query that waits', async () =>
      (await primary.query(`SELECT 1 ${reading} AND datname = '${database}'`)).length === 1
        ? true
        : undefined,
    )
    await quorum.close()
    await asked
    await eventually('no query', async () =>
      (await primary.query(`SELECT 1 ${reading} AND datname = '${database}'`)).length === 0
        ? true
        : undefined,
    )
    await ask('ROLLBACK')
  }, database)
})
