/**
 * The image and the services around it, as far as files can show: paths exist, settings are settings, and
 * ports agree. Nothing here runs a container.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig, settings } from '../../../src/config/config.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const folder = path.join(root, 'scripts/deploy')
const text = (name: string) => readFileSync(path.join(folder, name), 'utf8')
const configOf = (argv: readonly string[], env: Readonly<Record<string, string>>) => {
  const { config, warnings } = parseConfig(argv, env, () => '')
  expect(warnings).toEqual([])
  return config!
}

/** The instructions of the Containerfile, less comments and line breaks. */
const instructions = text('Containerfile')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => /^([A-Z]+) +(.*)$/.exec(line)!.slice(1) as [string, string])
const last = (keyword: string) => instructions.findLast(([word]) => word === keyword)?.[1]
const variables = Object.fromEntries(
  last('ENV')!
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
)

describe('the image', () => {
  test('is made in two stages, of files that there are, on a version that is allowed', () => {
    const stages = instructions.filter(([keyword]) => keyword === 'FROM').map(([, rest]) => rest)
    expect(stages).toHaveLength(2)
    for (const stage of stages)
      expect(stage).toMatch(/^docker\.io\/library\/node:20-bookworm-slim\b/)
    const copied = instructions.filter(
      ([keyword, rest]) => keyword === 'COPY' && !rest.startsWith('--from'),
    )
    const sources = copied.flatMap(([, rest]) => rest.split(' ').slice(0, -1))
    for (const source of sources) expect(existsSync(path.join(root, source)), source).toBe(true)
    // What `npm pack` runs, what the documents are made from, and what it packs.
    const { scripts, files } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    const programs: string[] = scripts.prepack.match(/scripts\/[\w.]+/g)
    const maker = readFileSync(path.join(root, 'scripts/build-docs.mjs'), 'utf8')
    const read = /^const SOURCES = \[(.*)\]/m.exec(maker)![1]!.match(/[\w./]+/g)!
    const isCopied = (file: string) =>
      sources.some((source) => file === source || file.startsWith(`${source}/`))
    expect(read.length).toBeGreaterThan(2)
    expect([...programs, ...read].filter((file) => !isCopied(file))).toEqual([])
    expect(files[0]).toBe('dist/src')
  })

  test('takes settings as arguments, on every address and with its volume unless they differ', () => {
    expect(JSON.parse(last('ENTRYPOINT')!)).toEqual(['ringbook'])
    expect(JSON.parse(last('CMD')!)).toEqual(['start'])
    const usual = configOf([], variables)
    expect([usual.host, usual.data, usual.port]).toEqual([
      '0.0.0.0',
      last('VOLUME'),
      Number(last('EXPOSE')),
    ])
    const given = configOf(['--port', '9000', '--matchers', '2'], variables)
    expect(given).toMatchObject({ ...usual, port: 9000, matchers: 2 })
  })

  test('runs without rights, stops by a signal, and its health is that of the operators door', () => {
    expect(last('USER')).toBe('node')
    expect(last('STOPSIGNAL')).toBe('SIGTERM')
    const check = last('HEALTHCHECK')!
    expect(check).toContain(`process.env.RINGBOOK_ADMIN_PORT || ${settings.adminPort.default}`)
    expect(check).toContain('/readyz')
  })

  test('is built without what no build reads', () => {
    const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8').trim().split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['node_modules', 'dist', 'data']))
  })
})

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly image: string
  readonly command?: readonly string[]
  readonly ports?: readonly string[]
  readonly volumes: readonly string[]
  readonly network_mode?: string
  readonly depends_on?: readonly string[]
}

describe('the services', () => {
  const { services, volumes } = parse(text('compose.yml')) as {
    readonly services: Readonly<Record<string, Service>>
    readonly volumes: object
  }
  const { ringbook, prometheus, grafana } = services as Readonly<
    Record<'ringbook' | 'prometheus' | 'grafana', Service>
  >
  /** Pairs of what is mounted, and where. */
  const mounts = (service: Service) =>
    service.volumes.map((volume) => volume.split(':') as [source: string, target: string])
  /** Ports of the container that are published. */
  const published = (service: Service) =>
    (service.ports ?? []).map((port) => Number(port.split(':')[2]))
  const mountedAt = (service: Service, target: string) =>
    mounts(service).find(([, at]) => at === target)?.[0]

  test.each(Object.entries(services))('%s mounts what exists, and names services', (_, service) => {
    for (const [source] of mounts(service)) {
      if (source.startsWith('.')) {
        expect(existsSync(path.join(folder, source)), source).toBe(true)
      } else expect(Object.keys(volumes)).toContain(source)
    }
    const names = [...(service.depends_on ?? [])]
    if (service.network_mode !== undefined) names.push(service.network_mode.split(':')[1]!)
    expect(Object.keys(services)).toEqual(expect.arrayContaining(names))
    expect(service.image).toMatch(/^ringbook$|^docker\.io\/[\w/-]+:v?\d+\.\d+\.\d+$/)
    // Only this machine reaches what is published.
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/)
  })

  test('Ringbook is the image, with settings that there are, its volume and its port', () => {
    const { context, dockerfile } = ringbook.build!
    expect(path.join(folder, context)).toBe(root)
    expect(path.join(root, dockerfile)).toBe(path.join(folder, 'Containerfile'))
    const { data, port } = configOf(ringbook.command!, variables)
    expect(mountedAt(ringbook, data)).toBe('ringbook-data')
    expect(published(ringbook)).toContain(port)
  })

  test('Prometheus reaches the door on the loopback address, and has its rules', () => {
    expect(prometheus.network_mode).toBe('service:ringbook')
    const at = '/etc/prometheus'
    expect(mountedAt(prometheus, `${at}/prometheus.yml`)).toBe('./prometheus.yml')
    const { rule_files, scrape_configs } = parse(text('prometheus.yml'))
    for (const rules of rule_files)
      expect(mountedAt(prometheus, `${at}/${rules}`)).toBe(`./${rules}`)
    const door = `127.0.0.1:${configOf(ringbook.command!, variables).adminPort}`
    expect(scrape_configs[0].static_configs[0].targets).toEqual([door])
  })

  test('Grafana asks Prometheus, and finds the dashboard', () => {
    const provisioning = '/etc/grafana/provisioning'
    const source = mountedAt(grafana, `${provisioning}/datasources/ringbook.yml`)!
    const [{ type, url }] = parse(text(source)).datasources
    expect(type).toBe('prometheus')
    // Prometheus has no separate network.
    expect(new URL(url).hostname).toBe('ringbook')
    expect(published(ringbook)).toContain(Number(new URL(url).port))
    const provider = mountedAt(grafana, `${provisioning}/dashboards/ringbook.yml`)!
    const [{ options }] = parse(text(provider)).providers
    expect(mountedAt(grafana, `${options.path}/ringbook.json`)).toBe('./grafana-dashboard.gen.json')
    const { templating } = JSON.parse(text('grafana-dashboard.gen.json'))
    expect(templating.list[0]).toMatchObject({ type: 'datasource', query: type })
  })
})
