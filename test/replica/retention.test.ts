/**
 * What an operator removes from a quorum in PostgreSQL: nothing that a member may need. A member that lacks
 * what was removed is refused in one sentence, and begins again from a backup.
 */

import fs from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { plain } from '../../src/cli/paint.ts'
import { quorumTrim } from '../../src/cli/quorum-trim.ts'
import { Arguments } from '../../src/control/action.ts'
import { PostgresQuorum } from '../../src/replica/postgres-quorum.ts'
import { PostgresReader } from '../../src/replica/postgres-reader.ts'
import { Retention } from '../../src/replica/retention.ts'
import { act } from '../e2e/admin-server.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { OfferingJournal } from '../model/offering-journal.ts'

const ANSWER_MS = 10_000
const TOO_FAR = /is not on the quorum any more, and this member lacks it: .*--seed-from/

let servers: PostgresServers
const exchanges: ExchangeProcess[] = []
const folders: string[] = []
beforeAll(async () => {
  servers = await PostgresServers.start(2)
})
afterAll(() => servers.remove())
afterEach(async () => {
  for (const exchange of exchanges.splice(0)) await exchange.remove()
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
})

async function newDatabase(name: string): Promise<string> {
  await servers.primary.query(`CREATE DATABASE ${name}`)
  return servers.url(name)
}

const trim = async (url: string, more: Readonly<Record<string, string>> = {}) => {
  const surroundings = { data: '', paint: plain, terminal: undefined }
  return quorumTrim.run(new Arguments(quorumTrim, { url, ...more }), surroundings)
}

test('blocks are removed behind the member that has least, and the last of a journal stays', async () => {
  const url = await newDatabase('blocks')
  const options = { url, answerMs: ANSWER_MS, time: new RealTime() }
  await expect(trim(url)).rejects.toThrow('The database has no tables of Ringbook.')
  const quorum = new PostgresQuorum(options)
  await quorum.open()
  await quorum.prepare()
  expect(await quorum.takeLead(undefined, { epoch: 1, member: 'a', address: '' })).toBe(true)
  const [quiet, busy] = [new OfferingJournal(0, 'x'), new OfferingJournal(1, 'x')]
  quiet.offer()
  for (let i = 0; i < 9; i++) busy.offer()
  const sent = await quorum.append(1, [...quiet.blocks, ...busy.blocks.slice(0, 8)], 0)
  await quorum.append(1, [busy.blocks[8]!], sent)
  await expect(trim(url)).rejects.toThrow(/No member has said within 24 hours/)

  const retention = new Retention(options)
  await retention.open()
  await retention.note(
    'a',
    'http://a',
    new Map([
      [0, 1],
      [1, 9],
    ]),
  )
  await retention.note('b', 'http://b', new Map([[1, 9]]))
  expect(await trim(url)).toContain('Removed 0 blocks up to sequence 0; the quorum has 1 to 9.')
  await retention.note(
    'b',
    'http://b',
    new Map([
      [0, 1],
      [1, 4],
    ]),
  )
  await expect(trim(url, { without: 'c' })).rejects.toThrow('There is no member c.')
  expect(await trim(url)).toContain('Removed 3 blocks up to sequence 5; the quorum has 1 to 9.')
  // Sequences 1 and 5 are the last blocks of their journals up to the cut. Beyond the watermark nothing is
  // removed.
  const text = await trim(url, { without: 'b' })
  expect(text).toContain('Removed 4 blocks up to sequence 9;')
  expect(text).toMatch(/b \(http:\/\/b\) has all up to 5, .*: it needs --seed-from/)
  expect((await retention.members()).map(({ member }) => member)).toEqual(['a'])
  retention.close()

  const reader = new PostgresReader(options)
  await reader.open()
  expect((await reader.follow(0, 1 << 20)).blocks.map(({ sequence }) => sequence)).toEqual([1])
  expect((await reader.follow(8, 1 << 20)).blocks.map(({ sequence }) => sequence)).toEqual([9])
  await expect(reader.follow(1, 1 << 20)).rejects.toThrow(TOO_FAR)
  await expect(reader.follow(5, 1 << 20)).rejects.toThrow(TOO_FAR)
  // The chain continues behind what is left.
  busy.offer()
  quiet.offer()
  expect(await quorum.append(1, [busy.blocks[9]!, quiet.blocks[1]!], 10)).toBe(12)
  await quorum.mark(12)
  const { blocks } = await reader.follow(10, 1 << 20)
  expect(blocks.map(({ sequence }) => sequence)).toEqual([11, 12])
  await reader.close()
  await quorum.close()
})

