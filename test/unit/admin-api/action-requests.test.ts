/** The two faces of operator actions: HTTP with its token, and the command line that asks it. */
import { statSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claimPort } from '../../../scripts/exchange/ports.ts'
import { ActionRequests } from '../../../src/admin-api/action-requests.ts'
import { AdminServer } from '../../../src/admin-api/admin-server.ts'
import type { Table } from '../../../src/base/cold-input.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { callAction } from '../../../src/cli/cli.ts'
import { ActionError, RoleError, StoppingError } from '../../../src/control/action.ts'
import type { CommandExecutor } from '../../../src/control/command-executor.ts'
import { actions } from '../../../src/control/commands.ts'
import type { Operator } from '../../../src/control/operators.ts'
import { isAuthorized, OwnerToken, openToken } from '../../../src/control/token.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const port = await claimPort()
const data = temporaryFolder()
const token = openToken(data)
const server = new AdminServer()
const asked: [name: string, given: unknown][] = []
const rows = [
  { name: 'a', count: 1 },
  { name: 'bcd', count: 20 },
]
const executor = {
  operatorOf: () => undefined,
  act: async (name: string, given: unknown) => {
    asked.push([name, given])
    if (name === 'halt') throw new ActionError('It cannot be.')
    if (name === 'resume') throw new StoppingError()
    return { said: 'Done.', rows: name === 'audit' ? rows : [] }
  },
  feed: async (prices: Table, by: Operator) => {
    if (by.role !== 'admin') throw new RoleError('It needs the role admin.')
    asked.push(['feed', prices])
    return { BTCUSDT: 'set' }
  },
  preview: async (name: string, given: unknown) => {
    asked.push([`${name}?`, given])
    return { does: 'Make 1 change', note: 'It stays.', yes: 'Make it', rows: [] }
  },
} as unknown as CommandExecutor

beforeAll(async () => {
  await server.listen(port)
  server.ready({
    readCounters: () => [],
    metrics: undefined,
    actions: new ActionRequests(executor, new OwnerToken(data, new RealTime()), {
      figures: () => ({ warnings: 0 }),
      history: () => undefined,
    }),
  })
})
afterAll(() => server.close())

