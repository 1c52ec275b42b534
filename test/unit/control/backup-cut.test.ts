/** The moment of a backup: all matchers pause at once, or there is none. */
import { expect, test } from 'vitest'
import { Ms } from '../../../src/base/units.ts'
import { ActionError } from '../../../src/control/action.ts'
import { Pause } from '../../../src/shared/control-message.ts'
import { controlPlaneOf } from './matchers-plane.ts'
import { ActionBench } from './plain-control-plane.ts'

test('it has the positions of all matchers, who continue afterwards', async () => {
  const cells: Int32Array[] = []
  const cut = await controlPlaneOf((cell) => cells.push(cell)).cut()
  expect(cut).toEqual({ timeMs: Ms(1), control: 9, positions: [3, 4], snapshot: 7 })
  expect(cells.map(([value]) => value)).toEqual([Pause.RESUMED, Pause.RESUMED])
})

test('a snapshot made while matchers pause may cover later blocks, so it is not in it', async () => {
  let newest = 7
  const published = BigInt64Array.of(3n, 4n)
  const held = (cell: Int32Array) => {
    newest = 8
    published[0] = 5n
    cell[0] = Pause.PAUSED
  }
  const cut = await controlPlaneOf(held, { newestSnapshot: () => newest, published }).cut()
  // Matchers that are held have published all that they journaled.
  expect(cut).toMatchObject({ positions: [5, 4], snapshot: 7 })
})

test('a matcher that waited too long makes the moment unusable', async () => {
  const cut = controlPlaneOf((cell) => {
    cell[0] = Pause.GIVEN_UP
  }).cut()
  await expect(cut).rejects.toThrow(ActionError)
  await expect(cut).rejects.toThrow('The matchers did not pause in time; try again.')
})

test('a second backup has to wait', async () => {
  const backups = {
    isBusy: true,
    progress: undefined,
    copy: async () => ({}),
    copyArchive: async () => {},
  }
  const cut = controlPlaneOf(() => {}, { backups }).cut()
  await expect(cut).rejects.toThrow('A backup is under way already.')
})

test('status says how far one is', async () => {
  const bench = await ActionBench.make()
  bench.controlPlane.copying = { blocks: 25, ofAll: 100, seconds: 5 }
  const { rows } = await bench.executor.act('status', {})
  expect(rows.at(-1)).toEqual({
    what: 'backup',
    value: 25,
    unit: '%, 5 blocks a second, 15 seconds left',
  })
})
