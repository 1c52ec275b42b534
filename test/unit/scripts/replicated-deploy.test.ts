/**
 * What is shipped for an exchange on three machines: settings keep what Ringbook relies on, files agree with
 * each other, and tools that are installed accept them.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { hostUrls } from '../../../src/base/postgres-url.ts'
import { parseConfig } from '../../../src/config/config.ts'
import { ROLE_PATH } from '../../../src/pipeline/leadership.ts'
import { hasTool } from '../../runner/tools.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const file = (name: string) => path.join(root, 'scripts/deploy/replicated', name)
const text = (name: string) => readFileSync(file(name), 'utf8')

/** Settings of the form `name = value`, without comments and quotes. */
const settings = new Map(
  [...text('postgresql.conf').matchAll(/^(\w+) = (.*)$/gm)].map(
    ([, name, value]) => [name!, value!.replaceAll("'", '')] as const,
  ),
)
const patroni = parse(text('patroni.yml'))
const { dcs, pg_hba } = patroni.bootstrap

describe('PostgreSQL', () => {
  test('waits for one standby of several, whichever server is the primary', () => {
    expect(settings.get('synchronous_standby_names')).toBe('ANY 1 (db1, db2, db3)')
  })

  test('promises the same with Patroni and without', () => {
    expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true })
    for (const [name, value] of Object.entries(dcs.postgresql.parameters)) {
      if (['max_connections', 'max_replication_slots'].includes(name)) continue
      expect([name, settings.get(name)]).toEqual([name, String(value)])
    }
    for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
      expect([name, settings.get(name)]).toEqual([name, 'on'])
    }
  })

  test('takes members and servers by password over TLS only', () => {
    const rules: string[][] = [
      ...pg_hba.map((rule: string) => rule.split(/ +/)),
      ...text('pg_hba.conf')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => line.split(/ +/)),
    ]
    expect(rules.filter(([, database]) => database === 'ringbook')).toHaveLength(2)
    const remote = rules.filter(([type, , , from]) => type !== 'local' && from !== '127.0.0.1/32')
    expect(remote.length).toBeGreaterThan(4)
    for (const rule of remote) expect([rule[0], rule[4]]).toEqual(['hostssl', 'scram-sha-256'])
  })

  test('has another primary before orders are refused', () => {
    // Patroni's own rule, then its wait for a server that crashed and the election.
    expect(dcs.ttl).toBeGreaterThanOrEqual(dcs.loop_wait + 2 * dcs.retry_timeout)
    const { replicaSeconds } = member()
    const slowest = Math.max(dcs.ttl, dcs.primary_start_timeout) + 2 * dcs.loop_wait
    expect(replicaSeconds).toBeGreaterThan(slowest)
  })

  const canCheck = hasTool('patroni') && existsSync(patroni.postgresql.bin_dir)
  test.runIf(canCheck)('is in order for Patroni', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-patroni-'))
    // It checks whether etcd answers, and whether its own ports are free.
    const etcd = net.createServer((socket) => socket.end()).listen(0, '0.0.0.0')
    await once(etcd, 'listening')
    const { port } = etcd.address() as net.AddressInfo
    const changed = text('patroni.yml')
      .replaceAll(/10\.0\.0\.(\d+):2379/g, `127.0.0.$1:${port}`)
      .replaceAll('10.0.0.', '127.0.0.')
      .replace('127.0.0.11,127.0.0.1:5432', '127.0.0.11:5432')
      .replace(patroni.postgresql.data_dir, path.join(folder, 'data'))
    const config = path.join(folder, 'config.yml')
    writeFileSync(config, changed)
    const { stdout, stderr, status } = spawnSync('patroni', ['--validate-config', config])
    etcd.close()
    rmSync(folder, { recursive: true })
    expect([status, String(stdout), String(stderr)]).toEqual([0, '', ''])
  })
})

test('members name all servers, so each of them can follow and take the lead', () => {
  const { follow, promoteAfter } = member()
  const hosts = hostUrls(follow)!.map((url) => new URL(url).hostname)
  const standbys = /\((.*)\)/.exec(settings.get('synchronous_standby_names')!)![1]!
  expect(hosts).toEqual(standbys.split(', '))
  expect(promoteAfter).toBe(3)
})

test('etcd has the addresses at which Patroni looks for it', () => {
  const cluster = /^ETCD_INITIAL_CLUSTER=(.*)$/m.exec(text('etcd.env'))![1]!
  const hosts = cluster.split(',').map((it) => new URL(it.slice(it.indexOf('=') + 1)).hostname)
  const asked: string[] = patroni.etcd3.hosts.split(',')
  expect(asked).toEqual(hosts.map((host) => `${host}:2379`))
})

/** The settings that all members have. */
function member() {
  const { config, warnings } = parseConfig(['--config', file('member.toml')], {}, (name) =>
    readFileSync(name, 'utf8'),
  )
  expect(warnings).toEqual([])
  return config!
}

describe('HAProxy', () => {
  const lines = text('haproxy.cfg').split('\n')

  test('asks each member for its role, in a version of HTTP that the exchange takes', () => {
    const checks = lines.filter((line) => line.includes('http-check send'))
    expect(checks.map((line) => /uri (\S+) ver (\S+)/.exec(line)!.slice(1))).toEqual([
      [ROLE_PATH, 'HTTP/1.1'],
      ['/api/v3/ping', 'HTTP/1.1'],
    ])
    const servers = lines.filter((line) => line.startsWith('  server '))
    expect(servers).toHaveLength(6)
    for (const server of servers) expect(server).toMatch(new RegExp(`:${member().port}$`))
  })

  test('is the proxy whose X-Forwarded-For members trust', () => {
    expect(lines).toContain('  option forwardfor')
    expect(member().trustedProxies).toBe('10.0.0.31')
  })

  test.runIf(hasTool('haproxy'))('is in order', () => {
    const { stdout, stderr, status } = spawnSync('haproxy', ['-c', '-f', file('haproxy.cfg')], {
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    })
    expect(status, `${stdout}${stderr}`).toBe(0)
  })
})

describe('the unit of a member', () => {
  const unit = text('ringbook-member.service')
  const alone = readFileSync(path.join(root, 'scripts/deploy/ringbook.service'), 'utf8')
  /** The lines that are not comments. */
  const linesOf = (of: string) => of.split('\n').filter((line) => !/^(#|$)/.test(line))

  test('is the unit of an exchange except these lines', () => {
    const [ours, theirs] = [linesOf(unit), linesOf(alone)]
    expect(ours.filter((line) => !theirs.includes(line)).map((line) => line.split('=')[0])).toEqual(
      [
        ...['Description', 'Documentation', 'StartLimitIntervalSec'],
        ...['EnvironmentFile', 'LoadCredential', 'ExecStartPre', 'Restart'],
      ],
    )
    expect(theirs.filter((line) => !ours.includes(line)).map((line) => line.split('=')[0])).toEqual(
      [...['Description', 'Documentation', 'StartLimitIntervalSec', 'StartLimitBurst', 'Restart']],
    )
  })

  test.runIf(hasTool('systemd-analyze'))('is in order for systemd', () => {
    const { stderr } = spawnSync('systemd-analyze', ['verify', file('ringbook-member.service')])
    // Whatever else it finds wrong is the machine's.
    const ours = String(stderr)
      .split('\n')
      .filter((line) => line.includes('ringbook'))
    expect(ours).toEqual([])
  })
})
