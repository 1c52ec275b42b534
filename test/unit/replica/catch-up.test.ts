/** Members that bring their folder up to what a server shows, over the plain quorum and real folders. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { type CaughtUp, catchUp, Wait } from '../../../src/replica/catch-up.ts'
import { CONTROL_JOURNAL, type QuorumReader, QuorumRefusal } from '../../../src/replica/quorum.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { PlainQuorum } from '../../model/plain-quorum.ts'
import { MemberFolder } from './member-folder.ts'

const folder = folderPerTest()
let servers: PlainQuorum
beforeEach(() => {
  servers = new PlainQuorum()
})

const newMember = (name: string) => new MemberFolder(servers, folder(name))

/** A leader with two facts and blocks in two journals, all of them marked. */
async function newLeader(): Promise<MemberFolder> {
  const leader = newMember('leader')
  leader.write(1, 3)
  leader.write(1, 2, true, 1)
  await leader.lead()
  await mark()
  return leader
}

/** Followers may see all that is there. */
async function mark(): Promise<void> {
  const quorum = servers.connect()
  await quorum.open()
  await quorum.mark(servers.confirmedBlocks().length)
}

interface Catching {
  readonly reader?: QuorumReader
  /** What happens while it waits; it gives up otherwise. */
  readonly meanwhile?: (why: Wait) => Promise<void> | void
  readonly isStart?: (fact: Uint8Array) => boolean
}

function follow(member: MemberFolder, given: Catching = {}): Promise<CaughtUp | undefined> {
  const { reader = servers.connectReader(), meanwhile, isStart = () => true } = given
  const pause = async (why: Wait) => {
    await meanwhile?.(why)
    return meanwhile !== undefined
  }
  const damaged = (sentence: string) => void member.damages.push(sentence)
  return catchUp({ dataFolder: member.dataFolder, reader, isStart, damaged, pause })
}

test('an empty folder is loaded, and later what it missed', async () => {
  const leader = await newLeader()
  const follower = newMember('follower')
  const caught = await follow(follower)
  expect(caught).toMatchObject({ cursor: 7, loaded: 7 })
  expect([...caught!.ends.keys()].sort()).toEqual([CONTROL_JOURNAL, 0, 1])
  expect(follower.state()).toEqual(leader.state())
  leader.write(1, 2)
  await leader.lead()
  await mark()
  expect(await follow(follower)).toMatchObject({ cursor: 10, loaded: 3 })
  expect(follower.state()).toEqual(leader.state())
  expect(await follow(follower)).toMatchObject({ cursor: 10, loaded: 0 })
})

test('a control journal that fell back to an older copy has the rest from the quorum, and says so', async () => {
  const leader = await newLeader()
  const follower = newMember('follower')
  await follow(follower)
  const control = path.join(follower.dataFolder, 'control', 'data.mdb')
  const older = readFileSync(control)
  leader.write(1, 0, true, 1)
  await leader.lead()
  await mark()
  await follow(follower)
  writeFileSync(control, older)
  await follow(follower)
  expect(follower.damages.at(-1)).toMatch(
    /control\/data.mdb ends with entry \d+, and control\/last names/,
  )
  expect(follower.state()).toEqual(leader.state())
  ControlStore.open(follower.dataFolder).close()
})

test('nothing behind the watermark is loaded', async () => {
  const leader = await newLeader()
  const follower = newMember('follower')
  leader.write(1, 2)
  await leader.lead()
  // Blocks carry the watermark of those before: the last ones are not proven yet.
  const caught = await follow(follower)
  expect(caught!.cursor).toBeLessThan(10)
  expect(caught!.loaded).toBe(caught!.cursor)
  await mark()
  expect(await follow(follower)).toMatchObject({ cursor: 10 })
  expect(follower.state()).toEqual(leader.state())
})

test('a standby that is behind the folder is awaited', async () => {
  const leader = await newLeader()
  const follower = newMember('follower')
  await follow(follower)
  leader.write(0, 1, true, 1)
  await leader.lead()
  await mark()
  const standby = servers.replica()
  standby.receive(3)
  const waits: Wait[] = []
  const caught = await follow(follower, {
    reader: standby.connect(),
    meanwhile: (why) => {
      waits.push(why)
      standby.receive(1)
    },
  })
  expect(new Set(waits)).toEqual(new Set([Wait.BEHIND]))
  // What it lacks may come later: the folder has all up to one sequence.
  expect(caught!.cursor).toBeGreaterThanOrEqual(7)
  standby.receive()
  expect(await follow(follower, { reader: standby.connect() })).toMatchObject({ cursor: 8 })
  expect(follower.state()).toEqual(leader.state())
})

test('a folder whose journals end at different sequences loads what is between', async () => {
  const leader = await newLeader()
  const follower = newMember('follower')
  await follow(follower)
  leader.write(1, 1)
  await leader.lead()
  leader.write(0, 1, true, 1)
  await leader.lead()
  // Killed after the last block of one journal and before the fact of another.
  const [last] = servers.confirmedBlocks().filter(({ sequence }) => sequence === 10)
  expect(last!.journal).toBe(1)
  follower.append(1, last!.bytes)
  await mark()
  expect(await follow(follower)).toMatchObject({ cursor: 10, loaded: 2 })
  expect(follower.state()).toEqual(leader.state())
})

test('blocks that a leader never acknowledged are dropped from its write-ahead log', async () => {
  const first = await newLeader()
  first.write(0, 2, false)
  const second = newMember('second')
  await second.lead()
  second.write(1, 1)
  await second.lead()
  await mark()
  await follow(first)
  expect(first.state()).toEqual(second.state())
})

test('also where the leader since has written nothing in their place', async () => {
  const first = await newLeader()
  first.write(0, 2, false)
  const second = newMember('second')
  await second.lead()
  second.write(1, 0)
  await second.lead()
  await mark()
  await follow(first)
  expect(first.state()).toEqual(second.state())
})

test.each([
  ['facts', 1, 0],
  ['blocks', 0, 1],
])('a folder that continued by itself is refused, and nothing of it is lost: %s', async (_, facts, blocks) => {
  const first = await newLeader()
  const second = newMember('second')
  await second.lead()
  first.write(facts, blocks)
  first.write(0, 1, false)
  second.write(2, 2)
  await second.lead()
  await mark()
  await expect(follow(first)).rejects.toThrow(QuorumRefusal)
  expect(first.state().blocks.length).toBe(6 + blocks)
})

test('a folder of another exchange is refused, and keeps its write-ahead log', async () => {
  await newLeader()
  const other = newMember('other')
  other.write(2, 2, false)
  await expect(follow(other)).rejects.toThrow(/continued by itself/)
  expect(other.state().blocks.length).toBe(2)
})

test('a first leader is awaited, and a start that is given up ends', async () => {
  const follower = newMember('follower')
  expect(await follow(follower)).toBeUndefined()
  const waits: Wait[] = []
  const meanwhile = async (why: Wait) => {
    waits.push(why)
    if (waits.length === 2) await newLeader()
  }
  expect(await follow(follower, { meanwhile })).toMatchObject({ cursor: 7 })
  expect(waits).toEqual([Wait.LEADER, Wait.LEADER])
})

test('facts without a start are not enough', async () => {
  await newLeader()
  const isStart = (fact: Uint8Array) => Buffer.from(fact).includes('"fact":9')
  expect(await follow(newMember('follower'), { isStart })).toBeUndefined()
})
