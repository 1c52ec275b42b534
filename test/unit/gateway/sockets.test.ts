/** How many sockets a gateway keeps open: of one address, and of all clients. */
import net from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { limitSettings, OneThreadExchange } from '../../fixtures/one-thread-exchange.ts'

const limitedTo = (...flags: readonly string[]) =>
  OneThreadExchange.start({ limits: limitSettings([...flags]) })

/** The status of an attempt, and what it opened. */
function upgrade(port: number): Promise<{ status: number; socket: WebSocket }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`)
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.once('open', () => resolve({ status: 101, socket }))
    socket.once('unexpected-response', (_, { statusCode = 0 }) =>
      resolve({ status: statusCode, socket }),
    )
  })
}

test('an address has so many WebSockets, and another when one is closed', async () => {
  const exchange = await limitedTo('--sockets-per-address', '2')
  const opened = [await upgrade(exchange.port), await upgrade(exchange.port)]
  expect(opened.map(({ status }) => status)).toEqual([101, 101])
  expect((await upgrade(exchange.port)).status).toBe(429)
  opened[0]!.socket.close()
  await expect.poll(async () => (await upgrade(exchange.port)).status).toBe(101)
  await exchange.close()
})

test('an address that is not limited has as many as it likes', async () => {
  const flags = ['--sockets-per-address', '1', '--exempt-addresses', '127.0.0.1']
  const exchange = await limitedTo(...flags)
  for (let i = 0; i < 3; i++) expect((await upgrade(exchange.port)).status).toBe(101)
  await exchange.close()
})

test('what comes beyond all sockets is closed, and those that are open continue', async () => {
  const exchange = await limitedTo('--sockets-max', '16')
  const ask = (socket: net.Socket) =>
    new Promise<string>((resolve) => {
      socket.once('data', (bytes) => resolve(bytes.toString().split('\r\n')[0]!))
      socket.once('close', () => resolve('closed'))
      socket.on('error', () => {})
      socket.write('GET /api/v3/ping HTTP/1.1\r\nHost: here\r\n\r\n')
    })
  // One address may have few.
  let hosts = 0
  const open = () => net.connect({ port: exchange.port, localAddress: `127.0.0.${2 + hosts++}` })
  const web = await upgrade(exchange.port)
  const sockets = Array.from({ length: 15 }, open)
  for (const socket of sockets) expect(await ask(socket)).toBe('HTTP/1.1 200 OK')
  expect(await ask(open())).toBe('closed')
  expect(await ask(sockets[3]!)).toBe('HTTP/1.1 200 OK')
  web.socket.close()
  await expect.poll(() => ask(open())).toBe('HTTP/1.1 200 OK')
  for (const socket of sockets) socket.destroy()
  await exchange.close()
})

test('one address with silent connections keeps no other out', async () => {
  const exchange = await limitedTo('--accepts-per-address', '20', '--sockets-max', '80')
  const open = (localAddress: string) =>
    net.connect({ port: exchange.port, host: '127.0.0.1', localAddress })
  const silent = Array.from({ length: 100 }, () => open('127.0.0.1').on('error', () => {}))
  await expect.poll(() => exchange.counter('socketsRefused')).toBe(80)
  const other = open('127.0.0.2')
  const answer = new Promise<string>((resolve) => {
    other.once('data', (bytes) => resolve(bytes.toString().split('\r\n')[0]!))
    other.once('close', () => resolve('closed'))
  })
  other.write('GET /api/v3/ping HTTP/1.1\r\nHost: here\r\n\r\n')
  expect(await answer).toBe('HTTP/1.1 200 OK')
  for (const socket of [...silent, other]) socket.destroy()
  await exchange.close()
})
