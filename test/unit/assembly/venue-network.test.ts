/** Networks between clients and an exchange: what a client gets of a plain server behind one, and of an exchange. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import type { VenueConditions, VenueNetwork } from '../../../src/assembly/options.ts'
import { NETWORKS_MAX, Networks } from '../../../src/assembly/venue-network.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { readToken } from '../../../src/control/token.ts'
import { startExchange } from '../../../src/index.ts'

/** Sends back what it gets; after a `!` it ends. */
let echo: Server
let networks: Networks
/** Connections that reached the server. */
let reached: Socket[]

beforeEach(async () => {
  reached = []
  echo = createServer({ allowHalfOpen: true }, (socket) => {
    reached.push(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      socket.write(bytes)
      if (bytes.includes('!')) socket.end()
    })
    socket.once('end', () => socket.end())
  })
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  networks = new Networks((echo.address() as { port: number }).port, new RealTime())
})

afterEach(async () => {
  await networks.close()
  for (const socket of reached) socket.destroy()
  echo.close()
})

interface Client {
  readonly socket: Socket
  /** What it has read, piece by piece, and when. */
  readonly pieces: { readonly text: string; readonly ms: number }[]
  /** Resolves to how it ended: `end`, or the code of an error. */
  readonly ended: Promise<string>
}

const textOf = ({ pieces }: Client) => pieces.map(({ text }) => text).join('')

function clientOf({ port }: VenueNetwork, text = ''): Client {
  const socket = connect(port, '127.0.0.1')
  const beganMs = performance.now()
  const pieces: Client['pieces'] = []
  socket.on('data', (bytes) => {
    pieces.push({ text: bytes.toString('latin1'), ms: performance.now() - beganMs })
  })
  const ended = new Promise<string>((resolve) => {
    socket.once('end', () => resolve('end'))
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)))
  })
  socket.write(text)
  return { socket, pieces, ended }
}

test('without conditions all bytes pass both ways, and so does an end of one way', async () => {
  const network = await networks.add({})
  const client = clientOf(network, 'abc')
  client.socket.end('def')
  expect(await client.ended).toBe('end')
  expect(textOf(client)).toBe('abcdef')
  await expect.poll(() => network.connections).toBe(0)
})

test('more than is kept passes in parts', async () => {
  const network = await networks.add({ up: { ms: 30 }, down: { ms: 30 } })
  const large = clientOf(network, `${'x'.repeat(5_000_000)}!`)
  expect(await large.ended).toBe('end')
  expect(textOf(large)).toHaveLength(5_000_001)
})

test('a connection is refused, accepted again, held in silence, or reset', async () => {
  const network = await networks.add({ connect: 'refuse' })
  expect(await clientOf(network, 'a').ended).toBe('ECONNREFUSED')
  await network.set({})
  const kept = clientOf(network, 'a')
  await expect.poll(() => textOf(kept)).toBe('a')
  await network.set({ connect: 'refuse' })
  expect(await clientOf(network, 'a').ended).toBe('ECONNREFUSED')
  kept.socket.write('b')
  await expect.poll(() => textOf(kept)).toBe('ab')
  await network.set({ connect: 'silent' })
  const silent = clientOf(network, 'a')
  await expect.poll(() => network.connections).toBe(2)
  await network.set({ connect: 'reset' })
  expect(await clientOf(network, 'a').ended).toBe('ECONNRESET')
  expect(textOf(silent)).toBe('')
  expect(reached).toHaveLength(1)
  network.reset()
  expect(await Promise.all([silent.ended, kept.ended])).toEqual(['ECONNRESET', 'ECONNRESET'])
  await expect.poll(() => network.connections).toBe(0)
})

test('a cut ends the connection after so many bytes, anywhere', async () => {
  const network = await networks.add({ down: { cut: 5 } })
  const client = clientOf(network, 'abcdefgh!')
  expect(await client.ended).toBe('end')
  expect(textOf(client)).toBe('abcde')
  await network.set({ up: { cut: 3 } })
  await clientOf(network, 'abcdefgh').ended
  await expect.poll(() => network.connections).toBe(0)
  await network.set({})
  const open = clientOf(network, 'abc')
  await expect.poll(() => textOf(open)).toBe('abc')
  await network.set({ down: { cut: 4 } })
  open.socket.write('defgh')
  expect(await open.ended).toBe('end')
  expect(textOf(open)).toBe('abcdefg')
  const exact = await networks.add({ down: { cut: 3 } })
  const three = clientOf(exact, 'abc')
  expect(await three.ended).toBe('end')
  expect(textOf(three)).toBe('abc')
})

