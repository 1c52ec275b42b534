/**
 * What is shipped for running Ringbook as a service: every query names families that there are, every
 * file has what it must, and tools that are installed agree.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { socketsWithin } from '../../../src/assembly/main/open-files.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { parseConfig, settings } from '../../../src/config/config.ts'
import { countersBytes } from '../../../src/shared/counters.ts'
import { DISK_BYTES, DiskCells } from '../../../src/shared/disk.ts'
import { histogramsBytes } from '../../../src/shared/histograms.ts'
import { outcomesBytes } from '../../../src/shared/outcomes.ts'
import { QUORUM_COUNTS_BYTES, QuorumCounts } from '../../../src/shared/quorum-counts.ts'
import { ROLE_BYTES, RoleCells } from '../../../src/shared/role.ts'
import { Metrics } from '../../../src/telemetry/metrics.ts'
import { type Family, parseExposition } from '../../fixtures/exposition.ts'
import { hasTool } from '../../runner/tools.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const file = (name: string) => path.join(root, 'scripts/deploy', name)
const text = (name: string) => readFileSync(file(name), 'utf8')

interface Target {
  readonly expr: string
  readonly legendFormat: string
}
interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: {
    readonly h: number
    readonly w: number
    readonly x: number
    readonly y: number
  }
  readonly targets?: readonly Target[]
}
interface Rule {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
  readonly annotations?: Readonly<Record<string, string>>
}

const { panels } = JSON.parse(text('grafana-dashboard.gen.json')) as { readonly panels: Panel[] }
const charts = panels.filter(({ type }) => type !== 'row')
const { groups } = parse(text('alerts.yml')) as { groups: { name: string; rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

let shown: Map<string, Family>

beforeAll(async () => {
  const share = (bytes: number) => new SharedArrayBuffer(bytes)
  const metrics = new Metrics({
    clock: new RealTime(),
    matchers: 1,
    gateways: 1,
    symbolNames: () => ['BTCUSDT'],
    commandRings: [],
    wals: [],
    counters: share(countersBytes(1, 1, 1)),
    histograms: share(histogramsBytes(1, 1)),
    outcomes: share(outcomesBytes(1)),
    published: new BigInt64Array(1),
    archived: new BigInt64Array(1),
    disk: new DiskCells(share(DISK_BYTES)),
    role: new RoleCells(share(ROLE_BYTES), new RealTime()),
    quorum: new QuorumCounts(share(QUORUM_COUNTS_BYTES), new RealTime()),
    clockAheadMs: () => 0,
    certificateEndMs: () => 1,
    backupMs: () => 1,
    statuses: [200],
    codes: [-1000],
    sharedBytes: 0,
    isReady: () => true,
    degraded: () => [],
    faults: () => [],
  })
  shown = parseExposition(await metrics.text())
})

/** Names of series in a query; what Prometheus makes itself, and what rules record, is known too. */
function expectKnown(query: string): void {
  const bare = query.replaceAll(/"[^"]*"/g, '')
  const names = bare.match(/\b(?:ringbook|process|up)(?:[_:]\w+)*/g) ?? []
  expect(names.length, query).toBeGreaterThan(0)
  const recorded = rules.map(({ record }) => record)
  for (const name of names) {
    if (name === 'up' || recorded.includes(name)) continue
    const family = name.replace(/_(?:bucket|sum|count)$/, '')
    const isHistogram = shown.get(family)?.type === 'histogram'
    expect(isHistogram ? name !== family : shown.has(name), `${name} in ${query}`).toBe(true)
  }
}

/** A counter is queried for its rate, a gauge never. */
function expectFits(query: string): void {
  for (const [, name, range = ''] of query.matchAll(
    /\b((?:ringbook|process)_\w+)(?:\{[^}]*\})?(\[)?/g,
  )) {
    const type = shown.get(name!.replace(/_(?:bucket|sum|count)$/, ''))!.type
    expect(range === '[', `${name} in ${query}`).toBe(type !== 'gauge')
  }
}

/** Brackets that close in order. */
function expectBalanced(query: string): void {
  const open: string[] = []
  const pairs: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
  for (const letter of query) {
    if ('([{'.includes(letter)) open.push(letter)
    else if (letter in pairs) expect(open.pop(), query).toBe(pairs[letter])
  }
  expect(open, query).toEqual([])
}

