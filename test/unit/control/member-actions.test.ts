/** Actions of members of a quorum: who leads, and what a member that follows does not note. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { RoleReading } from '../../../src/shared/role.ts'
import { ActionBench } from './plain-control-plane.ts'

const reading = (role: RoleReading['role']): RoleReading => ({
  role,
  epoch: 4,
  leader: 'http://one:8080',
  lagPositions: 3,
  lagMs: 20,
})

let bench: ActionBench
let controlPlane: ActionBench['controlPlane']

beforeEach(async () => {
  bench = await ActionBench.make()
  controlPlane = bench.controlPlane
  controlPlane.role = reading('leader')
})

/** Makes the exchange a follower. */
function follow(): void {
  controlPlane.role = reading('follower')
  controlPlane.leader = 'http://one:8080'
}

const alone = 'This exchange has no quorum (--replica, --follow).'

describe.each<[RoleReading['role'] | undefined, string, string | RegExp]>([
  ['follower', 'promote', 'promoted'],
  ['takingOver', 'promote', 'promoted'],
  ['leader', 'promote', /leads already/],
  ['cutOff', 'promote', /does not confirm/],
  ['cutOff', 'handover', /does not confirm/],
  [undefined, 'promote', alone],
  ['leader', 'handover', 'handed over'],
  ['leader', 'handover 0a1b-2c', 'handed over'],
  ['leader', 'handover not,one', /not the name/],
  ['follower', 'handover', /at the leader/],
  ['handingOver', 'handover', /at the leader/],
  [undefined, 'handover', alone],
])('role %s: %s', (role, text, said) => {
  test(`${said}`, async () => {
    if (role !== 'leader') follow()
    controlPlane.role = role === undefined ? undefined : reading(role)
    if (said === 'promoted' || said === 'handed over') {
      expect((await bench.ask(text)).said).toBe(said)
    } else await expect(bench.ask(text)).rejects.toThrow(said)
  })
})

test('a handover names one member, or any', async () => {
  await bench.ask('handover')
  await bench.ask('handover 0a1b-2c')
  expect(controlPlane.done).toEqual(['handOver any', 'handOver 0a1b-2c'])
})

test("a follower's journal is its leader's: no action of its own is noted there", async () => {
  follow()
  const noted = controlPlane.journaled.length
  await bench.ask('promote')
  await bench.ask('snapshot')
  await expect(bench.ask('halt BTCUSDT')).rejects.toThrow('This member follows')
  expect(controlPlane.journaled.length).toBe(noted)
})

test.each<[RoleReading['role'] | undefined, string]>([
  [undefined, 'The exchange accepts orders.'],
  ['leader', 'The exchange accepts orders.'],
  ['follower', 'This member follows http://one:8080.'],
  ['takingOver', 'This member takes the lead.'],
  ['handingOver', 'This member hands the lead over.'],
  ['cutOff', 'The quorum does not confirm that this member leads.'],
])('status of role %s', async (role, said) => {
  controlPlane.role = role && reading(role)
  const status = await bench.ask('status')
  expect(status.said).toBe(said)
  const behind = status.rows.find(({ what }) => what === 'behind the leader by')
  expect(behind?.value).toBe(role && 3)
})
