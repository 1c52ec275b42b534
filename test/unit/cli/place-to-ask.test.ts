/** Every action of the command line finds the exchange by its data folder alone. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAction } from '../../../src/cli/cli.ts'
import {
  adminAddress,
  removeAdminPort,
  writeAdminPort,
} from '../../../src/control/admin-address.ts'
import { actions } from '../../../src/control/commands.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const data = temporaryFolder()
const asked: string[] = []
let server: Server
let port: number

beforeAll(async () => {
  server = createServer(({ url, headers }, response) => {
    asked.push(`${url} ${headers.authorization}`)
    response.end('{"said":"Done.","rows":[]}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  writeFileSync(path.join(data, 'operator-token'), 'a-token\n')
  writeAdminPort(data, port)
})
afterAll(() => server.close())

test.each(actions.map(({ name }) => name))('%s asks the exchange of its folder', async (name) => {
  const { port: adminPort, killed } = adminAddress(data, undefined)
  const { code, text } = await callAction({
    words: [name, '--data', data],
    data,
    adminPort,
    killed,
  })
  expect([code, text]).toEqual([0, expect.stringContaining('Done.')])
  expect(asked.at(-1)).toBe(`/actions/${name} Bearer a-token`)
})

test('a port that is given comes before that of the folder, which comes before the usual one', () => {
  expect(adminAddress(data, 9_999)).toEqual({ port: 9_999, killed: undefined })
  expect(adminAddress(data, undefined)).toEqual({ port, killed: undefined })
  removeAdminPort(data)
  expect(adminAddress(data, undefined)).toEqual({ port: 8_081, killed: undefined })
})
