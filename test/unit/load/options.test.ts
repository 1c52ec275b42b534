import { generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../scripts/command-line/usage-error.ts'
import { readKeys } from '../../../scripts/load/keys.ts'
import { readComparison, readOptions } from '../../../scripts/load/options.ts'

const needed = ['--keys', 'k.json', '--scenario', 'mixed']

describe('arguments', () => {
  test('what is left out is as usual', () => {
    expect(readOptions([...needed, '--rate', '100'])).toEqual({
      url: 'http://127.0.0.1:8080',
      wsApiUrl: 'ws://127.0.0.1:8080/ws-api/v3',
      streamsUrl: 'ws://127.0.0.1:8080/stream',
      keys: 'k.json',
      scenario: 'mixed',
      symbols: [],
      steps: [{ perSecond: 100, seconds: 30 }],
      warmUpSeconds: 5,
      isRamp: false,
      report: './load-report',
      seed: 1,
      connections: 64,
      threads: 1,
      timeoutMs: 10_000,
      inFlightMax: 10_000,
      honorsLimits: false,
      thresholds: [],
      livePort: 0,
      isOwnExchange: false,
      isOpened: false,
    })
    expect(readOptions(['--help'])).toBeUndefined()
  })

  test('another target has its sockets where it says', () => {
    const options = readOptions([
      ...needed,
      ...['--ramp', '10-100', '--seconds', '10', '--symbols', 'A,B', '--honor-limits'],
      ...['--url', 'https://api.example.com/', '--streams', 'wss://stream.example.com:9443/stream'],
    ])
    expect(options).toMatchObject({
      url: 'https://api.example.com',
      wsApiUrl: 'wss://api.example.com/ws-api/v3',
      streamsUrl: 'wss://stream.example.com:9443/stream',
      symbols: ['A', 'B'],
      isRamp: true,
      honorsLimits: true,
      steps: [
        { perSecond: 10, seconds: 5 },
        { perSecond: 100, seconds: 5 },
      ],
    })
  })

  test.each([
    [['--rate', '1'], '--keys must name a file of API keys.'],
    [['--keys', 'k', '--rate', '1'], '--scenario must name a scenario; see --help.'],
    [needed, 'Either --rate or --ramp must be given.'],
    [[...needed, '--rate', '1', '--ramp', '1-2'], 'Either --rate or --ramp must be given.'],
    [[...needed, '--rate', 'x'], '--rate must be a number above 0, at most 1000000; it is x.'],
    [[...needed, '--ramp', '5'], '--ramp must be a number above 0, at most 1000000; it is .'],
    [[...needed, '--ramp', '5-5'], '--ramp must go from a lower rate to a higher one.'],
    [[...needed, '--rate', '1', '--seed', '1.5'], '--seed must be a whole number; it is 1.5.'],
    [[...needed, '--rate', '1', '--url', 'ftp://a'], '--url must be an address such as'],
    [[...needed, '--rate', '1', '--fast'], '--fast is not a known flag'],
    [[...needed, '--rate', '1', '--fail-if', 'p99'], '--fail-if must be conditions such as'],
    [[...needed, '--rate', '1', '--live', '0'], '--live must be a number above 0'],
    [['--own-exchange', '--url', 'http://a'], '--own-exchange has an address and keys of its own.'],
    [['--own-exchange', '--keys', 'k'], '--own-exchange has an address and keys of its own.'],
  ])('%j is refused', (args, sentence) => {
    expect(() => readOptions(args)).toThrow(UsageError)
    expect(() => readOptions(args)).toThrow(sentence)
  })
})

test('an exchange of its own needs no more', () => {
  const steps = (...args: string[]) => readOptions(['--own-exchange', ...args])?.steps
  expect(steps()).toEqual([{ perSecond: 500, seconds: 30 }])
  expect(steps('--rate', '7')).toEqual([{ perSecond: 7, seconds: 30 }])
  expect(steps('--ramp', '1-9', '--seconds', '10')?.at(-1)?.perSecond).toBe(9)
})

test('conditions that are given one by one add up', () => {
  const flags = ['--fail-if', 'p99>1s', '--fail-if', 'failed>0']
  const options = readOptions([...needed, '--rate', '1', ...flags])
  expect(options?.thresholds.map(({ condition }) => condition)).toEqual(['p99>1s', 'failed>0'])
})

describe('a comparison', () => {
  test('names two reports', () => {
    expect(readComparison(['--compare', 'a.json,b.json', '--open'])).toEqual({
      compared: ['a.json', 'b.json'],
      report: './load-report',
      isOpened: true,
    })
    expect(readComparison(needed)).toBeUndefined()
  })

  test.each(['a.json', 'a.json,', 'a,b,c'])('of %s is refused', (files) => {
    expect(() => readComparison(['--compare', files])).toThrow('--compare must name two reports')
  })
})

describe('keys', () => {
  test('HMAC, RSA and Ed25519 sign', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const ed = generateKeyPairSync('ed25519')
    const pem = (key: typeof rsa.privateKey) => String(key.export({ format: 'pem', type: 'pkcs8' }))
    const rows = [
      { account: 'hmac', apiKey: 'h', secretKey: 'key' },
      { account: 'rsa', apiKey: 'r', secretKey: pem(rsa.privateKey) },
      { apiKey: 'e', secretKey: pem(ed.privateKey) },
    ]
    const keys = readKeys('f', JSON.stringify(rows))
    expect(keys.map(({ account }) => account)).toEqual(['hmac', 'rsa', '3'])
    const text = Buffer.from('The quick brown fox jumps over the lazy dog')
    const [hmac, ...others] = keys.map(({ signatureOf }) => signatureOf(String(text)))
    // The example that is known of HMAC-SHA256.
    expect(hmac).toBe('f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8')
    const [byRsa, byEd] = others.map((it) => Buffer.from(decodeURIComponent(it), 'base64'))
    expect(verify('sha256', text, rsa.publicKey, byRsa!)).toBe(true)
    expect(verify(undefined, text, ed.publicKey, byEd!)).toBe(true)
  })

  test.each([
    ['{', 'The key file f is not JSON.'],
    ['{}', 'The key file f is not a list of keys.'],
    ['[]', 'The key file f is not a list of keys.'],
    ['[null]', 'Key 1 of f has no apiKey or no secretKey.'],
    ['[{"apiKey":"a"}]', 'Key 1 of f has no apiKey or no secretKey.'],
    [
      '[{"apiKey":"a","secretKey":"-----BEGIN PRIVATE KEY-----"}]',
      'The private key of 1 in f cannot be read.',
    ],
    [
      '[{"account":"2","apiKey":"a","secretKey":"b"},{"apiKey":"c","secretKey":"d"}]',
      'Two keys of f name the same account.',
    ],
  ])('%s is refused', (text, sentence) => {
    expect(() => readKeys('f', text)).toThrow(new UsageError(sentence))
  })
})
