/** The operators' door, over its own port. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HealthDoor } from '../../../src/operator/health.ts'

const PORT = 18_296
const maintenance = new SharedArrayBuffer(4)
let door: HealthDoor

beforeEach(async () => {
  door = new HealthDoor()
  await door.listen(PORT)
})
afterEach(() => door.close())

async function ask(path: string, method = 'GET'): Promise<[status: number, answer: unknown]> {
  const response = await fetch(`http://127.0.0.1:${PORT}${path}`, {
    method,
    headers: { Connection: 'close' },
  })
  return [response.status, await response.json()]
}

test('maintenance is announced and called off, once the exchange runs', async () => {
  expect(await ask('/maintenance/on', 'PUT')).toEqual([503, { ready: false }])
  door.ready({ readCounters: () => [], maintenance })
  const cell = new Int32Array(maintenance)
  expect(await ask('/maintenance/on', 'PUT')).toEqual([200, { maintenance: true }])
  expect(cell[0]).toBe(1)
  expect(await ask('/maintenance/off', 'PUT')).toEqual([200, { maintenance: false }])
  expect(cell[0]).toBe(0)
  // What a page in a browser can send without being asked changes nothing.
  expect(await ask('/maintenance/on')).toEqual([404, {}])
  expect(await ask('/maintenance/on', 'POST')).toEqual([404, {}])
  expect(cell[0]).toBe(0)
})

test('health and readiness', async () => {
  expect(await ask('/readyz')).toEqual([503, { ready: false }])
  expect(await ask('/counters')).toEqual([200, []])
  door.ready({ readCounters: () => [], maintenance })
  expect(await ask('/readyz')).toEqual([200, { ready: true }])
  door.unready()
  expect(await ask('/healthz')).toEqual([200, { ready: false }])
})
