/** Operators' actions on the rules of the sandbox, and the files of rules that come with it. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { AccountId } from '../../../src/base/units.ts'
import { ActionBench } from './plain-control-plane.ts'

const FOLDER = 'examples/faults'

let bench: ActionBench
beforeEach(async () => {
  bench = await ActionBench.make()
})

const apply = (rules: string) => bench.executor.act('faults-apply', { rules })
const names = async () => (await bench.ask('faults')).rows.map(({ name }) => name)

test.each(readdirSync(FOLDER))('%s is applied', async (file) => {
  const text = readFileSync(path.join(FOLDER, file), 'utf8')
  expect(text.split('\n')[0]).toContain(`faults-apply ${FOLDER}/${file}`)
  const { said } = await apply(text)
  const rules = text.match(/^name = "(.*)"$/gm)!.map((line) => line.slice(8, -1))
  const left =
    'Handshakes of WebSockets and methods of streams are left as they are by broken-answers.'
  const more = rules.includes('broken-answers') ? ` ${left}` : ''
  expect(said).toBe(`${rules.length} rules in force.${more}`)
  expect(await names()).toEqual(rules)
})

test.each([
  ['', 'The file has no [[fault]] table.'],
  ['other = 1\n[[fault]]\nname = "a"\ndo = "cut"', 'The file has other beside [[fault]] tables.'],
  ['[[fault]]\nname = "a"\ndo = "cut"\n[[fault]]\nname = "b"', '[[fault]] 2: do must be'],
  [
    '[[fault]]\nname = "a"\ndo = "cut"\n[[fault]]\nname = "a"\ndo = "cut"',
    'Two rules have the name a.',
  ],
  [
    '[[fault]]\nname = "a"\ndo = "cut"\nparameter = "newOrderId=a*"',
    'There is no parameter newOrderId.',
  ],
  ['[[fault]', 'The file of rules cannot be read: line 1'],
])('a file that is wrong changes nothing: %j', async (text, sentence) => {
  await expect(apply(text)).rejects.toThrow(sentence)
  expect(await names()).toEqual([])
})

test('a rule is added, replaced and removed; none is a fact', async () => {
  const before = bench.controlPlane.facts.length
  await bench.ask('fault-add lost cut --account alice')
  const [row] = (await bench.ask('faults')).rows
  const { id } = bench.registry.accounts.find(({ name }) => name === 'alice')!
  expect(row).toMatchObject({ name: 'lost', do: 'cut', rule: `account=${id}`, state: 'on' })
  await bench.ask('fault-add lost half')
  expect((await bench.ask('faults')).rows).toMatchObject([{ name: 'lost', do: 'half', rule: '' }])
  await bench.ask('fault-remove lost')
  expect(await names()).toEqual([])
  expect(bench.controlPlane.facts).toHaveLength(before)
})

test("rules of an account's own are shown and removed with its name", async () => {
  const book = bench.controlPlane.view.faults!
  const { id } = bench.registry.accounts.find(({ name }) => name === 'alice')!
  const given = { name: 'lost', do: 'cut' }
  await book.answer({ ask: 'add', account: AccountId(id), given })
  await bench.ask('fault-add lost cut')
  expect(await names()).toEqual(['alice/lost', 'lost'])
  await bench.ask('fault-remove alice/lost')
  expect(await names()).toEqual(['lost'])
  await book.answer({ ask: 'add', account: AccountId(id), given })
  await bench.ask('fault-remove all')
  expect(await names()).toEqual([])
})

describe('places of rules', () => {
  const accounts = Array.from({ length: 12 }, (_, at) => AccountId(100 + at))
  const own = async (account: AccountId, name: string, more: object = {}) => {
    const given = { name, do: 'cut', ...more }
    const answer = await bench.controlPlane.view.faults!.answer({ ask: 'add', account, given })
    return 'refused' in answer ? answer.refused : 'added'
  }
  /** Adds rules until one is refused; returns how many there were. */
  const fill = async (account: AccountId) => {
    let count = 0
    while ((await own(account, `r${count}`)) === 'added') count++
    return count
  }

  test('an account may take 40, eight others one each, and operators the last 16', async () => {
    const [first, ...others] = accounts as [AccountId, ...AccountId[]]
    expect(await fill(first)).toBe(40)
    const refusal = await own(first, 'more')
    expect(refusal).toContain('accounts leave 16 places to operators, and those with a rule 8')
    for (const account of others.slice(0, 8)) expect(await own(account, 'first')).toBe('added')
    expect(await own(others[8]!, 'first')).toBe(refusal)
    expect(await own(others[0]!, 'second')).toBe(refusal)
    for (let at = 0; at < 16; at++) await bench.ask(`fault-add o${at} cut`)
    await expect(bench.ask('fault-add o16 cut')).rejects.toThrow('There are 64 rules at most')
    // A rule in the place of another takes none.
    expect(await own(first, 'r3', { times: 1 })).toBe('added')
    await bench.ask('fault-add o3 half')
    expect(await names()).toHaveLength(64)
  })

  test('what operators have counts as taken; a place that is free again may be taken', async () => {
    for (let at = 0; at < 4; at++) await bench.ask(`fault-add o${at} cut`)
    const [first, second] = accounts as [AccountId, AccountId]
    expect(await fill(first)).toBe(36)
    expect(await fill(second)).toBe(1)
    const book = bench.controlPlane.view.faults!
    await book.answer({ ask: 'remove', account: first, name: 'r0' })
    expect(await own(second, 'r1')).not.toBe('added')
    await book.answer({ ask: 'remove', account: first, name: 'r1' })
    expect(await own(second, 'r1')).toBe('added')
    expect(await names()).toHaveLength(40)
  })
})

test('there are 64 rules at most', async () => {
  const table = (at: number) => `[[fault]]\nname = "r${at}"\ndo = "cut"\n`
  await apply(Array.from({ length: 64 }, (_, at) => table(at)).join(''))
  await expect(apply(table(64))).rejects.toThrow('There are 64 rules at most')
  await apply(table(3))
  expect(await names()).toHaveLength(64)
})
