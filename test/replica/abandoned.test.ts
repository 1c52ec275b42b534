/**
 * A leader's machine is lost in the middle of a transaction, so its server never learns of it: the lock of
 * the leader's row must not outlast the leader, or no member can succeed it.
 */

import net from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { PostgresQuorum } from '../../src/replica/postgres-quorum.ts'
import { OutcomeUnknown, type Quorum } from '../../src/replica/quorum.ts'
import { APPEND_BLOCKS_MAX } from '../../src/replica/statements.ts'
import { OfferingJournal } from '../model/offering-journal.ts'

const ANSWER_MS = 1_000

let servers: PostgresServers
let proxy: net.Server
const sockets: net.Socket[] = []
/** Messages that are still passed on to the server. */
let passed = Number.POSITIVE_INFINITY

beforeAll(async () => {
  servers = await PostgresServers.start(1)
  proxy = net.createServer((client) => {
    const server = net.connect(servers.primary.port, '127.0.0.1')
    sockets.push(client, server)
    client.on('data', (bytes) => {
      if (passed-- > 0) server.write(bytes)
    })
    server.on('data', (bytes) => client.write(bytes))
    client.on('error', () => {})
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  proxy.close()
  await servers.remove()
})

function quorumAt(port: number): Quorum {
  const url = `postgres://ringbook@127.0.0.1:${port}/postgres`
  return new PostgresQuorum({ url, answerMs: ANSWER_MS, time: new RealTime() })
}

/** Takes the lead as a start does; tries again while the outcome is unknown. */
async function lead(quorum: Quorum, epoch: number): Promise<void> {
  for (;;) {
    try {
      await quorum.open()
      await quorum.prepare()
      const claim = { epoch, member: `member ${epoch}`, address: '' }
      if (await quorum.takeLead(await quorum.lead(), claim)) return
    } catch (error) {
      expect(error).toBeInstanceOf(OutcomeUnknown)
    }
  }
}

test('a leader that is lost in the middle of a transaction can be succeeded', async () => {
  passed = Number.POSITIVE_INFINITY
  const old = quorumAt((proxy.address() as net.AddressInfo).port)
  await lead(old, 1)
  const journal = new OfferingJournal(0, 'first')
  for (let i = 0; i <= APPEND_BLOCKS_MAX; i++) journal.offer()
  // BEGIN and the first statement of two.
  passed = 2
  // The member gives up, or learns from the server that its transaction is over.
  await expect(old.append(1, journal.blocks, 0)).rejects.toThrow(OutcomeUnknown)

  const next = quorumAt(servers.primary.port)
  await lead(next, 2)
  expect(await next.ends()).toEqual(new Map())
  await next.close()
  await old.close()
})
