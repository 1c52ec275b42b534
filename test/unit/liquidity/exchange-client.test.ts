/** How the market maker reaches an exchange that answers by TLS, however its certificate is signed. */

import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { RealTime } from '../../../src/base/real-time.ts'
import { ExchangeClient } from '../../../src/liquidity/exchange-client.ts'
import { issuedCertificate, ownCertificate } from '../../fixtures/certificate.ts'
import { eventually } from '../../fixtures/eventually.ts'

test.each([
  ['that signs itself', ownCertificate()],
  ['of an authority', issuedCertificate()],
])('a certificate %s', async (_, { certificate, key }) => {
  const server = https.createServer({ cert: certificate, key }, (_, to) => to.end('{"a":1}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const doors = [certificate, ownCertificate().certificate].map(
    (trusted) => new ExchangeClient('127.0.0.1', port, new RealTime(), trusted),
  )
  const answers = await Promise.all(doors.map((client) => client.send('GET', '/', {})))
  expect(answers.map(({ status }) => status)).toEqual([200, 0])
  for (const client of doors) client.close()
  server.close()
})

test('a certificate that is exchanged while requests are under way', async () => {
  const [first, second] = [ownCertificate(), ownCertificate()]
  const held: (() => void)[] = []
  let isHolding = false
  const server = https.createServer({ cert: first.certificate, key: first.key }, (_, to) => {
    const answer = () => to.end('{"a":1}')
    if (isHolding) held.push(answer)
    else answer()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = new ExchangeClient('127.0.0.1', port, new RealTime(), first.certificate)
  const statuses = async (count: number) => {
    const asked = Array.from({ length: count }, () => client.send('GET', '/', {}))
    return (await Promise.all(asked)).map(({ status }) => status)
  }
  expect(await statuses(3)).toEqual([200, 200, 200])
  isHolding = true
  const underWay = statuses(3)
  await eventually('the requests', () => held.length === 3 || undefined)
  isHolding = false
  server.setSecureContext({ cert: second.certificate, key: second.key })
  client.trust(second.certificate)
  expect(await statuses(2)).toEqual([200, 200])
  for (const answer of held) answer()
  expect(await underWay).toEqual([200, 200, 200])
  expect(await statuses(2)).toEqual([200, 200])
  client.close()
  server.close()
})
