/** What an operator has of a night: figures that were kept over a start, and alerts that arrived. */
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { eventually } from '../fixtures/eventually.ts'
import { act } from './admin-server.ts'

interface History {
  readonly stepMs: number
  readonly series: Readonly<Record<string, readonly (number | null)[]>>
  readonly marks: readonly { readonly text: string }[]
}

let exchange: ExchangeProcess
afterEach(() => exchange.remove())

async function ask(url: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const token = fs.readFileSync(path.join(exchange.data, 'operator-token'), 'utf8').trim()
  const response = await fetch(`http://127.0.0.1:${exchange.adminPort}${url}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  return { status: response.status, body: await response.json() }
}
const history = async () => (await ask('/history?span=3600')).body as History
const known = ({ series }: History) => series.residentBytes!.filter((value) => value !== null)

test('figures are kept over a start, by no copy of the folder, and a damaged file is made again', async () => {
  exchange = await ExchangeProcess.start(['--sandbox', 'on'])
  const file = path.join(exchange.data, 'kept-figures')
  const { size, blocks } = fs.statSync(file)
  expect(blocks * 512).toBeGreaterThanOrEqual(size)
  await act(exchange, 'halt', { symbol: 'BTCUSDT' })
  await eventually('the halt is marked', async () => {
    const { marks } = await history()
    return marks.some(({ text }) => text === 'halt by owner') || undefined
  })
  const copy = `${exchange.data}-copy`
  await act(exchange, 'backup', { folder: copy })
  await act(exchange, 'save', { name: 'one' })
  for (const folder of [copy, path.join(exchange.data, 'states/one')]) {
    expect(fs.readdirSync(folder)).toContain('control')
    expect(fs.readdirSync(folder)).not.toContain('kept-figures')
  }
  fs.rmSync(copy, { recursive: true })
  // A load puts other content in its place, and leaves what was kept.
  const { ino } = fs.statSync(file)
  await act(exchange, 'load', { name: 'one' })
  expect(fs.statSync(file)).toMatchObject({ ino, size })
  expect((await exchange.stop()).code).toBe(0)
  await exchange.run()
  const kept = await history()
  expect(known(kept).length).toBeGreaterThan(0)
  const texts = kept.marks.map(({ text }) => text)
  expect(texts).toContain('halt by owner')
  expect(texts.filter((text) => text === 'The exchange started.')).toHaveLength(3)
  for (const wrong of ['', '?span=', '?span=0', '?span=2678401', '?span=1e3', '?span=60&span=1']) {
    expect((await ask(`/history${wrong}`)).status, wrong).toBe(400)
  }
  const stranger = await fetch(`http://127.0.0.1:${exchange.adminPort}/history?span=60`)
  expect(stranger.status).toBe(401)
  await exchange.stop()
  fs.truncateSync(file, size - 1)
  await exchange.run()
  expect(exchange.output).toContain('is made again: ')
  expect(fs.statSync(file).size).toBe(size)
  const again = (await history()).marks.map(({ text }) => text)
  expect(again).toEqual(['The exchange started.'])
})

test('an alert reaches the receiver that the file names, and a file that others may write is refused', async () => {
  const received: Record<string, string>[] = []
  const server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ path: request.url, ...JSON.parse(body) })
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  exchange = await ExchangeProcess.prepare(['--metrics', 'off'])
  const file = path.join(exchange.data, 'alerts.toml')
  const write = (place: string, mode: number) => {
    fs.writeFileSync(file, `webhooks = ["${url}/${place}"]\n`)
    fs.chmodSync(file, mode)
  }
  try {
    write('one', 0o666)
    const refused = await exchange.launch('pipe', ['--alerts', file])
    expect(refused.code).toBe(1)
    expect(refused.output).toContain('can be written by others: chmod go-w.')
    write('one', 0o600)
    // No disk has so much.
    await exchange.run(['--alerts', file, '--disk-reserve-mb', '1048576'])
    const message = await eventually('the alert arrives', async () => received[0])
    expect(message).toMatchObject({
      path: '/one',
      state: 'begin',
      name: 'RingbookDiskReserve',
      severity: 'page',
      member: exchange.url,
    })
    const counters = await (await fetch(`http://127.0.0.1:${exchange.adminPort}/counters`)).json()
    const count = (counters as { name: string; value: number }[]).find(
      ({ name }) => name === 'alertsSent',
    )
    expect(count?.value).toBeGreaterThan(0)
    write('two', 0o620)
    await expect(act(exchange, 'reload', {})).rejects.toThrow('can be written by others')
    write('two', 0o600)
    expect((await act(exchange, 'reload', {})).said).toBe('Alerts go to 1 webhooks and 0 commands.')
  } finally {
    server.close()
  }
})
