/** What the command line prints: formats, colors, help, and actions that are repeated. */
import tty from 'node:tty'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { claimPort } from '../../../scripts/exchange/ports.ts'
import { ActionRequests } from '../../../src/admin-api/action-requests.ts'
import { AdminServer } from '../../../src/admin-api/admin-server.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { HELP_WIDTH } from '../../../src/base/wrap-lines.ts'
import { callAction } from '../../../src/cli/cli.ts'
import { describedActions } from '../../../src/cli/local-actions.ts'
import { paintFor } from '../../../src/cli/paint.ts'
import { showAction } from '../../../src/cli/watch.ts'
import { type ActionAnswer, ActionError, actionGroups } from '../../../src/control/action.ts'
import type { CommandExecutor } from '../../../src/control/command-executor.ts'
import { actions } from '../../../src/control/commands.ts'
import { OwnerToken } from '../../../src/control/token.ts'
import { temporaryFolder } from '../../fixtures/temporary-folder.ts'

const port = await claimPort()
const data = temporaryFolder()
const door = new AdminServer()
const usual: ActionAnswer = {
  said: '2 orders.',
  rows: [
    { account: 'alice', side: 'BUY', price: '9.5' },
    { account: 'a "b", c', side: 'SELL', price: '10' },
  ],
  more: '0:1:7',
}
let answer: ActionAnswer = usual
let asked = 0
let endOfBackup: Promise<void> | undefined
let statusAsked: () => void = () => {}
const executor = {
  operatorOf: () => undefined,
  act: async (name: string) => {
    asked++
    if (name === 'backup') await endOfBackup
    if (name === 'status') {
      setImmediate(statusAsked)
      const row = { what: 'backup', value: 42, unit: '%, 7 seconds left' }
      return { said: '', rows: [row] }
    }
    if (name === 'audit') throw new ActionError('It cannot be.')
    return answer
  },
} as unknown as CommandExecutor

beforeAll(async () => {
  await door.listen(port)
  const acts_ = new ActionRequests(executor, new OwnerToken(data, new RealTime()), {
    figures: () => ({}),
    history: () => undefined,
  })
  door.ready({ readCounters: () => [], metrics: undefined, actions: acts_ })
})
afterAll(() => door.close())
afterEach(() => {
  answer = usual
  asked = 0
})

const call = (line: string) => callAction({ words: line.split(' '), data, adminPort: port })

const table = `2 orders.

account   side  price
-------   ----  -----
alice     BUY     9.5
a "b", c  SELL     10

More: --after 0:1:7
`
const json = `${JSON.stringify(usual)}\n`
const csv = 'account,side,price\r\nalice,BUY,9.5\r\n"a ""b"", c",SELL,10\r\n'

test.each<[line: string, text: string]>([
  ['orders', table],
  ['orders -o table', table],
  ['orders -o json', json],
  ['orders --json', json],
  ['orders --output=json', json],
  ['orders -o csv', csv],
])('%s', async (line, text) => {
  expect(await call(line)).toMatchObject({ text, code: 0 })
})

test('CSV has rows only: the sentence is a note', async () => {
  expect((await call('orders -o csv')).note).toBe('2 orders.\nMore: --after 0:1:7\n')
  answer = { said: 'No order.', rows: [] }
  expect(await call('orders -o csv')).toEqual({ text: '', note: 'No order.\n', code: 0 })
})

test.each([
  ['orders -o xml', '-o must be "table", "json" or "csv"; it is xml.'],
  ['orders -o', '--output needs a value.'],
  ['halt --watch', '--watch repeats commands that only read; halt is none.'],
  ['help --watch', '--watch repeats commands that only read; help is none.'],
  ['orders --watch=0', /^--watch must be a whole number from 1 to 3600; it is 0\.$/],
  ['orders --watch=3601', /it is 3601\.$/],
  ['orders --watch=x', /it is x\.$/],
  ['completion sh', 'shell must be "bash".'],
  ['help ordres', 'Unknown command "ordres". Did you mean orders?'],
])('%s is refused', async (line, sentence) => {
  const { text, code } = await call(line)
  expect(code).toBe(1)
  expect(text.trimEnd()).toMatch(sentence)
  expect(asked).toBe(0)
})