test('slices come one by one', async () => {
  const network = await networks.add({ down: { slice: 2 } })
  const client = clientOf(network, 'abcde!')
  expect(await client.ended).toBe('end')
  expect(textOf(client)).toBe('abcde!')
  expect(client.pieces[0]?.text).toBe('ab')
})

test('a bandwidth is kept, and none passes nothing until it changes', async () => {
  const network = await networks.add({ down: { bandwidth: 10_000 } })
  const client = clientOf(network, `${'x'.repeat(4_999)}!`)
  expect(await client.ended).toBe('end')
  expect(textOf(client)).toHaveLength(5_000)
  expect(client.pieces.at(-1)!.ms).toBeGreaterThan(450)
  await network.set({ down: { bandwidth: 0 } })
  const stopped = clientOf(network, 'ab')
  await delay(100)
  expect(textOf(stopped)).toBe('')
  await network.set({})
  await expect.poll(() => textOf(stopped)).toBe('ab')
})

test('what is passed slowly is not read faster', async () => {
  const network = await networks.add({ up: { bandwidth: 0 } })
  const client = clientOf(network)
  const isTaken = () => client.socket.write(Buffer.alloc(1 << 20))
  // The kernel's buffers of both sockets take some; the network takes a megabyte.
  await expect
    .poll(() => {
      while (client.socket.writableLength < 1 << 24) isTaken()
      return client.socket.writableLength
    })
    .toBeGreaterThan(1 << 23)
  await delay(200)
  expect(client.socket.writableLength).toBeGreaterThan(1 << 22)
})

test('delays are of each way and keep the order', async () => {
  const network = await networks.add({ down: { ms: 120 }, up: { ms: 80 } })
  const client = clientOf(network, 'a')
  await expect.poll(() => textOf(client)).toBe('a')
  expect(client.pieces[0]!.ms).toBeGreaterThan(195)
  await network.set({ down: { ms: 0, spread: 'uniform', most: 60 } })
  for (const letter of 'bcdefgh') {
    client.socket.write(letter)
    await delay(5)
  }
  await expect.poll(() => textOf(client)).toBe('abcdefgh')
})

test.each<[VenueConditions, string]>([
  [{ connect: 'deny' } as never, 'connect must be "accept", "refuse", "silent" or "reset".'],
  [{ donw: {} } as never, 'A network has no donw. Did you mean down?'],
  [{ up: { bandwith: 3 } } as never, 'A network has no bandwith. Did you mean bandwidth?'],
  [{ up: { bandwidth: -1 } }, 'bandwidth must be a whole number from 0.'],
  [{ down: { slice: 0 } }, 'slice must be a whole number from 1.'],
  [{ down: { cut: 1.5 } }, 'cut must be a whole number from 1.'],
  [{ down: { ms: 60_001 } }, 'ms must be a whole number from 0 to 60000.'],
  [{ down: { spread: 'uniform' } }, 'lag needs the field ms.'],
])('%j is refused', async (conditions, sentence) => {
  await expect(networks.add(conditions)).rejects.toThrow(sentence)
  const network = await networks.add({})
  await expect(network.set(conditions)).rejects.toThrow(sentence)
})

test('a network has 512 connections', async () => {
  const network = await networks.add({ connect: 'silent' })
  const kept = Array.from({ length: 512 }, () => clientOf(network))
  await expect.poll(() => network.connections).toBe(512)
  expect(await clientOf(network, 'a').ended).toMatch(/end|ECONNRESET/)
  expect(network.connections).toBe(512)
  kept[0]!.socket.destroy()
  await expect.poll(() => network.connections).toBe(511)
  const next = clientOf(network)
  await expect.poll(() => network.connections).toBe(512)
  for (const { socket } of [...kept, next]) socket.destroy()
})

test('a network that is asked for during a close of all is refused', async () => {
  const asked = networks.add({})
  await networks.close()
  await expect(asked).rejects.toThrow('The exchange is closed.')
})

