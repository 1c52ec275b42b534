/** Saved states: their names and bounds, and what the first content of a folder is. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { AccountId, Ms } from '../../../src/base/units.ts'
import type { ActionFact, Fact } from '../../../src/control/facts.ts'
import {
  firstFacts,
  SavedStates,
  type SavedStatesParts,
} from '../../../src/control/saved-states.ts'
import { type BackupManifest, FORMAT, MANIFEST } from '../../../src/journal/backup.ts'
import { JOURNAL_LAYOUT } from '../../../src/journal/block.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import {
  FORK_MANIFEST,
  type SavedState,
  STATES_BYTES_MAX,
  STATES_MAX,
  type StateKind,
} from '../../../src/journal/states.ts'
import { restoreFs, spyOnFs } from '../../fixtures/spied-fs.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'
import { ActionBench } from './plain-control-plane.ts'

const dataFolder = folderPerTest()
afterEach(() => restoreFs())

const action: ActionFact = { fact: 'act', name: 'load', by: 'owner', timeMs: Ms(1), given: {} }
const none: Omit<SavedStatesParts, 'dataFolder'> = {
  control: { entries: () => [] },
  isCopying: () => false,
  tryContent: async () => {},
  replace: async () => {},
}
const statesOf = (more: Partial<SavedStatesParts> = {}) =>
  new SavedStates({ dataFolder: dataFolder(), ...none, ...more })

/** As a copy leaves it. */
function put(kind: StateKind, name: string): string {
  const folder = statesOf().folderFor(kind, name)
  const cut = { timeMs: Ms(5), control: 0, positions: [], snapshot: 0 }
  const manifest: BackupManifest = { format: FORMAT, layout: JOURNAL_LAYOUT, ...cut, blocks: 0 }
  fs.mkdirSync(folder)
  const file = kind === 'state' ? MANIFEST : FORK_MANIFEST
  fs.writeFileSync(path.join(folder, file), JSON.stringify(manifest))
  return folder
}

test('a path is of a folder that is not there, in one that is, outside of the data folder', () => {
  const states = statesOf()
  const beside = `${dataFolder()}-beside`
  const link = path.join(os.tmpdir(), `link-of-${path.basename(dataFolder())}`)
  fs.mkdirSync(beside)
  fs.symlinkSync(dataFolder(), link)
  try {
    expect(states.folderForPath(path.join(beside, 'state'))).toContain(dataFolder())
    for (const inside of [dataFolder(), `${beside}/../${path.basename(dataFolder())}`, link]) {
      const refused = () => states.folderForPath(`${inside}/journal-9`)
      expect(refused).toThrow(`${inside}/journal-9 lies within the data folder.`)
    }
    expect(() => states.folderForPath(beside)).toThrow('exists already.')
    expect(() => states.folderForPath('/none/state')).toThrow('/none is no folder: make it first.')
  } finally {
    for (const each of [link, beside]) fs.rmSync(each, { recursive: true })
  }
})

test('with a chain outside, nothing is loaded, reset, forked, marked or reverted to', async () => {
  const marks = { mark: () => expect.fail(), revert: () => expect.fail() }
  const states = statesOf({ isUndoable: false, marks })
  const outside = /^Withdrawals are paid outside of the exchange/
  expect(states.folderFor('state', 'monday')).toContain('monday')
  expect(() => states.folderFor('fork', 'other')).toThrow(outside)
  expect(() => states.mark()).toThrow(outside)
  for (const goneBack of [
    () => states.load({ kind: 'state', name: 'monday' } as SavedState, action),
    () => states.reset(action),
    () => states.revert('mark', 'end'),
  ]) {
    await expect(async () => goneBack()).rejects.toThrow(outside)
  }
})

test.each([
  '',
  '.',
  '..',
  'a/b',
  'a.b',
  '-a',
  'a'.repeat(33),
  'a b',
  '\u00e9',
])('%j is no name of a state', (name) => {
  expect(() => statesOf().folderFor('state', name)).toThrow('name must be letters, digits')
})

