import { expect, test } from 'vitest'
import { nearestName } from '../../../src/base/nearest-name.ts'

const names = ['PORT', 'ADMIN_PORT', 'HOST', 'LOG_LEVEL', 'LOG_FORMAT', 'TLS_KEY']

test.each([
  ['PROT', 'PORT'],
  ['PORTS', 'PORT'],
  ['POR', 'PORT'],
  ['ADMINPORT', 'ADMIN_PORT'],
  ['LOGLEVL', 'LOG_LEVEL'],
  ['LOG_FROMAT', 'LOG_FORMAT'],
  ['TLS_KEY', 'TLS_KEY'],
  ['HOSTNAME', undefined],
  ['CERTIFICATE', undefined],
  ['PO', undefined],
  ['', undefined],
])('%j means %j', (given, expected) => {
  expect(nearestName(given, names)).toBe(expected)
})
