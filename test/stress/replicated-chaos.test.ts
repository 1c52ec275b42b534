/**
 * The chaos script over a quorum in small (scripts/chaos/replicated-chaos.ts): the loss of the leader, of
 * a follower and of PostgreSQL's primary lose nothing of what clients received, and a leader that is
 * overtaken sends nothing that is over. And it can fail: blocks that are taken from the quorum are missed.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { History } from '../../scripts/chaos/history.ts'
import { type Members, startMembers } from '../../scripts/chaos/members.ts'
import type { ReplicaFault } from '../../scripts/chaos/replica-faults.ts'
import { ReplicatedChaos, type ReplicatedReport } from '../../scripts/chaos/replicated-chaos.ts'
import type { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { hasTool } from '../runner/tools.ts'

const SEED = 20_266
const ANSWERS_MAX = 120
/** Leaders that are overtaken live on for a while, one fault after another. */
const PATIENCE_MS = 600_000

let members: Members | undefined
let servers: PostgresServers | undefined
let folder = ''
afterEach(async () => {
  await members?.remove()
  await servers?.remove()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function chaos(plan: readonly ReplicaFault[]): Promise<ReplicatedReport> {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-chaos-'))
  const started = await startMembers()
  members = started.members
  servers = started.servers
  return new ReplicatedChaos({
    members,
    servers,
    plan,
    kills: plan.length,
    seed: SEED,
    answersMax: ANSWERS_MAX,
    logFile: path.join(folder, 'clients.jsonl'),
    struck: () => {},
  }).run()
}

test('nothing that was acknowledged is lost with a machine, and what is gone is missed', async () => {
  const { findings, answers, kills, trimmed } = await chaos(['primary', 'leader', 'follower'])
  expect(findings).toEqual([])
  expect(kills).toMatchObject({ primary: 1, leader: 1, follower: 1 })
  expect(trimmed).toBeGreaterThan(0)
  for (const count of [answers.orders, answers.fills, answers.cancels, answers.lists]) {
    expect(count).toBeGreaterThan(0)
  }
  const history = new History(servers!)
  expect(await history.check()).toEqual([])
  await servers!.primary.query(`DELETE FROM ringbook_blocks WHERE journal = 0 AND position >
    (SELECT max(position) / 2 FROM ringbook_blocks WHERE journal = 0)`)
  expect((await history.check()).join()).toMatch(/are gone/)
})

test('an overtaken leader contradicts nothing, and followers come back from seeds', {
  timeout: PATIENCE_MS,
}, async () => {
  const { findings, formers, seeds, outages } = await chaos(['full', 'stop', 'seed', 'seed'])
  expect(findings).toEqual([])
  expect(formers.answers).toBeGreaterThan(0)
  expect(seeds.key + seeds.mount).toBe(2)
  expect(Object.keys(outages)).toEqual(['full', 'stop', 'seed'])
})

test.runIf(hasTool('strace'))(
  'disks and networks of any member may fail, and logs be lost',
  {
    timeout: PATIENCE_MS,
  },
  async () => {
    const plan = ['broken', 'follower-cut', 'logs', 'follower-broken'] as const
    const { findings, seen, kills } = await chaos(plan)
    expect(findings).toEqual([])
    expect(seen).toBeGreaterThan(0)
    expect(plan.map((fault) => kills[fault])).toEqual([1, 1, 1, 1])
  },
)
