import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../scripts/command-line/usage-error.ts'
import { readScenario } from '../../../scripts/load/scenario.ts'

const folder = path.resolve(import.meta.dirname, '../../../scripts/load/scenarios')
const shipped = readdirSync(folder)

describe('scenarios', () => {
  test('one of each kind is shipped', () => {
    expect(shipped.sort()).toEqual([
      'cancel-storm.toml',
      'market-maker.toml',
      'mixed.toml',
      'read-heavy.toml',
      'streams.toml',
      'takers.toml',
    ])
  })

  test.each(shipped)('%s is whole', (file) => {
    const { symbols, prices, actors } = readScenario(
      file,
      readFileSync(path.join(folder, file), 'utf8'),
    )
    expect(actors.length).toBeGreaterThan(0)
    expect(Object.keys(prices)).toEqual(symbols)
  })

  test('what is left out is as usual', () => {
    const text =
      'title = "t"\nsymbols = ["A"]\n[[actor]]\nkind = "maker"\n[[actor]]\nkind = "reader"'
    expect(readScenario('f', text).actors).toEqual([
      {
        kind: 'maker',
        share: 1,
        accounts: [],
        levels: 5,
        spreadBps: 10,
        stepBps: 2,
        notional: 100,
      },
      {
        kind: 'reader',
        share: 1,
        accounts: [],
        queries: expect.objectContaining({ depth: 1, trades: 0, account: 0 }),
      },
    ])
  })

  test('the example of the manual has one of each kind', () => {
    const page = readFileSync('docs/load.md', 'utf8')
    const [, text = ''] = /```toml\n([\s\S]*?)```/.exec(page) ?? []
    const { actors, subscribers } = readScenario('docs/load.md', text)
    const kinds = [...actors, ...subscribers].map(({ kind }) => kind)
    expect(kinds).toEqual(['maker', 'taker', 'storm', 'reader', 'subscriber'])
  })

  const head = 'title = "t"\nsymbols = ["A"]\n'
  test.each([
    ['= =', 'The scenario f cannot be read: line 1, column 1: '],
    ['title = "t"\nsymbols = ["A"]', 'The scenario f has no actor.'],
    ['symbols = ["A"]', 'The scenario f: title must be a text.'],
    ['title = "t"\nsymbols = "A"', 'The scenario f: symbols must be a list of texts.'],
    [`${head}speed = 1`, 'The scenario f: speed is not known there, only '],
    [`${head}[prices]\nA = -1`, 'prices of The scenario f: A must be a number above 0'],
    [`${head}actor = 1`, 'The scenario f: actor must be given as [[actor]].'],
    [`${head}[[actor]]\nkind = "shaker"`, 'Actor 1 of f: kind must be "maker", "taker", "storm"'],
    [
      `${head}[[actor]]\nkind = "maker"\nlevels = 0`,
      'Actor 1 of f: levels must be a number above 0',
    ],
    [
      `${head}[[actor]]\nkind = "maker"\nlevels = 1.5`,
      'Actor 1 of f: levels must be a whole number',
    ],
    [
      `${head}[[actor]]\nkind = "maker"\nshare = nan`,
      'Actor 1 of f: share must be a number above 0',
    ],
    [
      `${head}[[actor]]\nkind = "maker"\nburst = 3`,
      'Actor 1 of f: burst is not known there, only ',
    ],
    [
      `${head}[[actor]]\nkind = "maker"\naccounts = [0]`,
      'Actor 1 of f: accounts must be a list of',
    ],
    [
      `${head}[[actor]]\nkind = "reader"\nqueries = { fees = 1 }`,
      'queries of Actor 1 of f: fees is not known there, only ',
    ],
  ])('%j is refused', (text, sentence) => {
    expect(() => readScenario('f', text)).toThrow(UsageError)
    expect(() => readScenario('f', text)).toThrow(sentence)
  })
})
