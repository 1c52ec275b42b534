import { expect, test } from 'vitest'
import { RealTime } from '../../../src/base/real-time.ts'
import { LEADER_ADDRESS_BYTES_MAX, ROLE_BYTES, Role, RoleCells } from '../../../src/shared/role.ts'

/** Two threads' ends of one memory. */
function ends(): readonly [RoleCells, RoleCells] {
  const memory = new SharedArrayBuffer(ROLE_BYTES)
  return [new RoleCells(memory, new RealTime()), new RoleCells(memory, new RealTime())]
}

test('an exchange that nothing was written about leads', () => {
  const [, reader] = ends()
  expect(reader.isLeading).toBe(true)
  expect(reader.read()).toEqual({
    role: 'leader',
    epoch: 0,
    leader: '',
    lagPositions: 0,
    lagMs: 0,
  })
})

test.each([
  [Role.LEADER, 'leader', true],
  [Role.FOLLOWER, 'follower', false],
  [Role.TAKING_OVER, 'takingOver', false],
  [Role.HANDING_OVER, 'handingOver', false],
] as const)('role %i is %s, and takes orders: %s', (role, name, isLeading) => {
  const [writer, reader] = ends()
  writer.become(role)
  expect(reader.read().role).toBe(name)
  expect(reader.isLeading).toBe(isLeading)
})

test('a leader of a quorum leads until its confirmation ends, and again with the next', () => {
  const memory = new SharedArrayBuffer(ROLE_BYTES)
  let elapsedNs = 5_000_000_000
  const [writer, reader] = [
    new RoleCells(memory, new RealTime()),
    new RoleCells(memory, { elapsedNs: () => elapsedNs }),
  ]
  expect([reader.isOfQuorum, reader.isLeading, reader.isCutOff]).toEqual([false, true, false])
  writer.noteLeader(3, 'http://this:80')
  writer.confirm(6_000)
  expect([reader.isOfQuorum, reader.isLeading, reader.isCutOff]).toEqual([true, true, false])
  elapsedNs = 6_000_000_000
  expect([reader.isLeading, reader.isCutOff]).toEqual([false, true])
  expect(reader.read()).toMatchObject({ role: 'cutOff', epoch: 3, leader: '' })
  writer.become(Role.FOLLOWER)
  expect([reader.isLeading, reader.isCutOff]).toEqual([false, false])
  writer.become(Role.LEADER)
  writer.confirm(6_001)
  expect([reader.isLeading, reader.leader]).toEqual([true, 'http://this:80'])
})

test('a follower sees its lag, and each new leader', () => {
  const [writer, reader] = ends()
  writer.become(Role.FOLLOWER)
  writer.noteLag(12, 3.6)
  writer.noteLeader(7, 'https://one.example:8080')
  const first = { role: 'follower', epoch: 7, leader: 'https://one.example:8080' }
  expect(reader.read()).toEqual({ ...first, lagPositions: 12, lagMs: 4 })
  writer.noteLeader(8, 'http://two:80')
  expect(reader.leader).toBe('http://two:80')
  writer.noteLeader(9, '')
  expect(reader.leader).toBe('')
})

test.each([
  ['as long as there is room for', 'a'.repeat(LEADER_ADDRESS_BYTES_MAX), true],
  ['too long', 'a'.repeat(LEADER_ADDRESS_BYTES_MAX + 1), false],
  ['with the end of a header', 'http://one\r\nX-Other: 1', false],
  ['with a space', 'http://one two', false],
  ['with a letter beyond ASCII', 'http://bücher.example', false],
])('an address %s', (_, address, isKept) => {
  const [writer, reader] = ends()
  writer.noteLeader(1, 'http://before')
  writer.noteLeader(2, address)
  expect(reader.leader).toBe(isKept ? address : '')
})

test('while an address is written, the one before is read', () => {
  const memory = new SharedArrayBuffer(ROLE_BYTES)
  const [writer, reader] = [
    new RoleCells(memory, new RealTime()),
    new RoleCells(memory, new RealTime()),
  ]
  writer.noteLeader(1, 'http://before')
  expect(reader.leader).toBe('http://before')
  writer.noteLeader(2, 'http://after')
  // As if the writer stood between its two marks.
  const writes = new Int32Array(memory, 4, 1)
  Atomics.add(writes, 0, 1)
  expect(reader.leader).toBe('http://before')
  Atomics.add(writes, 0, 1)
  expect(reader.leader).toBe('http://after')
})

test('no member is ahead of its leader', () => {
  const [writer] = ends()
  expect(() => writer.noteLag(-1, 0)).toThrow('ahead')
})
