/** What reload reads again, what it reports of it, and what it refuses. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { Reload } from '../../../../src/assembly/main/reload.ts'
import { parseConfig } from '../../../../src/config/config.ts'
import { ownCertificate } from '../../../fixtures/certificate.ts'
import { folderPerTest } from '../../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
const file = (name: string) => folder(name)

function reloadOf(text: string, ...flags: readonly string[]) {
  writeFileSync(file('venue.toml'), text)
  const argv = ['--config', file('venue.toml'), ...flags]
  const read = () => parseConfig(argv, {}, (name) => readFileSync(name, 'utf8')).config!
  const log = { info: vi.fn(), warn: vi.fn() }
  return { reload: new Reload(read(), read, log), log }
}
const rewrite = (text: string) => writeFileSync(file('venue.toml'), text)

test('names what is different, beside what is in force', () => {
  const { reload, log } = reloadOf('exempt-addresses = "10.0.0.0/8"')
  expect(reload.read().said).toBe(
    'trusted-proxies is as before. exempt-addresses is as before. sbe is as before.',
  )
  rewrite('trusted-proxies = "::1"')
  const read = reload.read()
  expect(read).toEqual({
    hasTls: false,
    trustedProxies: '::1',
    exemptAddresses: '',
    sbe: 'on',
    said: 'trusted-proxies was none, is ::1. exempt-addresses was 10.0.0.0/8, is none. sbe is as before.',
  })
  // Until it is noted, nothing has changed.
  expect(reload.config).toMatchObject({ trustedProxies: '', exemptAddresses: '10.0.0.0/8' })
  reload.note(read)
  expect(reload.config).toMatchObject({ trustedProxies: '::1', exemptAddresses: '' })
  expect(log.info).toHaveBeenCalledWith(
    { trustedProxies: '::1', exemptAddresses: '', sbe: 'on' },
    'read again',
  )
  expect(reload.read().said).toBe(
    'trusted-proxies is as before. exempt-addresses is as before. sbe is as before.',
  )
})

test('leaves other changes to a start, and says which; a flag overrides the file', () => {
  const { reload } = reloadOf('', '--exempt-addresses', '::1')
  rewrite('gateways = 2\nlimits = "off"\nexempt-addresses = "10.0.0.1"')
  const read = reload.read()
  expect(read.said).toBe(
    'trusted-proxies is as before. exempt-addresses is as before. sbe is as before. Only a start reads other changes: gateways, limits.',
  )
  reload.note(read)
  expect(reload.config).toMatchObject({ gateways: 1, limits: 'on', exemptAddresses: '::1' })
})

test.each([
  ['trusted-proxies = "10.0.0.1"\nexempt-addresses = "10.0.0.0/33"', 'must be addresses or ranges'],
  ['trusted-proxies = "10.0.0.1"\nport = 0.5', 'must be a whole number'],
  ['trusted-proxies = "10.0.0.1"\nnothing = 1', 'is not a known setting'],
  ['trusted-proxies = "10.0.0.1', 'cannot be read: line 1'],
  [undefined, 'cannot be read'],
])('refuses a bad file as a whole: %s', (text, why) => {
  const { reload } = reloadOf('exempt-addresses = "::1"')
  if (text === undefined) rmSync(file('venue.toml'))
  else rewrite(text)
  const before = reload.config
  expect(() => reload.read()).toThrow(why)
  expect(reload.config).toEqual(before)
})

test('refuses both when the certificate cannot be served, and with nothing to read', () => {
  const { certificate, key } = ownCertificate()
  writeFileSync(file('cert.pem'), certificate)
  writeFileSync(file('key.pem'), key, { mode: 0o600 })
  const tls = ['--tls-cert', file('cert.pem'), '--tls-key', file('key.pem')]
  const { reload } = reloadOf('', ...tls)
  expect(reload.read()).toMatchObject({ hasTls: true })
  rewrite('exempt-addresses = "::1"')
  writeFileSync(file('cert.pem'), 'x')
  expect(() => reload.read()).toThrow('are no certificate and its key')
  const log = { info: vi.fn(), warn: vi.fn() }
  const bare = new Reload(parseConfig([], {}, () => '').config!, undefined, log)
  expect(() => bare.read()).toThrow('There is nothing to read again')
})

test('where alerts go is another once it is noted, and as before when their file is refused', () => {
  const own = (place: string, mode = 0o600) => {
    writeFileSync(file('alerts.toml'), `webhooks = ["http://127.0.0.1/${place}"]`)
    chmodSync(file('alerts.toml'), mode)
  }
  own('one')
  const { reload } = reloadOf('', '--alerts', file('alerts.toml'))
  reload.begin()
  expect(reload.targets?.webhooks).toEqual(['http://127.0.0.1/one'])
  own('two')
  const read = reload.read()
  expect(read.said).toContain('Alerts go to 1 webhooks and 0 commands.')
  expect(reload.targets?.webhooks).toEqual(['http://127.0.0.1/one'])
  reload.note(read)
  expect(reload.targets?.webhooks).toEqual(['http://127.0.0.1/two'])
  own('three', 0o622)
  expect(() => reload.read()).toThrow('can be written by others')
  expect(() => reload.begin()).toThrow('can be written by others')
  expect(reload.targets?.webhooks).toEqual(['http://127.0.0.1/two'])
})
