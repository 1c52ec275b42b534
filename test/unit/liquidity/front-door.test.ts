/** How the house reaches an exchange that answers by TLS, however its certificate is signed. */
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { FrontDoor } from '../../../src/liquidity/front-door.ts'
import { issuedCertificate, ownCertificate } from '../../fixtures/certificate.ts'

test.each([
  ['that signs itself', ownCertificate()],
  ['of an authority', issuedCertificate()],
])('a certificate %s', async (_, { certificate, key }) => {
  const server = https.createServer({ cert: certificate, key }, (_, to) => to.end('{"a":1}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const doors = [certificate, ownCertificate().certificate].map(
    (trusted) => new FrontDoor('127.0.0.1', port, trusted),
  )
  const answers = await Promise.all(doors.map((door) => door.send('GET', '/', {})))
  expect(answers.map(({ status }) => status)).toEqual([200, 0])
  for (const door of doors) door.close()
  server.close()
})