describe('the dashboard', () => {
  test.each(charts.map((panel) => [panel.title, panel] as const))('%s', (_, { targets }) => {
    expect(targets!.length).toBeGreaterThan(0)
    for (const { expr } of targets!) {
      expectKnown(expr)
      expectFits(expr)
      expectBalanced(expr)
    }
  })

  test('shows each label that a legend names', () => {
    for (const { expr, legendFormat } of charts.flatMap(({ targets }) => targets!)) {
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
        const names = expr
          .match(/ringbook_\w+/g)!
          .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
        const isLost = /\bsum\b/.test(expr) && !new RegExp(`by \\([^)]*\\b${label}\\b`).test(expr)
        expect(isLost, expr).toBe(false)
        for (const name of names) {
          const { series } = shown.get(name)!
          const isThere = series.length === 0 || series.some(({ labels }) => label! in labels)
          expect(isThere, `${label} of ${name}`).toBe(true)
        }
      }
    }
  })

  test('has panels with ids and places of their own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const taken = new Set<string>()
    for (const { gridPos } of panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x},${y}`)).toBe(false)
          taken.add(`${x},${y}`)
        }
      }
    }
  })

  test('and the rules leave little unseen', () => {
    const queries = [...charts.flatMap(({ targets }) => targets!), ...rules].map(({ expr }) => expr)
    const ours = [...shown].flatMap(([name, { help }]) =>
      name.startsWith('ringbook_') && !help.startsWith('Former name') ? [name] : [],
    )
    const seen = ours.filter((name) => queries.some((query) => query.includes(name)))
    expect(seen.length / ours.length).toBeGreaterThan(0.7)
  })
})

describe('the rules', () => {
  test.each(rules.map((rule) => [rule.alert ?? rule.record!, rule] as const))('%s', (_, rule) => {
    expectKnown(rule.expr)
    expectBalanced(rule.expr)
    if (rule.alert !== undefined) expect(rule.annotations?.summary).toMatch(/\.$/)
  })

  test('are read by the configuration, which asks the door where it listens', () => {
    const config = parse(text('prometheus.yml'))
    expect(config.rule_files).toEqual(['alerts.yml'])
    const [job] = config.scrape_configs
    expect(job.job_name).toBe('ringbook')
    expect(job.static_configs).toEqual([{ targets: [`127.0.0.1:${settings.adminPort.default}`] }])
  })

  test.runIf(hasTool('promtool'))('are in order for promtool', () => {
    expect(() =>
      execFileSync('promtool', ['check', 'config', file('prometheus.yml')]),
    ).not.toThrow()
  })
})

test('metrics and files that the manuals name exist', () => {
  const pages = ['watch', 'deploy'].map((page) =>
    readFileSync(path.join(root, `docs/${page}.md`), 'utf8'),
  )
  const manual = pages.join('\n')
  const families = manual.match(/`ringbook_[a-z_]+(?=[`…])/g)!.map((name) => name.slice(1))
  expect(families.length).toBeGreaterThan(10)
  for (const name of families) {
    const isThere = name.endsWith('_')
      ? [...shown.keys()].some((family) => family.startsWith(name))
      : shown.has(name)
    expect(isThere, name).toBe(true)
  }
  const files = manual.match(/scripts\/deploy\/[\w.-]+\w/g)!
  for (const each of files) expect(existsSync(path.join(root, each)), each).toBe(true)
})

/** What a command line starts with, less the program's own words. */
const flagsOf = (words: readonly string[]) =>
  words.slice(words.findIndex((it) => it.startsWith('--')))

describe('the unit', () => {
  const lines = text('ringbook.service')
    .split('\n')
    .filter((line) => line !== '' && !/^[#[]/.test(line))
  const settings = new Map(
    lines.map((line) => {
      const equals = line.indexOf('=')
      return [line.slice(0, equals), line.slice(equals + 1)]
    }),
  )

  test('starts with settings that there are, and stops as the exchange wants to be stopped', () => {
    expect(lines.length).toBe(settings.size)
    const words = settings.get('ExecStart')!.split(' ')
    expect(words[2]).toBe('/opt/ringbook/dist/src/main.js')
    const { config } = parseConfig(flagsOf(words), {}, () => '')
    // All sockets that the defaults allow fit beside the exchange's own files.
    const filesMax = Number(settings.get('LimitNOFILE'))
    expect(socketsWithin(config!, filesMax)).toBe(config!.socketsMax * config!.gateways)
    expect(config?.data).toBe(`/var/lib/${settings.get('StateDirectory')}`)
    expect(Object.fromEntries(settings)).toMatchObject({
      Restart: 'on-failure',
      KillSignal: 'SIGTERM',
      LimitNOFILE: '262144',
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
    })
    // Unix sockets claim the data folder, and compiled code is written to memory that is executed.
    expect(settings.get('RestrictAddressFamilies')?.split(' ')).toContain('AF_UNIX')
    expect(settings.has('MemoryDenyWriteExecute')).toBe(false)
  })

  test.runIf(hasTool('systemd-analyze'))('is in order for systemd', () => {
    const { stderr } = spawnSync('systemd-analyze', ['verify', file('ringbook.service')])
    // Whatever else it finds wrong is the machine's.
    expect(
      String(stderr)
        .split('\n')
        .filter((it) => it.includes('ringbook')),
    ).toEqual([])
  })
})