test('states and forks share their names', () => {
  put('state', 'one')
  put('fork', 'two')
  expect(statesOf().rows()).toMatchObject([
    { kind: 'state', name: 'one', timeMs: 5 },
    { kind: 'fork', name: 'two', timeMs: 5 },
  ])
  expect(() => statesOf().folderFor('fork', 'one')).toThrow('There is a state one already.')
  expect(() => statesOf().folderFor('state', 'two')).toThrow('There is a fork two already.')
})

test('there are at most so many', () => {
  for (let i = 0; i < STATES_MAX; i++) put(i % 2 === 0 ? 'state' : 'fork', `s${i}`)
  expect(() => statesOf().folderFor('state', 'more')).toThrow('remove one first')
  statesOf().remove(statesOf().rows()[0]!)
  expect(statesOf().folderFor('state', 'more')).toBe(dataFolder('states', 'more'))
})

test.each([
  ['control/data.mdb', 1, true],
  ['control/data.mdb', 0, false],
  ['journal-0/data.mdb', 1, true],
  ['old-journals/journal-0/removed', 1, true],
  ['archive-base/data.mdb', 1, true],
  ['snapshots/snapshot-000000000001', 1, false],
  ['journal-0/wal-0', 1, false],
])('with %s in the next copy, states take at most so many bytes together', (name, blocks, isFull) => {
  const saved = path.join(put('state', 'one'), 'data')
  fs.writeFileSync(saved, 'x')
  const manifest = path.join(path.dirname(saved), MANIFEST)
  const next = dataFolder(name)
  fs.mkdirSync(path.dirname(next), { recursive: true })
  fs.writeFileSync(next, 'x')
  const sizes = new Map([
    [saved, STATES_BYTES_MAX / 512],
    [manifest, 0],
    [next, blocks],
  ])
  const real = fs.statSync
  spyOnFs('statSync').mockImplementation(((file: string, options: object) => {
    const [found, given] = [real(file, options), sizes.get(file)]
    return given === undefined ? found : Object.assign(found!, { blocks: given })
  }) as typeof fs.statSync)
  const two = () => statesOf().folderFor('state', 'two')
  if (isFull) expect(two).toThrow('may take 8 GiB together')
  else expect(two()).toBe(dataFolder('states', 'two'))
})

test('what interrupted copies left is gone at the next start', () => {
  const folder = put('state', 'one')
  for (const rest of ['two.partial', 'two.archive']) fs.mkdirSync(path.join(folder, '..', rest))
  statesOf()
  expect(fs.readdirSync(dataFolder('states'))).toEqual(['one'])
})

test('a fork is not loaded, and nothing is loaded while a copy is made, or another one', async () => {
  put('fork', 'fork')
  const [fork] = statesOf().rows()
  expect(() => statesOf().load(fork!, action)).toThrow('fork is a fork')
  const copying = statesOf({ isCopying: () => true })
  await expect(copying.reset(action)).rejects.toThrow('A copy is under way')
  fs.writeFileSync(dataFolder('secret.key'), 'key')
  const states = statesOf({ replace: () => new Promise(() => {}) })
  void states.reset(action)
  await expect(states.reset(action)).rejects.toThrow('Another state is being loaded.')
})

test('a copy that fails is removed, and nothing has changed', async () => {
  put('state', 'one')
  const [state] = statesOf().rows()
  fs.rmSync(dataFolder('states', 'one'), { recursive: true })
  const replace = () => expect.unreachable('nothing is whole')
  await expect(statesOf({ replace }).load(state!, action)).rejects.toThrow('is not a backup')
  expect(fs.readdirSync(dataFolder())).toEqual(['states'])
})