test('colors are for terminals that have them', async () => {
  const terminal = Object.create(tty.WriteStream.prototype, { isTTY: { value: true } })
  const environment = { TERM: 'xterm-256color' }
  const paint = paintFor(terminal, environment)
  const { text } = await callAction({ words: ['orders'], data, adminPort: port, paint })
  expect(text).not.toBe(table)
  expect(stripVTControlCharacters(text)).toBe(table)
  for (const format of ['json', 'csv']) {
    const words = ['orders', '-o', format]
    const painted = await callAction({ words, data, adminPort: port, paint })
    expect(painted.text).toBe(format === 'json' ? json : csv)
  }
  const file = { isTTY: false } as tty.WriteStream
  expect(paintFor(file, environment)('red', 'x')).toBe('x')
  for (const without of [{ NO_COLOR: '1' }, { TERM: 'dumb' }, { CI: 'true' }]) {
    expect(paintFor(terminal, { ...environment, ...without })('red', 'x')).toBe('x')
  }
})

test('a terminal is told how far a long action is, until it ends', async () => {
  const shown: string[] = []
  const terminal = {
    ask: async () => '',
    confirm: async () => true,
    showProgress: (text: string) => shown.push(text),
  }
  const copied = new Promise<void>((resolve) => {
    statusAsked = resolve
  })
  endOfBackup = copied
  const words = ['backup', '/backups/monday']
  const { code } = await callAction({ words, data, adminPort: port }, terminal)
  expect([code, shown[0], shown.at(-1)]).toEqual([0, '42 %, 7 seconds left', ''])
})

const longest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length))

test('help has every action in its group with an example, and all of one action', async () => {
  const { text } = await call('help')
  expect(longest(text)).toBeLessThanOrEqual(HELP_WIDTH)
  const headings = Object.values(actionGroups).map((heading) => text.indexOf(`\n${heading}\n`))
  expect(headings).not.toContain(-1)
  expect(headings).toEqual([...headings].sort((a, b) => a - b))
  for (const { name, group, about, example } of describedActions()) {
    const at = Object.keys(actionGroups).indexOf(group)
    const section = text.slice(headings[at], headings[at + 1])
    expect(section.replace(/\s+/g, ' ')).toContain(` ${name} ${about} `)
    expect(section).toContain(`ringbook ${example}\n`)
  }
  for (const row of describedActions()) {
    const help = await call(`${row.name} --help`)
    expect(help).toEqual(await call(`help ${row.name}`))
    expect(help.text).toContain(`Example: ringbook ${row.example}\n`)
    expect(longest(help.text), row.name).toBeLessThanOrEqual(HELP_WIDTH)
    for (const { name } of row.params) expect(help.text).toContain(`--${name} `)
    expect(help.text.includes('takes effect')).toBe(row.isImmediate === false)
    if (row.role !== undefined) expect(help.text).toContain(`Needs the role ${row.role}.`)
  }
})

test('each example is a line that its action takes', async () => {
  for (const { name, example } of actions) {
    if (example.includes('@') || example.startsWith('venue')) continue
    const { code, text } = await call(example)
    expect([name, code, text.includes('has no parameter')]).toEqual([
      name,
      name === 'audit' ? 1 : 0,
      false,
    ])
  }
})

interface Shown {
  readonly code: number
  readonly written: readonly string[]
  readonly errors: readonly string[]
}

/** Ends the watching after so many rounds. */
async function watch(line: string, rounds: number, rows?: number): Promise<Shown> {
  const written: string[] = []
  const errors: string[] = []
  const waited: number[] = []
  const code = await showAction({ words: line.split(' '), data, adminPort: port }, undefined, {
    rows,
    write: (text) => written.push(text),
    writeNote: () => {},
    writeError: (text) => errors.push(text),
    pause: async (seconds) => waited.push(seconds) < rounds,
  })
  expect(new Set(waited).size).toBeLessThan(2)
  return { code, written, errors }
}

test('a watched act is asked again until the operator has had enough', async () => {
  const { code, written } = await watch('orders --watch', 3)
  expect([code, asked, written]).toEqual([0, 3, [table, table, table]])
  const { written: lines } = await watch('orders --watch=3600 -o csv', 2)
  expect(lines).toEqual([csv, csv.slice(csv.indexOf('\n') + 1)])
})

test('in a terminal it is drawn over, and never longer than the screen', async () => {
  const { written } = await watch('orders --watch', 2, 4)
  const [first = '', second = ''] = written.map(stripVTControlCharacters)
  expect(first).toBe(table.split('\n').slice(0, 3).join('\n').concat('\n'))
  expect(second).toBe(first)
  expect(written[0]).not.toBe(written[1])
})

test('a first refusal ends it', async () => {
  const { code, errors } = await watch('audit --watch', 3)
  expect([code, errors]).toEqual([1, ['It cannot be.\n']])
})
