/** Clients by https and wss: every way in, both gateways, and what an operator can get wrong. */
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { claimPort } from '../../scripts/exchange/ports.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { ownCertificate } from '../fixtures/certificate.ts'
import { eventually } from '../fixtures/eventually.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { act } from './admin-server.ts'

const own = ownCertificate()
const folder = temporaryFolder()
const certFile = write('cert.pem', own.certificate)
const keyFile = write('key.pem', own.key)

function write(name: string, text: string, mode = 0o600): string {
  const file = path.join(folder, name)
  writeFileSync(file, text, { mode })
  return file
}

const started: ExchangeProcess[] = []
async function prepare(...flags: readonly string[]): Promise<ExchangeProcess> {
  const exchange = await ExchangeProcess.prepare(flags)
  started.push(exchange)
  return exchange
}
afterAll(async () => {
  for (const exchange of started) await exchange.remove()
})

describe('an exchange with a certificate', () => {
  let exchange: ExchangeProcess
  let address: string
  let sbePort: number

  beforeAll(async () => {
    sbePort = await claimPort()
    const tls = ['--tls-cert', certFile, '--tls-key', keyFile]
    exchange = await prepare(...tls, '--liquidity', 'on', '--sbe-port', String(sbePort))
    await exchange.run()
    address = `127.0.0.1:${exchange.port}`
  })

  /** Over a separate connection, so that any gateway may answer. */
  function ask(method: string, target: string, apiKey = ''): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const options = {
        method,
        ca: own.certificate,
        agent: false,
        headers: { 'X-MBX-APIKEY': apiKey },
      }
      const request = https.request(`https://${address}${target}`, options, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        response.on('end', () => resolve(JSON.parse(text)))
      })
      request.on('error', reject)
      request.end()
    })
  }

  function open(target: string): Promise<WebSocket> {
    const socket = new WebSocket(`wss://${address}${target}`, { ca: own.certificate })
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(socket))
      socket.once('error', reject)
    })
  }

  test('is asked by https, at every gateway', async () => {
    for (let i = 0; i < 16; i++) expect(await ask('GET', '/api/v3/ping')).toEqual({})
    const key = exchange.keys().maker!
    const signed = new SignedClient(exchange.url, key)
    const order = { symbol: 'ADAUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    const query = signed.sign({ ...order, quantity: '100', price: '0.4' })
    expect(await ask('POST', `/api/v3/order?${query}`, key.apiKey)).toMatchObject({ status: 'NEW' })
  })

  test('streams in SBE by wss, on both ports, also once its certificate was read again', async () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const pem = String(publicKey.export({ type: 'spki', format: 'pem' }))
    const given = { account: 'maker', kind: 'ED25519', 'public-key': pem }
    const { apiKey } = (await act(exchange, 'key-create', given)).rows[0]!
    const options = { ca: own.certificate, headers: { 'X-MBX-APIKEY': String(apiKey) } }
    const ids: number[] = []
    for (let round = 0; round < 2; round++) {
      for (const to of [`${address}/sbe`, `127.0.0.1:${sbePort}`]) {
        const socket = new WebSocket(`wss://${to}/ws/btcusdt@depth20`, options)
        const [message, isBinary] = await once(socket, 'message')
        if (isBinary) ids.push((message as Buffer).readUInt16LE(2))
        socket.close()
      }
      await act(exchange, 'reload', {})
    }
    expect(ids).toEqual([10_002, 10_002, 10_002, 10_002])
  })

  test('streams by wss, and answers over it', async () => {
    const streams = await open('/ws/btcusdt@depth5@100ms')
    const frame = await new Promise<Buffer>((resolve) => streams.once('message', resolve))
    expect(JSON.parse(frame.toString())).toHaveProperty('lastUpdateId')
    streams.close()
    const api = await open('/ws-api/v3')
    api.send('{"id":1,"method":"ping"}')
    const answer = await new Promise<Buffer>((resolve) => api.once('message', resolve))
    expect(JSON.parse(answer.toString())).toMatchObject({ id: 1, status: 200 })
    api.close()
  })

  test('is where market making trades', async () => {
    await eventually('books that live', async () => {
      const { bids } = await ask('GET', '/api/v3/depth?symbol=BTCUSDT')
      return (bids as unknown[]).length > 0 || undefined
    })
  })

  test('says nothing in the clear', async () => {
    const refused = new Promise((_, reject) => {
      http.get(`http://${address}/api/v3/ping`, reject).on('error', reject)
    })
    await expect(refused).rejects.toThrow()
  })

  test('says by which address it is reached', () => {
    expect(exchange.output).toContain(`"url":"https://${address}"`)
    expect(exchange.output).not.toContain('others than its owner')
  })
})