describe('over HTTP', () => {
  async function send(url: string, body?: string, given = token, method = 'POST') {
    const response = await fetch(`http://127.0.0.1:${port}${url}`, {
      method,
      headers: { Authorization: `Bearer ${given}`, Connection: 'close' },
      ...(body === undefined ? {} : { body }),
    })
    return [response.status, await response.json()] as [status: number, answer: unknown]
  }

  test('the token is in a file of its own, and is asked for', async () => {
    expect(statSync(path.join(data, 'operator-token')).mode & 0o777).toBe(0o600)
    expect(openToken(data)).toBe(token)
    const before = asked.length
    const cut = [token.slice(1), token.slice(0, -1), token.slice(0, 1)]
    for (const wrong of ['', 'x', ...cut, `${token}x`, token.replace(/./, 'x')]) {
      expect((await send('/actions/audit', '{}', wrong))[0]).toBe(401)
      expect(isAuthorized(`Bearer ${wrong}`, token)).toBe(false)
    }
    expect(asked).toHaveLength(before)
    expect(isAuthorized(undefined, token)).toBe(false)
    expect(isAuthorized('Bearer ', '')).toBe(false)
    expect(isAuthorized(`Basic ${token}`, token)).toBe(false)
  })

  test('acts are listed, asked for and refused', async () => {
    const [status, listed] = await send('/actions', undefined, token, 'GET')
    expect(status).toBe(200)
    expect(listed).toHaveLength(actions.length)
    expect(await send('/actions/audit')).toEqual([200, { said: 'Done.', rows }])
    expect(await send('/actions/halt', '{"symbol":"X"}')).toEqual([400, { error: 'It cannot be.' }])
    expect(asked.at(-1)).toEqual(['halt', { symbol: 'X' }])
    const stopping = [503, { error: 'The exchange is stopping.' }]
    expect(await send('/actions/resume', '{"symbol":"X"}')).toEqual(stopping)
    expect((await send('/actions/audit', undefined, token, 'GET'))[0]).toBe(405)
  })

  test('prices of a feed are taken with a token alone', async () => {
    const prices = '{"BTCUSDT":"65000.5","ETHUSDT":null}'
    expect(await send('/reference-prices', prices)).toEqual([200, { BTCUSDT: 'set' }])
    expect(asked.at(-1)).toEqual(['feed', { BTCUSDT: '65000.5', ETHUSDT: null }])
    expect((await send('/reference-prices', prices, 'x'))[0]).toBe(401)
    expect((await send('/reference-prices', undefined, token, 'GET'))[0]).toBe(405)
    expect((await send('/reference-prices', '[]'))[0]).toBe(400)
  })

  test.each(['', ' ', 'a b', 'x'.repeat(65)])('the key %j is refused', async (key) => {
    const response = await fetch(`http://127.0.0.1:${port}/actions/audit`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, Connection: 'close', 'Idempotency-Key': key },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: 'Idempotency-Key must be 1 to 64 printable characters of ASCII.',
    })
  })

  test('a preview carries nothing out, and what is no preview is refused', async () => {
    const before = asked.length
    const [status, answer] = await send('/actions/halt?preview', '{"symbol":"X"}')
    expect([status, answer]).toMatchObject([200, { preview: { does: 'Make 1 change' } }])
    expect(asked.at(-1)).toEqual(['halt?', { symbol: 'X' }])
    for (const query of ['warning', 'dry-run', 'preview=1']) {
      expect((await send(`/actions/halt?${query}`, '{"symbol":"X"}'))[0]).toBe(400)
    }
    expect(asked).toHaveLength(before + 1)
  })

  test.each(['[]', '1', 'null', '{', '"x"'])('the arguments %s are none', async (body) => {
    const error = 'The arguments must be a JSON object.'
    expect(await send('/actions/audit', body)).toEqual([400, { error }])
  })

  test('too many arguments', async () => {
    const body = (bytes: number) => JSON.stringify({ x: '' }).padEnd(bytes)
    const tooLong = [400, { error: 'The arguments are too long.' }]
    expect(await send('/actions/audit', body(256 * 1024 + 1))).toEqual(tooLong)
    expect(await send('/actions/audit', body(256 * 1024))).not.toEqual(tooLong)
  })
})

