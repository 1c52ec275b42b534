/** What a leader logs of a quorum that it loses, and how it leaves one that it can write nothing to. */
import { expect, test } from 'vitest'
import { type LeadRequests, leadQuorum } from '../../../src/agents/lead-quorum.ts'
import type { ThreadReport } from '../../../src/agents/messages.ts'
import { replicaMemory } from '../../../src/agents/replica-link.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { OutcomeUnknown } from '../../../src/replica/quorum.ts'
import { Fault, PlainQuorum } from '../../model/plain-quorum.ts'

const EPOCH = 1
const time = new RealTime()

test('each reason for a loss is logged once, until the quorum answers', async () => {
  const servers = new PlainQuorum()
  const quorum = servers.connect()
  await quorum.open()
  await quorum.takeLead(undefined, { epoch: EPOCH, member: 'one', address: '' })
  const faults = ['one refuses', 'two is a standby', 'one refuses', 'two is a standby']
  const beat = quorum.beat.bind(quorum)
  quorum.beat = (epoch) => {
    const fault = faults.shift()
    return fault === undefined ? beat(epoch) : Promise.reject(new OutcomeUnknown(fault))
  }
  const requests: LeadRequests = { isStopping: false, isResigning: false, successor: undefined }
  const logged: string[] = []
  const report = (message: ThreadReport) => {
    if (message.report !== 'log') return
    const { reason } = message.fields as { reason?: string }
    logged.push(reason === undefined ? message.message : `${message.message}: ${reason}`)
    requests.isStopping = faults.length === 0
  }
  const memory = replicaMemory(1)
  const held = { epoch: EPOCH, ends: new Map(), watermark: 0 }
  await leadQuorum(
    { time, quorum, memory, member: 'one', requests, beatMs: 500, patienceMs: 1_000, report },
    held,
  )
  expect(logged).toEqual([
    'lost the quorum; orders wait: one refuses',
    'still without the quorum; orders wait: two is a standby',
    'the quorum answers again',
  ])
})

test('a leader that resigns names any member as soon as the quorum answers, and beats no more', async () => {
  const servers = new PlainQuorum()
  const quorum = servers.connect()
  await quorum.open()
  await quorum.takeLead(undefined, { epoch: EPOCH, member: 'one', address: '' })
  const requests: LeadRequests = { isStopping: false, isResigning: false, successor: undefined }
  const memory = replicaMemory(1)
  const held = { epoch: EPOCH, ends: new Map(), watermark: 0 }
  const options = {
    time,
    quorum,
    memory,
    member: 'one',
    requests,
    beatMs: 1,
    patienceMs: 1_000,
    report: () => {},
  }
  const led = leadQuorum(options, held)
  await expect.poll(() => servers.state().lead!.beat).toBeGreaterThan(2)
  const faults = [Fault.lostRequest, Fault.cancelledWait]
  servers.nextFault = () => faults.shift() ?? Fault.none
  requests.isResigning = true
  const { beat } = servers.state().lead!
  await led
  expect(servers.state().lead).toMatchObject({ member: 'one', successor: 'any' })
  expect(servers.state().lead!.beat).toBeLessThanOrEqual(beat + 1)
})
