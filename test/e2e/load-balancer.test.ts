/**
 * HAProxy with the shipped configuration before an exchange: orders reach the member that leads, and its
 * clients' addresses reach it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { claimPort } from '../../scripts/exchange/ports.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { toolPath } from '../runner/tools.ts'

const program = toolPath('haproxy')
/** In the configuration. */
const MEMBERS = [1, 2, 3]
const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-proxy-'))

let leader: ExchangeProcess
let follower: http.Server
let proxy: ChildProcess
let orders = ''
let reads = ''

beforeAll(async () => {
  if (program === undefined) return
  leader = await ExchangeProcess.start(['--trusted-proxies', '127.0.0.1'])
  // A member that does not lead, and names who answered.
  follower = http.createServer(({ url }, response) => {
    response.writeHead(url === '/ringbook/role' ? 503 : 200, { 'x-member': 'follower' }).end('{}')
  })
  follower.listen(0, '127.0.0.1')
  await once(follower, 'listening')
  const members = [leader.port, (follower.address() as AddressInfo).port, await claimPort()]
  const [ordersPort, readsPort] = [await claimPort(), await claimPort()]
  orders = `http://127.0.0.1:${ordersPort}`
  reads = `http://127.0.0.1:${readsPort}`
  const text = readFileSync('scripts/deploy/replicated/haproxy.cfg', 'utf8')
    .replaceAll(/10\.0\.0\.2(\d):8080/g, (_, at) => `127.0.0.1:${members[Number(at) - 1]}`)
    .replace('bind :8000', `bind 127.0.0.1:${ordersPort}`)
    .replace('bind :8001', `bind 127.0.0.1:${readsPort}`)
    // It takes two open files each, of those that this process may have.
    .replace('maxconn 20000', 'maxconn 100')
  const file = path.join(folder, 'haproxy.cfg')
  writeFileSync(file, text)
  proxy = spawn(program, ['-f', file], { stdio: 'ignore' })
})
afterAll(async () => {
  proxy?.kill()
  follower?.close()
  await leader?.remove()
  rmSync(folder, { recursive: true })
})

test.runIf(program !== undefined)(
  'leads orders to the member whose role is the leader, and nowhere without it',
  async () => {
    // Until it has asked them, the proxy takes all members for leaders, by turns.
    await eventually('the leader alone behind the proxy', async () => {
      for (const _ of MEMBERS) {
        const role = await fetch(`${orders}/ringbook/role`).catch(() => undefined)
        if (role?.status !== 200) return undefined
      }
      return 'alone'
    })
    const client = new SignedClient(orders, leader.keys().trader1!)
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    const placed = await client.send('POST', '/api/v3/order', {
      ...order,
      quantity: '0.01',
      price: '30000',
    })
    expect(placed).toMatchObject({ status: 200, body: { status: 'NEW' } })

    const { code } = await leader.stop()
    expect(code).toBe(0)
    await eventually('no leader', async () => {
      const role = await fetch(`${orders}/ringbook/role`)
      return role.status === 503 && !role.headers.has('x-member') ? role.status : undefined
    })
    // What reads continues.
    await eventually('another member', async () => {
      const ping = await fetch(`${reads}/api/v3/ping`)
      return ping.headers.get('x-member') ?? undefined
    })
  },
)
