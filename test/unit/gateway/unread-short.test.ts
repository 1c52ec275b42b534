/**
 * What the kernel does not take of short answers stays in uWebSockets.js, which counts nothing. One
 * connection that sends on and on and reads none is closed before that is much.
 */
import net from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../fixtures/eventually.ts'
import { limitSettings, OneThreadExchange } from '../../fixtures/one-thread-exchange.ts'

const MIB = 1 << 20
const REQUESTS = 200_000

let exchange: OneThreadExchange
let socket: net.Socket | undefined

beforeEach(async () => {
  exchange = await OneThreadExchange.start({ limits: limitSettings(['--limits', 'off']) })
})
afterEach(async () => {
  socket?.destroy()
  await exchange.close()
})

test.each([
  ['an unknown path', '/x', 0.05],
  ['a page for an unknown path', '/x', 16],
  ['an operation', '/api/v3/ping', 16],
  ['a refusal', '/api/v3/order', 16],
])('%s', async (name, path, mostMib) => {
  const accept = name.startsWith('a page') ? 'Accept:text/html\r\n' : ''
  const connection = net.connect({ port: exchange.port, host: '127.0.0.1' })
  socket = connection
  let isClosed = false
  connection.on('error', () => {})
  connection.on('close', () => {
    isClosed = true
  })
  connection.pause()
  const request = `GET ${path} HTTP/1.1\r\nHost:x\r\n${accept}\r\n`
  connection.write(request.repeat(REQUESTS))
  // Nothing is read until the requests have been taken or the connection has ended.
  let before = -1
  await eventually('an end', () => {
    const taken = connection.writableLength + exchange.counter('requests')
    const isQuiet = taken === before
    before = taken
    return isQuiet || isClosed || undefined
  })
  await eventually('the close', () => {
    connection.resume()
    return isClosed || undefined
  })
  // What the buffers of the kernel, both ways, and of the gateway hold: far less than the answers to all.
  expect(connection.bytesRead).toBeLessThan(mostMib * MIB)
  expect(exchange.counter('requests')).toBeLessThan(REQUESTS / 2)
})