test('a closed network refuses, frees its port, and may be closed again', async () => {
  const network = await networks.add({})
  const client = clientOf(network, 'a')
  await expect.poll(() => textOf(client)).toBe('a')
  await network.close()
  await network.close()
  expect(await client.ended).toBe('ECONNRESET')
  await expect(network.set({})).rejects.toThrow('The network is closed.')
  expect(await clientOf(network).ended).toBe('ECONNREFUSED')
})

test('an exchange has networks of its own for REST and for streams, which end with it', async () => {
  const exchange = await startExchange()
  const rest = await exchange.network({ connect: 'refuse' })
  const streams = await exchange.network({ down: { cut: 400 } })
  await expect(fetch(`${rest.url}/api/v3/time`)).rejects.toThrow()
  await rest.set({ down: { slice: 10 } })
  expect((await fetch(`${rest.url}/api/v3/exchangeInfo`)).status).toBe(200)
  // The handshake and the first answer have some 200 bytes: the cut is within the second, which names all streams.
  const socket = new WebSocket(`${streams.wsUrl}/ws`)
  await once(socket, 'open')
  const intervals = ['1s', '1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h']
  const params = ['btcusdt', 'ethusdt'].flatMap((symbol) =>
    intervals.map((interval) => `${symbol}@kline_${interval}`),
  )
  const frames: unknown[] = []
  socket.on('message', (frame) => frames.push(frame))
  socket.send(JSON.stringify({ method: 'SUBSCRIBE', params, id: 1 }))
  await expect.poll(() => frames).toHaveLength(1)
  const closed = once(socket, 'close')
  socket.send(JSON.stringify({ method: 'LIST_SUBSCRIPTIONS', id: 2 }))
  expect((await closed)[0]).toBe(1006)
  expect(frames).toHaveLength(1)
  const kept = new WebSocket(`${rest.wsApiUrl}`)
  await once(kept, 'open')
  const ended = once(kept, 'close')
  await exchange.close()
  await ended
  await expect(exchange.network()).rejects.toThrow('The exchange is closed.')
  await expect(fetch(`${rest.url}/api/v3/time`)).rejects.toThrow()
})

test('operators have networks of an embedded exchange too', async () => {
  const exchange = await startExchange()
  const act = async (action: string, given: object = {}) => {
    const answer = await fetch(`${exchange.adminUrl}/actions/${action}`, {
      method: 'POST',
      body: JSON.stringify(given),
      headers: { Authorization: `Bearer ${readToken(exchange.folder)}` },
    })
    return (await answer.json()) as { error?: string; rows: { network: number; url: string }[] }
  }
  const own = await exchange.network({ connect: 'reset' })
  const { rows } = await act('network-add', { conditions: { down: { ms: 1 } } })
  const [{ network, url } = { network: 0, url: '' }] = rows
  expect((await fetch(`${url}/api/v3/ping`)).status).toBe(200)
  expect((await act('networks')).rows).toMatchObject([
    { network: own.port, connect: 'reset', connections: 0 },
    { network, connect: 'accept', connections: 1 },
  ])
  const wrong = async (action: string, given: object) => (await act(action, given)).error
  expect(await wrong('network-add', { conditions: 'ms' })).toMatch('is not JSON')
  expect(await wrong('network-add', { conditions: [1] })).toBe('conditions must be an object.')
  expect(await wrong('network-add', { conditions: { up: 7 } })).toBe('up must be an object.')
  expect(await wrong('network-set', { network, conditions: { upp: {} } })).toMatch('no upp.')
  expect(await wrong('network-reset', { network: 1 })).toBe('There is no network 1.')
  await act('network-set', { network, conditions: { connect: 'refuse' } })
  await act('network-reset', { network })
  await expect.poll(async () => (await act('networks')).rows[1]).toMatchObject({ connections: 0 })
  await expect(fetch(`${url}/api/v3/ping`)).rejects.toThrow()
  await act('network-remove', { network: own.port })
  await expect(own.set({})).rejects.toThrow('The network is closed.')
  await exchange.close()
})

test('an exchange has a bounded number of networks, and room again when one is closed', async () => {
  const all = await Promise.all(Array.from({ length: NETWORKS_MAX }, () => networks.add({})))
  await expect(networks.add({})).rejects.toThrow('There are 64 networks: remove one first.')
  await all[3]!.close()
  await networks.add({})
  await expect(networks.add({})).rejects.toThrow('There are 64 networks')
})