test('a certificate is read again while connections continue', async () => {
  const certificates = [ownCertificate(), ownCertificate(), ownCertificate()]
  const certFile = write('served.pem', certificates[0]!.certificate)
  const keyFile = write('served-key.pem', certificates[0]!.key)
  const exchange = await prepare(
    ...['--tls-cert', certFile, '--tls-key', keyFile, '--liquidity', 'on'],
  )
  await exchange.run()
  const open = async (ca: string): Promise<WebSocket> => {
    const socket = new WebSocket(`wss://127.0.0.1:${exchange.port}/ws/btcusdt@trade`, { ca })
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    return socket
  }
  const sockets = [await open(certificates[0]!.certificate)]
  write('served-key.pem', certificates[1]!.key)
  await expect(act(exchange, 'reload', {})).rejects.toThrow('are no certificate and its key')
  await expect(open(certificates[1]!.certificate)).rejects.toThrow()
  for (const { certificate, key } of certificates.slice(1)) {
    write('served.pem', certificate)
    write('served-key.pem', key)
    await act(exchange, 'reload', {})
    // Whichever gateway takes it.
    for (let i = 0; i < 8; i++) (await open(certificate)).terminate()
    sockets.push(await open(certificate))
  }
  await expect(open(certificates[1]!.certificate)).rejects.toThrow()
  await eventually(
    'the end of the oldest',
    () => sockets[0]!.readyState === WebSocket.CLOSED || undefined,
  )
  const frames = sockets
    .slice(1)
    .map((socket) => new Promise((resolve) => socket.once('message', resolve)))
  const { maker, taker } = exchange.keys()
  for (const [key, side] of [
    [maker!, 'BUY'],
    [taker!, 'SELL'],
  ] as const) {
    const signed = new SignedClient(exchange.url, key)
    const order = { symbol: 'BTCUSDT', side, type: 'LIMIT', timeInForce: 'GTC' }
    const query = signed.sign({ ...order, quantity: '0.1', price: '30000' })
    const target = `https://127.0.0.1:${exchange.port}/api/v3/order?${query}`
    await new Promise((resolve, reject) => {
      const headers = { 'X-MBX-APIKEY': key.apiKey }
      const options = { method: 'POST', ca: certificates[2]!.certificate, agent: false, headers }
      https
        .request(target, options, (response) => resolve(response.resume()))
        .on('error', reject)
        .end()
    })
  }
  await Promise.all(frames)
  // The market maker continues with the new certificates.
  const newest = async () => {
    const { rows } = await act(exchange, 'trades', { account: 'house-taker', limit: 1 })
    return rows[0]?.time
  }
  const before = await newest()
  await eventually(
    'a trade of the market makers',
    async () => (await newest()) !== before || undefined,
  )
  for (const socket of sockets) socket.terminate()
})

describe('a certificate that cannot be used', () => {
  const other = write('other.pem', ownCertificate().key)
  const text = write('text.pem', 'no PEM')
  test.each<[flags: string[], sentence: RegExp]>([
    [['--tls-cert', certFile], /^tls-cert and tls-key go together\.\n$/],
    [['--tls-key', keyFile], /^tls-cert and tls-key go together\.\n$/],
    [
      ['--tls-cert', `${folder}/none.pem`, '--tls-key', keyFile],
      /^The file \S+none\.pem cannot be read: .*\n$/,
    ],
    [
      ['--tls-cert', certFile, '--tls-key', other],
      /^\S+cert\.pem and \S+other\.pem are no certificate and its key: .*\n$/,
    ],
    [['--tls-cert', text, '--tls-key', keyFile], /^\S+text\.pem and .* no certificate .*\n$/],
  ])('%j: one sentence, exit code 1', async (flags, sentence) => {
    const report = await (await prepare(...flags)).launch()
    expect(report.output).toMatch(sentence)
    expect(report.code).toBe(1)
  })

  test('a key that others can read is warned of', async () => {
    const open = write('open.pem', own.key, 0o644)
    const exchange = await prepare(...FEW_THREADS, '--tls-cert', certFile, '--tls-key', open)
    await exchange.run()
    expect(exchange.output).toContain('others than its owner can read it')
  })
})