describe('by command line', () => {
  const call = (...words: string[]) => callAction({ words, data, adminPort: port })
  const file = path.join(data, 'filters.json')
  writeFileSync(file, '[1]')

  test.each<[words: string[], given: Record<string, string>]>([
    [['deposit', 'alice', 'BTC', '5'], { account: 'alice', asset: 'BTC', amount: '5' }],
    [
      ['deposit', '--asset=BTC', 'alice', '--amount', '5'],
      { account: 'alice', asset: 'BTC', amount: '5' },
    ],
    [['symbol-filters', 'X', `@${file}`], { symbol: 'X', filters: '[1]' }],
    [
      ['-o', 'table', 'deposit', 'alice', 'BTC', '5'],
      { account: 'alice', asset: 'BTC', amount: '5' },
    ],
    [['cancel-orders', '--all', '--symbol', 'X'], { symbol: 'X', all: 'on' }],
    [
      ['withdraw', 'alice', 'BTC', '5', '--yes'],
      { account: 'alice', asset: 'BTC', amount: '5', yes: 'on' },
    ],
    [['venue', 'apply', '--data', data, file], { venue: '[1]' }],
    [['venue-apply', `@${file}`], { venue: '[1]' }],
  ])('%j', async (words, given) => {
    expect(await call(...words)).toEqual({ text: 'Done.\n', code: 0 })
    const name =
      words[0] === 'venue'
        ? 'venue-apply'
        : words.find((word) => /^[a-z]+-?[a-z]+$/.test(word) && word !== 'table')
    expect(asked.at(-1)).toEqual([name, given])
  })

  test.each([
    [['venue', 'apply', file, '--dry-run'], 'venue-apply?'],
    [['venue', 'apply', '--dry-run', file], 'venue-apply?'],
    [['--dry-run', 'halt', '--all'], 'halt?'],
  ])('%j is asked about, and not done', async (words, name) => {
    const text = 'Dry run, nothing was changed: would make 1 change. It stays.\n'
    expect(await call(...words)).toEqual({ text, code: 0 })
    expect(asked.at(-1)![0]).toBe(name)
  })

  test('an action without a dry run is not done by one', async () => {
    const before = asked.length
    for (const words of [['deposit', 'alice', 'BTC', '5'], ['help']]) {
      const text = `${words[0]} has no dry run. Nothing was changed.\n`
      expect(await call(...words, '--dry-run')).toEqual({ text, code: 1 })
    }
    expect(asked).toHaveLength(before)
  })

  test('tables for people, JSON for scripts', async () => {
    expect((await call('audit')).text).toBe(
      'Done.\n\nname  count\n----  -----\na         1\nbcd      20\n',
    )
    expect((await call('audit', '--json')).text).toBe(
      `${JSON.stringify({ said: 'Done.', rows })}\n`,
    )
  })

  test.each<[words: string[], text: string]>([
    [['halt'], 'It cannot be.'],
    [['fly'], 'Unknown command "fly". See ringbook help.'],
    [['depost', 'alice'], 'Unknown command "depost". Did you mean deposit?'],
    [['acounts'], 'Unknown command "acounts". Did you mean accounts?'],
    [['deposit', 'a', 'b', '1', '2'], 'deposit takes 3 arguments; "2" is a fourth.'],
    [['halt', 'X', 'Y'], 'halt takes 1 argument; "Y" is a second.'],
    [['drain', 'X'], 'drain takes no arguments; "X" is one.'],
    [
      ['halt', '--symbol', 'X', 'Y'],
      'halt takes 1 argument, some of them given by name; "Y" is one too many.',
    ],
    [['halt', '--symbol'], '--symbol needs a value.'],
    [['status', '--watsh'], '--watsh is not a known flag. Did you mean --watch?'],
    [['--watsh', 'status'], '--watsh is not a known flag. Did you mean --watch?'],
    [['halt', '--simbol', 'X'], '--simbol is not a known flag. Did you mean --symbol?'],
    [['deposit', '--all'], '--all is not a known flag. See --help.'],
    [['halt', '--symbol', 'X', '--symbol', 'Y'], '--symbol is given twice.'],
    [['halt', '@/no/such'], 'The file /no/such cannot be read: it does not exist.'],
  ])('%j is refused', async (words, text) => {
    expect(await call(...words)).toEqual({ text: `${text}\n`, code: 1 })
  })

  test('the exchange ends before it answers', async () => {
    const keys: (string | undefined)[] = []
    const dying = createServer((socket) =>
      socket.once('data', (head) => {
        keys.push(/^idempotency-key: (.+)$/im.exec(String(head))?.[1])
        socket.destroy()
      }),
    )
    const adminPort = await new Promise<number>((resolve) =>
      dying.listen(0, '127.0.0.1', () => resolve((dying.address() as AddressInfo).port)),
    )
    expect(await callAction({ words: ['load', 'monday'], data, adminPort })).toEqual({
      text: 'The exchange ended before it answered, so it may have done it or not.\n',
      code: 1,
    })
    dying.close()
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('an answer that is lost is asked for again', async () => {
    let lost = 0
    const losing = createHttpServer((request, response) => {
      if (lost++ < 2) request.socket.destroy()
      else response.end(JSON.stringify({ said: 'Done.', rows: [] }))
    })
    const adminPort = await new Promise<number>((resolve) =>
      losing.listen(0, '127.0.0.1', () => resolve((losing.address() as AddressInfo).port)),
    )
    expect(await callAction({ words: ['load', 'monday'], data, adminPort })).toEqual({
      text: 'Done.\n',
      code: 0,
    })
    losing.close()
  })

  test('no exchange runs', async () => {
    expect(await callAction({ words: ['audit'], data, adminPort: 1 })).toEqual({
      text: 'No exchange answers on port 1. Start one (ringbook start) or pass --admin-port.\n',
      code: 1,
    })
    const elsewhere = path.join(data, 'none')
    expect((await callAction({ words: ['audit'], data: elsewhere, adminPort: port })).text).toBe(
      `The data folder ${elsewhere} is not usable: it has never run an exchange (--data).\n`,
    )
  })
})