test('content that the exchange could not start on is removed, and nothing has changed', async () => {
  put('state', 'one')
  const [state] = statesOf().rows()
  const replace = () => expect.unreachable('the exchange goes on')
  const tried: string[] = []
  const tryContent = async ({ folder, of }: { folder: string; of: string }) => {
    tried.push(path.relative(dataFolder(), folder), of)
    throw new Error('There is no room.')
  }
  const loaded = statesOf({ replace, tryContent }).load(state!, action)
  await expect(loaded).rejects.toThrow('There is no room.')
  expect(tried).toEqual(['replacing.partial', 'the state one'])
  expect(fs.readdirSync(dataFolder())).toEqual(['states'])
})

test('a stop waits for the copy that is under way, and none begins after it', async () => {
  const folder = put('state', 'one')
  fs.writeFileSync(path.join(folder, 'large'), Buffer.alloc(8 << 20))
  const states = statesOf()
  const [state] = states.rows()
  const loaded = states.load(state!, action)
  await states.left()
  expect(fs.existsSync(dataFolder('replacing.partial', 'control', 'data.mdb'))).toBe(true)
  await expect(states.load(state!, action)).rejects.toThrow('The exchange is stopping.')
  await loaded.catch(() => {})
})

test('a reset notes the action behind the first facts', async () => {
  fs.writeFileSync(dataFolder('secret.key'), 'key')
  const facts = [{ fact: 'demo' }, { fact: 'start', epoch: 1, timeMs: 1 }, { fact: 'demo' }]
  const replace = async (swap: () => void) => swap()
  await statesOf({ control: { entries: () => facts as never }, replace }).reset(action)
  const control = ControlStore.open(dataFolder())
  expect([...control.entries()]).toEqual([{ fact: 'demo' }, action])
  control.close()
})

test('the first facts end at the first start, or at their mark', () => {
  const start: Fact = { fact: 'start', epoch: 1, timeMs: Ms(1) }
  const journals: Fact = { fact: 'journals', count: 1 }
  const waiting: Fact = { fact: 'seed', orders: [{ account: AccountId(1), params: {} }] }
  const placed: Fact = { fact: 'seed', orders: [] }
  const demo: Fact = { fact: 'demo' }
  const mark: Fact = { fact: 'first' }
  expect(firstFacts([demo, waiting, start, placed, journals])).toEqual([demo, waiting])
  expect(firstFacts([demo, start, journals, action, mark, start, demo])).toEqual([
    demo,
    action,
    mark,
  ])
})

test('actions save, fork, load, reset and remove', async () => {
  const bench = await ActionBench.make()
  await bench.ask('save two')
  await bench.ask('fork three')
  expect((await bench.ask('load one')).said).toBe('The state one is loaded.')
  expect((await bench.ask('reset')).said).toBe('The first content is loaded.')
  expect((await bench.ask('state-remove one')).said).toBe('The state one is removed.')
  expect((await bench.ask('mark')).rows).toEqual([{ mark: 'a-1' }])
  expect((await bench.ask('revert a-1')).rows).toEqual([{ mark: 'a-1 again' }])
  expect((await bench.ask('save /tmp/there')).said).toBe('The state is saved to /tmp/there.')
  await expect(bench.ask('load other')).rejects.toThrow('There is no state other.')
  const { done } = bench.controlPlane
  expect(done[0]).toBe('copy the archive to /data/states/two')
  expect(done[1]).toMatch(/^backup 3,4 of \d+ to \/data\/states\/two$/)
  expect(done[3]).toMatch(/to \/data\/forks\/three$/)
  expect(done.slice(4)).toEqual([
    ...['load one by owner', 'reset by owner', 'remove one'],
    'copy the archive to /data/states/path',
    expect.stringMatching(/^backup 3,4 of \d+ to \/data\/states\/path$/),
    'place /data/states/path at /tmp/there',
  ])
  expect(await bench.executor.preview('load', { name: 'one' })).toMatchObject({
    does: 'Load one, the state of 1970-01-01T00:00:00.000Z',
    note: 'All connections end, and what happened since is gone.',
  })
})
