import { expect, test } from 'vitest'
import type { Regions } from '../../../../src/agents/memory.ts'
import { type ClaimedSockets, startedFields } from '../../../../src/assembly/main/started-fields.ts'
import type { Config } from '../../../../src/config/config.ts'
import type { Registry } from '../../../../src/control/registry.ts'

const registry = { symbols: [] } as unknown as Registry
const place = { scheme: 'http', socketsInAll: 1, filesMax: 1 } as ClaimedSockets

test.each([
  ['::', 'http://[::1]:9000'],
  ['0.0.0.0', 'http://127.0.0.1:9000'],
  ['fd00::7', 'http://[fd00::7]:9000'],
  ['10.0.0.7', 'http://10.0.0.7:9000'],
])('an exchange on %s logs %s', (host, url) => {
  const config = { host, port: 9000, follow: '' } as Config
  const fields = startedFields(config, registry, {} as Regions, false, place)
  expect(fields.url).toBe(url)
  expect(new URL(String(fields.url)).port).toBe('9000')
})
