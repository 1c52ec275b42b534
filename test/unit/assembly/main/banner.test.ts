import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type BannerFields, bannerText } from '../../../../src/assembly/main/banner.ts'

const data = mkdtempSync(path.join(os.tmpdir(), "ringbook's banner-"))
const keyFile = path.join(data, 'demo-keys.json')
writeFileSync(keyFile, '[]')
afterAll(() => rmSync(data, { recursive: true }))

const facts: BannerFields = {
  version: '1.2.3',
  scheme: 'http',
  host: '127.0.0.1',
  port: 9000,
  adminPort: 9001,
  data,
  tlsCert: '',
  symbols: ['BTCUSDT', 'ETHBTC'],
  quoted: ['BTCUSDT', 'ETHBTC'],
  command: 'node /opt/main.js',
  sandbox: 'off',
  clock: 'real',
}

test('the banner names the version, every address, the keys and an order', () => {
  const text = bannerText(facts)
  for (const part of [
    'Ringbook 1.2.3 is open.',
    ' http://127.0.0.1:9000/\n',
    ' http://127.0.0.1:9000/api/v3\n',
    ' ws://127.0.0.1:9000/ws, ws://127.0.0.1:9000/stream\n',
    ' ws://127.0.0.1:9000/ws-api/v3\n',
    ' http://127.0.0.1:9000/docs\n',
    ' http://127.0.0.1:9001/\n',
    ` its token: ${path.join(data, 'operator-token')}\n`,
    ' node /opt/main.js help\n',
    `node /opt/main.js status --data '${data.replace("'", `'\\''`)}' --admin-port 9001\n`,
    ` ${keyFile}\n`,
    'symbol=BTCUSDT&side=BUY&type=MARKET&',
    'in all symbols',
  ]) {
    expect(text).toContain(part)
  }
})

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['::1', '[::1]'],
  ['10.0.0.7', '10.0.0.7'],
])('an exchange on %s is reached at %s', (host, shown) => {
  expect(bannerText({ ...facts, host })).toContain(` http://${shown}:9000/api/v3\n`)
})

test('with TLS the addresses are secure, and the order trusts the certificate', () => {
  const text = bannerText({ ...facts, scheme: 'https', tlsCert: '/tls/cert.pem' })
  expect(text).toContain(' wss://127.0.0.1:9000/ws-api/v3\n')
  expect(text).toContain("curl --cacert '/tls/cert.pem' -X POST")
})

test('says how to turn the sandbox on, and how to add a rule', () => {
  expect(bannerText(facts)).toContain(' off; --sandbox on makes it fail on request')
  const on = bannerText({ ...facts, sandbox: 'on' })
  expect(on).toContain('node /opt/main.js fault-add --help\n')
})

test('without market making the order is one that rests', () => {
  const text = bannerText({ ...facts, quoted: [] })
  expect(text).toContain('type=LIMIT&timeInForce=GTC')
  expect(text).toContain('none: books have only clients')
})

test('a venue without keys of a demo names the actions that make one, and shows no order', () => {
  const text = bannerText({ ...facts, data: '/nowhere', quoted: [] })
  expect(text).toContain('account-open NAME')
  expect(text).not.toContain('curl')
})