async function prepared(flags: readonly string[]): Promise<ExchangeProcess> {
  const exchange = await ExchangeProcess.prepare([...flags, ...FEW_THREADS])
  exchanges.push(exchange)
  return exchange
}

test('a member that lacks nothing that was removed follows again', async () => {
  const url = await newDatabase('level')
  const leader = await prepared(['--durability', 'replicated', '--replica', url])
  await leader.run()
  const follower = await prepared(['--follow', url])
  const file = (exchange: ExchangeProcess, name: string) => path.join(exchange.data, name)
  fs.copyFileSync(file(leader, 'secret.key'), file(follower, 'secret.key'))
  await follower.run()
  const key = leader.keys().trader1!
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
  let placed = 0
  const place = async () => {
    const query = { ...order, quantity: '0.01', price: String(30_000 + placed++) }
    const { status } = await new SignedClient(leader.url, key).send('POST', '/api/v3/order', query)
    expect(status).toBe(200)
  }
  const isLevel = () =>
    eventually('all orders at the follower', async () => {
      const client = new SignedClient(follower.url, key)
      const { body } = await client.send('GET', '/api/v3/openOrders', {})
      return body.length === placed || undefined
    })
  for (let i = 0; i < 5; i++) await place()
  await isLevel()
  expect((await follower.stop('SIGTERM')).code).toBe(0)
  const retention = new Retention({ url, answerMs: ANSWER_MS, time: new RealTime() })
  await retention.open()
  const { watermark } = await retention.shown()
  for (let i = 0; i < 5; i++) await place()
  await act(leader, 'deposit', { account: 'trader1', asset: 'BTC', amount: '1' })
  const member = fs.readFileSync(file(follower, 'replica-member'), 'utf8').trim()
  await retention.note(member, 'http://follower', new Map())
  await servers.primary.query(`UPDATE ringbook_members SET sequence = ${watermark}`, 'level')
  retention.close()
  expect(await trim(url)).toMatch(
    new RegExp(`^Removed [1-9][0-9]* blocks up to sequence ${watermark};`),
  )
  await follower.run()
  await isLevel()
})

test('a member that is too far behind says so, and follows from a backup', async () => {
  const url = await newDatabase('members')
  const leader = await prepared(['--durability', 'replicated', '--replica', url])
  await leader.run()
  const key = leader.keys().trader1!
  const place = async (price: string) => {
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    const query = { ...order, quantity: '0.01', price }
    const { status } = await new SignedClient(leader.url, key).send('POST', '/api/v3/order', query)
    expect(status).toBe(200)
  }
  for (let i = 0; i < 5; i++) await place(`3000${i}`)
  // The checkpointer moves blocks into the journal each second; the next note has them.
  const retention = new Retention({ url, answerMs: ANSWER_MS, time: new RealTime() })
  await retention.open()
  const [note] = await eventually('the note of the leader', async () => {
    const notes = await retention.members()
    return notes.length === 1 ? notes : undefined
  })
  // The backup has all of this; the fact that it was made is behind it.
  const { watermark } = await retention.shown()
  const backup = `${leader.data}-backup`
  folders.push(backup)
  await act(leader, 'backup', { folder: backup })
  await retention.note(note!.member, note!.address, new Map())
  await servers.primary.query(`UPDATE ringbook_members SET sequence = ${watermark}`, 'members')
  retention.close()
  expect(await trim(url)).toMatch(/^Removed [1-9]/)

  const empty = await prepared(['--follow', url])
  fs.copyFileSync(path.join(leader.data, 'secret.key'), path.join(empty.data, 'secret.key'))
  const refused = await empty.launch()
  expect(refused.code).not.toBe(0)
  expect(refused.output).toMatch(TOO_FAR)
  // The same folder, with its key and what the refused start left.
  await empty.run(['--seed-from', backup])
  await place('29000')
  await eventually('the order at the follower', async () => {
    const { body } = await new SignedClient(empty.url, key).send('GET', '/api/v3/openOrders', {})
    return body.length === 6 || undefined
  })
})
