/** The admin server, over its own port. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimPort } from '../../../scripts/exchange/ports.ts'
import { AdminServer } from '../../../src/admin-api/admin-server.ts'
import { DISK_BYTES, DiskCells, DiskLevel } from '../../../src/shared/disk.ts'
import { noFeed } from './no-feed.ts'

const port = await claimPort()
let door: AdminServer

beforeEach(async () => {
  door = new AdminServer()
  await door.listen(port)
})
afterEach(() => door.close())

async function ask(path: string, method = 'GET'): Promise<[status: number, answer: unknown]> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Connection: 'close' },
  })
  return [response.status, await response.json()]
}

const actions = {
  ...noFeed,
  knows: () => true,
  answer: async () => [200, { said: 'Done.', rows: [] }] as const,
}

test('acts are open once the exchange runs, and nothing else is there', async () => {
  expect(await ask('/actions/halt', 'POST')).toEqual([
    503,
    { error: 'The exchange has not started yet.' },
  ])
  door.ready({ readCounters: () => [], metrics: undefined, actions })
  expect(await ask('/actions/halt', 'POST')).toEqual([200, { said: 'Done.', rows: [] }])
  expect(await ask('/actsy', 'POST')).toEqual([404, {}])
  expect(await ask('/')).toEqual([404, {}])
})

test('an action that fails is told so', async () => {
  const answer = () => Promise.reject(new Error('the disk is full'))
  door.ready({
    readCounters: () => [],
    metrics: undefined,
    actions: { ...noFeed, knows: () => true, answer },
  })
  expect(await ask('/actions/halt', 'POST')).toEqual([
    500,
    { error: 'The action failed: the disk is full' },
  ])
})

test('metrics are text for every caller, once the exchange runs and if they are wanted', async () => {
  expect(await ask('/metrics')).toEqual([503, { error: 'The exchange has not started yet.' }])
  door.ready({ readCounters: () => [], metrics: undefined, actions })
  expect(await ask('/metrics')).toEqual([404, { error: 'Metrics are off.' }])
  let text = 'up 1\n'
  const metrics = {
    text: () => {
      if (text === '') throw new Error('no')
      return text
    },
  }
  door.ready({ readCounters: () => [], metrics, actions })
  for (let i = 0; i < 2; i++) {
    const headers = { Connection: 'close' }
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers })
    expect([response.status, await response.text()]).toEqual([200, 'up 1\n'])
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  }
  text = ''
  expect(await ask('/metrics')).toEqual([500, { error: 'Metrics cannot be read: no.' }])
})

test('health and readiness', async () => {
  expect(await ask('/readyz')).toEqual([503, { ready: false }])
  expect(await ask('/counters')).toEqual([200, []])
  door.ready({ readCounters: () => [], metrics: undefined, actions })
  expect(await ask('/readyz')).toEqual([200, { ready: true }])
  door.unready()
  expect(await ask('/healthz')).toEqual([200, { ready: false }])
})

test('what is degraded is said, and orders are accepted all the same', async () => {
  door.ready({ readCounters: () => [], metrics: undefined, actions })
  door.degrade('archive', 'The archive is applied again.')
  door.degrade('snapshots', 'No snapshot was made.')
  door.degrade('archive', 'The archive waits.')
  const degraded = ['The archive waits.', 'No snapshot was made.']
  expect(await ask('/readyz')).toEqual([200, { ready: true, degraded }])
  expect(await ask('/healthz')).toEqual([200, { ready: true, degraded }])
  door.degrade('archive', undefined)
  door.degrade('snapshots', undefined)
  expect(await ask('/readyz')).toEqual([200, { ready: true }])
})

test('after a failure health fails, and no action is carried out', async () => {
  door.ready({ readCounters: () => [], metrics: undefined, actions })
  expect(await ask('/healthz')).toEqual([200, { ready: true }])
  door.fail('The disk is full.')
  const failed = [503, { ready: false, failure: 'The disk is full.' }]
  expect(await ask('/healthz')).toEqual(failed)
  expect(await ask('/readyz')).toEqual(failed)
  expect(await ask('/actions/halt', 'POST')).toEqual([503, { error: 'The disk is full.' }])
  expect(await ask('/counters')).toEqual([200, []])
})

test('a disk that fills is told, and leaves the exchange in rotation for its cancels', async () => {
  const cells = new DiskCells(new SharedArrayBuffer(DISK_BYTES))
  const room = { freeBytes: 8 * 2 ** 30, totalBytes: 100 * 2 ** 30, reserveBytes: 2 ** 30 }
  door.ready({ readCounters: () => [], metrics: undefined, actions, readDisk: () => cells.read() })
  cells.write({ ...cells.read(), ...room, bytesAnHour: -1, journalBytesAnHour: -1 })
  expect(await ask('/healthz')).toEqual([200, { ready: true }])
  cells.write({ ...cells.read(), level: DiskLevel.LOW, bytesAnHour: 2 ** 30 })
  const disk =
    '8.0 % of the disk (8.0 GiB) is free. ' +
    'At the growth of the last day the disk will reach the reserve in 7 hours.'
  expect(await ask('/healthz')).toEqual([200, { ready: true, disk }])
  cells.write({ ...cells.read(), isRefusing: true })
  const restriction = 'no new orders: disk reserve'
  for (const path of ['/healthz', '/readyz']) {
    expect(await ask(path)).toEqual([200, { ready: true, restriction, disk }])
  }
})
