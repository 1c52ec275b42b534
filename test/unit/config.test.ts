import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ConfigError, helpText, parseConfig, settings } from '../../src/config/config.ts'
import type { Setting } from '../../src/config/settings.ts'

const noFile = () => {
  throw Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' })
}
const parse = (argv: string[], env: Record<string, string> = {}, file = '') =>
  parseConfig(argv, env, () => file).config

describe('settings', () => {
  test('defaults', () => {
    expect(parse([])).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      adminPort: 8081,
      data: './data',
      durability: 'flushed',
      limits: 'on',
      demo: 'on',
      weightLimit: 6000,
      rawRequestsLimit: 61_000,
      connectionsLimit: 300,
      ordersPerSecond: 10,
      ordersPerDay: 160_000,
      banSeconds: 120,
      exemptAddresses: '',
    })
  })

  test('addresses may come as a list of the file, and as none', () => {
    const file = 'exempt-addresses = ["127.0.0.1", "10.0.0.0/8"]'
    expect(parse(['--config', 'x.toml'], {}, file)?.exemptAddresses).toBe('127.0.0.1,10.0.0.0/8')
    expect(parse(['--exempt-addresses', ''])?.exemptAddresses).toBe('')
  })

  test('processors may come as a list of the file, as one number, and as none', () => {
    const processorsIn = (file: string) =>
      parse(['--config', 'x.toml'], {}, file)?.gatewayProcessors
    expect(processorsIn('gateway-processors = [0, 2]')).toBe('0,2')
    expect(processorsIn('gateway-processors = 3')).toBe('3')
    expect(parse(['--gateway-processors', ''])?.gatewayProcessors).toBe('')
  })

  test('flags win over variables, those over the file, that over defaults', () => {
    const file = 'port = 1\nmatchers = 2\ngateways = 3\nlimits = false\n'
    const env = { RINGBOOK_PORT: '2', RINGBOOK_MATCHERS: '4' }
    const config = parse(['--config', 'x.toml', '--port=3'], env, file)
    expect(config).toMatchObject({ port: 3, matchers: 4, gateways: 3, limits: 'off' })
  })

  test.each([
    [['--prot', '1'], {}, '', '--prot is not a known flag. Did you mean --port?'],
    [['--port'], {}, '', '--port needs a value.'],
    [['--port', '1', '--port', '2'], {}, '', '--port is given twice.'],
    [['--port', '0'], {}, '', '--port must be a whole number from 1 to 65535; it is 0.'],
    [['--port', '1e3'], {}, '', '--port must be a whole number from 1 to 65535; it is 1e3.'],
    [['--port', '8081'], {}, '', 'port and admin-port must be two different ports.'],
    [
      ['--journal-kept', 'snapshots', '--snapshot-minutes', '0'],
      {},
      '',
      'journal-kept snapshots needs snapshots: snapshot-minutes is 0.',
    ],
    [['--keep-journal-days', '9'], {}, '', 'keep-journal-days needs journal-kept snapshots.'],
    [
      ['--keep-journal-days', '9', '--journal-kept', 'snapshots', '--follow', 'postgres://h/d'],
      {},
      '',
      'keep-journal-days needs no quorum: its members bring whole journals.',
    ],
    [
      [
        ...['--keep-journal-days', '9', '--journal-kept', 'snapshots'],
        ...['--durability', 'replicated', '--replica', 'postgres://h/d'],
      ],
      {},
      '',
      'keep-journal-days needs no quorum: its members bring whole journals.',
    ],
    [
      ['--durability', 'maybe'],
      {},
      '',
      '--durability must be "flushed", "committed" or "replicated"; it is maybe.',
    ],
    [['--data', ''], {}, '', '--data must not be empty.'],
    [['--durability', 'replicated'], {}, '', 'durability replicated and replica go together.'],
    [
      ['--sandbox', 'on', '--durability', 'replicated', '--replica', 'postgres://u@a/b'],
      {},
      '',
      'sandbox on goes with no quorum: neither durability replicated nor follow.',
    ],
    [
      ['--sandbox', 'on', '--follow', 'postgres://u@a/b'],
      {},
      '',
      'sandbox on goes with no quorum: neither durability replicated nor follow.',
    ],
    [
      [
        ...['--durability', 'replicated', '--replica', 'postgres://ringbook@a/ringbook'],
        ...['--follow', 'postgres://ringbook@a/ringbook'],
      ],
      {},
      '',
      'follow and replica do not go together: the quorum has all that is followed.',
    ],
    [
      ['--replica', 'postgres://ringbook@a,b/ringbook'],
      {},
      '',
      'durability replicated and replica go together.',
    ],
    [
      ['--advertise', 'exchange.example'],
      {},
      '',
      '--advertise must be an address, as https://exchange.example; it is exchange.example.',
    ],
    [
      ['--replica', 'mysql://a'],
      {},
      '',
      '--replica must be an address, as postgres://user@host1,host2/database.',
    ],
    [
      ['--event-ring-bytes', '1048577'],
      {},
      '',
      '--event-ring-bytes must be a power of two; it is 1048577.',
    ],
    [
      ['--exempt-addresses', '10.0.0.0/8,here'],
      {},
      '',
      '--exempt-addresses must be addresses or ranges, with commas; it is 10.0.0.0/8,here.',
    ],
    [
      ['--matcher-processors', 'all'],
      {},
      '',
      '--matcher-processors must be numbers of processors, as 0,2-4; it is all.',
    ],
    [['start'], {}, '', 'start is not a flag. See --help.'],
    [
      [],
      { RINGBOOK_PORT: 'x' },
      '',
      'RINGBOOK_PORT must be a whole number from 1 to 65535; it is x.',
    ],
    [
      ['--config', 'a.toml'],
      {},
      'prot = 1',
      'prot in a.toml is not a known setting. Did you mean port?',
    ],
    [
      ['--config', 'a.toml'],
      {},
      'port = { a = 1 }',
      'port in a.toml must be one value, not a table or a date.',
    ],
    [
      ['--config', 'a.toml'],
      {},
      'port = -1',
      'port in a.toml must be a whole number from 1 to 65535; it is -1.',
    ],
  ])('%j %j %j is refused', (argv, env, file, message) => {
    expect(() => parse(argv, env as Record<string, string>, file)).toThrow(new ConfigError(message))
  })

  test('numbers are taken from the least to the most, and none beyond', () => {
    const numbers = Object.values<Setting>(settings).filter((it) => 'max' in it)
    expect(numbers.length).toBeGreaterThan(20)
    for (const { flag, min, max } of numbers) {
      const parsed = (value: number) => () => parse([`--${flag}=${value}`])
      const range = `a whole number from ${min} to ${max}; it is`
      for (const beyond of [min - 1, max + 1]) expect(parsed(beyond)).toThrow(range)
      // Two settings may not go together, whatever their numbers.
      for (const bound of [min, max]) expect(parsed(bound)).not.toThrow(range)
    }
  })

  test.each([
    ['RINGBOOK_PROT', ' Did you mean RINGBOOK_PORT?'],
    ['RINGBOOK_ADMINPORT', ' Did you mean RINGBOOK_ADMIN_PORT?'],
    ['RINGBOOK_CONFG', ' Did you mean RINGBOOK_CONFIG?'],
    ['RINGBOOK_SERVICE_HOST', ''],
    ['RINGBOOK_', ''],
  ])('the unknown variable %s is a warning', (name, hint) => {
    const { config, warnings } = parseConfig([], { [name]: '1', RINGBOOK_PORT: '9000' }, noFile)
    expect(config?.port).toBe(9000)
    expect(warnings).toEqual([`The variable ${name} is not a known setting and is ignored.${hint}`])
  })

  test('a file that is missing or is not TOML is refused in one sentence', () => {
    expect(() => parseConfig(['--config', 'a.toml'], {}, noFile)).toThrow(
      /^The settings file a.toml cannot be read: it does not exist\.$/,
    )
    expect(() => parse(['--config', 'a.toml'], {}, 'host = "h"\r\nport = 80x')).toThrow(
      /^The settings file a.toml cannot be read: line 2, column 10: illegal character [a-z ]+\.$/,
    )
  })

  test('help names every setting with its default', () => {
    expect(parseConfig(['--help'], {}, noFile).asked).toBe('help')
    expect(parseConfig(['--version'], {}, noFile).asked).toBe('version')
    for (const setting of Object.values(settings)) {
      expect(helpText()).toContain(`--${setting.flag}`)
      expect(helpText()).toContain(`default ${setting.default || 'none'};`)
    }
  })

  test('help has two columns', () => {
    const [, rows = ''] = helpText().split('9081.\n\n')
    const begins = rows
      .trimEnd()
      .split('\n')
      .map((row) => row.search(/(?<=^ {2}--\S+ +|^ {4,})\S/))
    expect(new Set(begins).size).toBe(1)
  })
})

test('the settings of the README are settings, with their defaults', () => {
  const rows = [...readFileSync('README.md', 'utf8').matchAll(/^\| `--([\w-]+)` \| (\S+) \|/gm)]
  const defaults = new Map(
    Object.values<Setting>(settings).map((setting) => [setting.flag, setting.default]),
  )
  expect(rows.length).toBe(10)
  for (const [, flag = '', shown] of rows) {
    expect(shown, flag).toBe(String(defaults.get(flag) || 'none'))
  }
})
