/** Passwords and TLS on the way to PostgreSQL, by the address and by the usual variables. */

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { PostgresQuorum } from '../../src/replica/postgres-quorum.ts'
import { ownCertificate } from '../fixtures/certificate.ts'
import { FEW_THREADS } from '../fixtures/few-threads.ts'

const PASSWORD = 'a:b/c@d'
/** The user `secured` logs in by password, over TLS. */
const RULES = `hostssl all secured 127.0.0.1/32 scram-sha-256
host all secured 127.0.0.1/32 reject
`

let servers: PostgresServers
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-secured-'))
const authority = path.join(folder, 'authority.pem')
const passwords = path.join(folder, 'passwords')

beforeAll(async () => {
  servers = await PostgresServers.start(1)
  const { primary } = servers
  await primary.query("SET password_encryption = 'scram-sha-256'")
  await primary.query(`CREATE ROLE secured LOGIN PASSWORD '${PASSWORD}'`)
  await primary.query('CREATE DATABASE secured OWNER secured')
  const { certificate, key } = ownCertificate()
  primary.sign('server.crt', certificate)
  primary.sign('server.key', key)
  fs.chmodSync(path.join(primary.folder, 'server.key'), 0o600)
  const rules = fs.readFileSync(path.join(primary.folder, 'pg_hba.conf'), 'utf8')
  primary.sign('pg_hba.conf', `${RULES}${rules}`)
  primary.set({ ssl: 'on' })
  await primary.query('SELECT pg_reload_conf()')
  fs.writeFileSync(authority, certificate)
  fs.writeFileSync(path.join(folder, 'other.pem'), ownCertificate().certificate)
  // Colons are escaped in it.
  const line = `127.0.0.1:*:secured:secured:${PASSWORD.replaceAll(':', '\\:')}\n`
  fs.writeFileSync(passwords, line, { mode: 0o600 })
})
afterEach(() => vi.unstubAllEnvs())
afterAll(async () => {
  await servers.remove()
  fs.rmSync(folder, { recursive: true })
})

/** `user` may have a password behind a colon; `query` sets what TLS has to be. */
const urlOf = (user: string, query: string): string =>
  `postgres://${user}@127.0.0.1:${servers.primary.port}/secured${query}`
const verified = `?sslmode=verify-full&sslrootcert=${authority}`
const inUrl = `secured:${encodeURIComponent(PASSWORD)}`

async function connect(url: string): Promise<void> {
  const quorum = new PostgresQuorum({ url, answerMs: 10_000, time: new RealTime() })
  try {
    await quorum.open()
    await quorum.prepare()
  } finally {
    await quorum.close()
  }
}

test('a password in the address, and a certificate that is checked', async () => {
  await connect(urlOf(inUrl, verified))
})

test.each([
  ['PGPASSWORD', PASSWORD],
  ['PGPASSFILE', passwords],
])('a password by %s', async (name, value) => {
  vi.stubEnv(name, value)
  await connect(urlOf('secured', verified))
})

test('TLS by PGSSLMODE', async () => {
  vi.stubEnv('PGSSLMODE', 'no-verify')
  await connect(urlOf(inUrl, ''))
})

test.each([
  ['no TLS', inUrl, '', 'no encryption|rejects'],
  ['a wrong password', 'secured:wrong', verified, 'password authentication failed'],
  ['no password', 'secured', verified, 'password'],
  ['another authority', inUrl, verified.replace('authority', 'other'), 'self-signed'],
])('a server is left for the next one: %s', async (_, user, query, reason) => {
  await expect(connect(urlOf(user, query))).rejects.toThrow(new RegExp(reason))
})

test('an exchange leads over TLS with a password from a file', async () => {
  vi.stubEnv('PGPASSFILE', passwords)
  const url = urlOf('secured', verified)
  const exchange = await ExchangeProcess.prepare([
    ...['--durability', 'replicated', '--replica', url],
    ...FEW_THREADS,
  ])
  try {
    await exchange.run()
    const role = await fetch(`${exchange.url}/ringbook/role`)
    expect(role.status).toBe(200)
    expect((await exchange.stop()).code).toBe(0)
  } finally {
    await exchange.remove()
  }
})
