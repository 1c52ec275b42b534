/** Members that take the lead one after another, over the plain quorum and real folders. */
import { cpSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { join } from '../../../src/replica/join.ts'
import { dropWals } from '../../../src/replica/local-journals.ts'
import { type Quorum, type QuorumBlock, QuorumRefusal } from '../../../src/replica/quorum.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { PlainQuorum } from '../../model/plain-quorum.ts'
import { diesAt } from '../../replay/dying-files.ts'
import { MemberFolder } from './member-folder.ts'

const folder = folderPerTest()
let servers: PlainQuorum
beforeEach(() => {
  servers = new PlainQuorum()
})

/** A member whose folder is of this test. */
const newMember = (name: string) => new MemberFolder(servers, folder(name))

const ways = { sleep: async () => {}, damaged: () => {} }

test('a folder is sent, another one is loaded, and the first one loads what it missed', async () => {
  const [first, second] = [newMember('first'), newMember('second')]
  first.write(3, 5)
  expect(await first.lead()).toMatchObject({ epoch: 1, sent: 8, loaded: 0, succeeded: undefined })
  const joined = await second.lead()
  expect(joined).toMatchObject({ epoch: 2, sent: 0, loaded: 8 })
  expect(joined.succeeded).toMatch(/^[0-9a-f-]{36}$/)
  expect(second.state()).toEqual(first.state())
  second.write(1, 2)
  expect(await second.lead()).toMatchObject({ epoch: 3, sent: 3, loaded: 0, succeeded: undefined })
  expect(await first.lead()).toMatchObject({ epoch: 4, sent: 0, loaded: 3 })
  expect(first.state()).toEqual(second.state())
})

test('blocks of the write-ahead log are sent by the leader that returns, and dropped once another has led', async () => {
  const [first, second] = [newMember('first'), newMember('second')]
  first.write(1, 2)
  await first.lead()
  first.write(0, 1, false)
  expect(await first.lead()).toMatchObject({ sent: 1, loaded: 0 })
  first.write(0, 1, false)
  await second.lead()
  expect(await first.lead()).toMatchObject({ sent: 0, loaded: 0 })
  expect(first.state()).toEqual(second.state())
  expect(first.state().blocks.length).toBe(3)
})

test.each([
  ['facts', 1, 0],
  ['blocks', 0, 1],
])('a folder that continued by itself is refused while another leads: %s', async (_, facts, blocks) => {
  const [first, second] = [newMember('first'), newMember('second')]
  first.write(1, 2)
  await first.lead()
  await second.lead()
  first.write(facts, blocks)
  for (let tries = 0; tries < 2; tries++) {
    await expect(first.lead()).rejects.toThrow(/quorum lacks/)
  }
  second.write(2, 2)
  await second.lead()
  await expect(first.lead()).rejects.toThrow(/continued by itself/)
  expect(await second.lead()).toMatchObject({ succeeded: undefined })
})

test('a leader that beats keeps the lead', async () => {
  const [first, second] = [newMember('first'), newMember('second')]
  first.write(1, 0)
  const { epoch } = await first.lead()
  const leader = servers.connect()
  await leader.open()
  const beats = async () => {
    await leader.beat(epoch)
  }
  await expect(second.lead(beats)).rejects.toThrow(QuorumRefusal)
  await leader.beat(epoch)
  expect(await second.lead()).toMatchObject({ epoch: epoch + 1 })
  await expect(leader.beat(epoch)).rejects.toThrow(QuorumRefusal)
})

test.each<[string, number]>([
  ['with facts of its own', 2],
  ['whose control journal was lost', 0],
])('a refused start drops nothing: a folder of another exchange, %s', async (_, facts) => {
  const leader = newMember('leader')
  leader.write(3, 2)
  leader.write(0, 2, true, 3)
  await leader.lead()
  const stranger = newMember('stranger')
  stranger.write(facts, 20, false)
  const files = () => readdirSync(stranger.dataFolder, { recursive: true, encoding: 'utf8' })
  const before = files()
  for (let tries = 0; tries < 2; tries++) {
    await expect(stranger.lead()).rejects.toThrow(QuorumRefusal)
  }
  expect(files().filter((name) => !before.includes(name))).toEqual(['replica-member'])
  expect(stranger.state().blocks.length).toBe(20)
})

test('dropped write-ahead logs stay under another name until the folder leads by itself again', async () => {
  const [first, second] = [newMember('first'), newMember('second')]
  first.write(1, 2)
  await first.lead()
  first.write(0, 1, false)
  await second.lead()
  await first.lead()
  const dropped = () =>
    readdirSync(path.join(first.dataFolder, 'journal-0')).filter((it) => it.startsWith('dropped-'))
  expect(dropped().length).toBe(4)
  await first.lead()
  expect(dropped()).toEqual([])
})

test('a member that dies at any step of dropping its logs starts as if it had not', async () => {
  let step = 1
  for (let isDead = true; isDead; step++) {
    servers = new PlainQuorum()
    const [first, second] = [newMember(`first-${step}`), newMember(`second-${step}`)]
    first.write(1, 2)
    first.write(0, 2, true, 3)
    await first.lead()
    for (const matcher of [0, 3]) first.write(0, 1, false, matcher)
    await second.lead()
    isDead = diesAt(step, () => dropWals(first.dataFolder, 1, (it) => first.damages.push(it)))
    await first.lead()
    expect(first.damages, `step ${step}`).toEqual([])
    expect(first.state(), `step ${step}`).toEqual(second.state())
  }
  // Each of two journals has four segments: to look for it, to rename it, to flush the folder.
  expect(step - 2).toBe(24)
})

test('a copy of a folder takes no lead from its living twin, and leads after its silence', async () => {
  const first = newMember('first')
  first.write(1, 2)
  const { epoch } = await first.lead()
  const leader = servers.connect()
  await leader.open()
  const beats = async () => {
    await leader.beat(epoch)
  }
  cpSync(first.dataFolder, folder('copy'), { recursive: true })
  await expect(newMember('copy').lead(beats)).rejects.toThrow(/Another member leads/)
  // As on a machine that was cloned: the same folder, twice.
  await expect(first.lead(beats)).rejects.toThrow(/is a copy of its folder/)
  await leader.beat(epoch)
  // One last beat that was on its way when its process died is no twin's.
  let isLate = true
  const lateBeat = async () => {
    if (isLate) await leader.beat(epoch)
    isLate = false
  }
  expect(await first.lead(lateBeat)).toMatchObject({ succeeded: undefined })
})

test('a leader that stopped in order leads again without waiting', async () => {
  const first = newMember('first')
  const { epoch } = await first.lead()
  const leader = servers.connect()
  await leader.open()
  await leader.nameSuccessor(epoch, servers.state().lead!.member)
  const waits = () => Promise.reject(new Error('it waits'))
  expect(await first.lead(waits)).toMatchObject({ epoch: epoch + 1 })
})

test('blocks that do not follow each other, or are not whole, are not loaded', async () => {
  const leader = newMember('leader')
  leader.write(1, 4)
  await leader.lead()
  const spoil = {
    // Each is plain of its kind; the chain alone differs.
    skipped: (blocks: readonly QuorumBlock[]) => blocks.filter(({ position }) => position !== 2),
    doubled: (blocks: readonly QuorumBlock[]) => [blocks[0]!, blocks[0]!, ...blocks.slice(1)],
    swapped: (blocks: readonly QuorumBlock[]) => [blocks[0]!, blocks[2]!, blocks[1]!, blocks[3]!],
    torn: (blocks: readonly QuorumBlock[]) =>
      blocks.map((block) => ({
        ...block,
        bytes: block.bytes.map((byte, i) => (i === 70 ? ~byte : byte)),
      })),
  }
  for (const [name, change] of Object.entries(spoil)) {
    const member = newMember(name)
    const quorum = servers.connect()
    const read: Quorum['read'] = async (journal, ...asked) => {
      const blocks = await quorum.read(journal, ...asked)
      return journal === 0 ? change(blocks) : blocks
    }
    const spoiled = Object.assign(Object.create(quorum) as Quorum, {
      open: () => quorum.open(),
      prepare: () => quorum.prepare(),
      lead: () => quorum.lead(),
      takeLead: (...given: Parameters<Quorum['takeLead']>) => quorum.takeLead(...given),
      beat: (epoch: number) => quorum.beat(epoch),
      ends: () => quorum.ends(),
      checksumAt: (journal: number, position: number) => quorum.checksumAt(journal, position),
      read,
    })
    const own = { dataFolder: member.dataFolder, lastEpoch: 0, address: '', ...ways }
    await expect(join({ ...own, quorum: spoiled }), name).rejects.toThrow(/Block \d+ of journal-0/)
    expect(member.state().blocks, name).toEqual([])
  }
})

test('an epoch is above the last one of the folder and of the quorum, whichever is higher', async () => {
  const member = newMember('member')
  const own = { dataFolder: member.dataFolder, address: '', ...ways }
  const epochOf = async (lastEpoch: number) =>
    (await join({ ...own, quorum: servers.connect(), lastEpoch })).epoch
  // The quorum has lost or never had the row that the folder's blocks are of.
  expect(await epochOf(7)).toBe(8)
  expect(await epochOf(0)).toBe(9)
  expect(await epochOf(20)).toBe(21)
})
