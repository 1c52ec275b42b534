/** A leader that hands over, on the plain quorum: the row's epoch shows whether another member took it. */
import { expect, test } from 'vitest'
import { handOver } from '../../../src/replica/handover.ts'
import { OutcomeUnknown, type Quorum, QuorumRefusal } from '../../../src/replica/quorum.ts'
import { Fault, PlainQuorum } from '../../model/plain-quorum.ts'

const PATIENCE_MS = 1_000
const PAUSE_MS = 100

interface Scene {
  readonly servers: PlainQuorum
  readonly quorum: Quorum
  readonly rival: Quorum
}

async function sceneOf(): Promise<Scene> {
  const servers = new PlainQuorum()
  const quorum = servers.connect()
  const rival = servers.connect()
  for (const each of [quorum, rival]) await each.open()
  await quorum.takeLead(undefined, { epoch: 1, member: 'me', address: '' })
  return { servers, quorum, rival }
}

/** Hands over to `two`, and calls `meanwhile` with the number of each pause, from 1. */
function handing({ quorum }: Scene, meanwhile: (pause: number) => unknown): Promise<boolean> {
  let pauses = 0
  const pause = async () => {
    await meanwhile(++pauses)
    return true
  }
  const time = { epoch: 1, patienceMs: PATIENCE_MS, passedMs: () => pauses * PAUSE_MS }
  return handOver({ quorum, successor: 'two', pause, ...time })
}

const take = async ({ rival }: Scene) => {
  await rival.open()
  return rival.takeLead(await rival.lead(), { epoch: 2, member: 'two', address: '' })
}

test('the named member takes the lead', async () => {
  const scene = await sceneOf()
  const names: (string | undefined)[] = []
  const isLeft = await handing(scene, async (pause) => {
    names.push(scene.servers.state().lead?.successor)
    if (pause === 2) await take(scene)
  })
  expect([isLeft, names]).toEqual([true, ['two', 'two']])
})

test('a member that does not come is unnamed, and the leader has beaten all the time', async () => {
  const scene = await sceneOf()
  const beats = new Set<number | undefined>()
  expect(await handing(scene, () => beats.add(scene.servers.state().lead?.beat))).toBe(false)
  expect(scene.servers.state().lead).toMatchObject({ epoch: 1, member: 'me', successor: '' })
  expect(beats.size).toBe(PATIENCE_MS / PAUSE_MS)
})

test('another member may take the lead before one is named', async () => {
  const scene = await sceneOf()
  await take(scene)
  expect(await handing(scene, () => {})).toBe(true)
})

test.each([
  Fault.lostRequest,
  Fault.lostAnswer,
  Fault.cancelledWait,
  Fault.late,
])('fault %i of any write leaves no doubt about who leads', async (fault) => {
  for (let at = 0; at < 6; at++) {
    for (const comes of [true, false]) {
      const scene = await sceneOf()
      let writes = 0
      const drawn = () => (writes++ === at ? fault : Fault.none)
      scene.servers.nextFault = drawn
      const isLeft = await handing(scene, async (pause) => {
        scene.servers.executeLate()
        if (!comes || pause !== 4) return
        scene.servers.nextFault = () => Fault.none
        await take(scene)
        scene.servers.nextFault = drawn
      })
      expect(isLeft).toBe(scene.servers.state().lead?.epoch === 2)
      expect(isLeft).toBe(comes)
    }
  }
})

test('a quorum that does not answer for too long ends the leader', async () => {
  const scene = await sceneOf()
  scene.servers.nextFault = () => Fault.lostRequest
  await expect(handing(scene, () => {})).rejects.toThrow(QuorumRefusal)
})

test('a member that stops meanwhile leaves the outcome open', async () => {
  const { quorum } = await sceneOf()
  const time = { epoch: 1, patienceMs: PATIENCE_MS, passedMs: () => 0 }
  const stops = { pause: async () => false, ...time }
  await expect(handOver({ quorum, successor: 'two', ...stops })).rejects.toThrow(OutcomeUnknown)
})
