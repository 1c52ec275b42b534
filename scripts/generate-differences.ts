/** docs/api/differences.md, from the tables of the protocol and Binance's surface. */
import { readFrom } from './differences/binance-surface.ts'
import {
  differingFields,
  differingWeights,
  type OperationDifference,
} from './differences/compare-answers.ts'
import { differingParams, itemsOf, missingItems, ownItems } from './differences/comparison.ts'
import { behaviours, missingTopics, ownTopics, type Topic } from './differences/topics.ts'
import { table } from './generate-api-docs.ts'

/** Kinds of items that have a table of their own on the page. */
const TABLED = ['parameter', 'field', 'weight', 'text'] as const
const isTabled = (item: string) => TABLED.some((kind) => item.startsWith(`${kind} `))

/** An item as the page shows it: a code without the word for its kind. Sentences stay as they are. */
function shown(item: string): string {
  const name = item.replace(/^(stream|method|filter|value) /, '')
  return /^[A-Z]+ \/|[<!@.]|^\w+$/.test(name) ? `\`${name}\`` : name
}

function topicRows(topics: readonly Topic[], items: readonly string[]): string[][] {
  return topics.map((topic) => {
    const own = itemsOf(topic, items)
    const codes = own.flatMap((item) => /^error (.*)/.exec(item)?.[1] ?? [])
    const listed = own.filter((item) => !isTabled(item) && !item.startsWith('error ')).map(shown)
    if (codes.length > 0) listed.push(codes.join(', '))
    for (const kind of TABLED) {
      const { length } = own.filter((item) => item.startsWith(`${kind} `))
      if (length > 0) listed.push(`${length} ${kind}${length === 1 ? '' : 's'}, see below`)
    }
    return [topic.name, listed.join(', '), topic.text]
  })
}

const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
const differenceRows = (rows: readonly OperationDifference[]): string[][] =>
  rows.map(({ operation, missing, own }) => [`\`${operation}\``, list(missing), list(own)])

const weightText = (weight: number | undefined) => (weight === undefined ? 'varies' : `${weight}`)
const weightRows = (): string[][] =>
  differingWeights().map(({ operation, theirs, ours }) => [
    `\`${operation}\``,
    weightText(theirs),
    weightText(ours),
  ])

/** By code: texts on one side alone. */
function textRows(): string[][] {
  const rows = new Map<string, readonly [theirs: string[], ours: string[]]>()
  for (const [side, items] of [missingItems(), ownItems()].entries()) {
    for (const item of items) {
      const [, code, text] = /^text (-\d+) (.*)$/s.exec(item) ?? []
      if (code === undefined) continue
      const row = rows.get(code) ?? [[], []]
      rows.set(code, row)
      row[side]!.push(text!)
    }
  }
  return [...rows]
    .sort(([one], [other]) => Number(other) - Number(one))
    .map(([code, sides]) => [code, ...sides.map((texts) => texts.join('<br>'))])
}

export function differencesMarkdown(): string {
  const { repository, commit, committed, changed } = readFrom
  return `${[
    '# What differs from Binance today',
    '',
    'Generated from the tables in `src/api` and `scripts/differences` by `npm run generate`.',
    '',
    `Compared with Binance's documents of ${committed}, whose newest change is of ${changed}`,
    `([commit ${commit.slice(0, 7)}](${repository}/tree/${commit})).`,
    'It names every difference of operations, parameters, response fields, weights, errors, streams, filters and',
    'values of enumerations.',
    '',
    '## Not here',
    '',
    'An operation that is not here returns 404, over the WebSocket API -1020. Such a stream is silent.',
    '',
    ...table(['what', 'on Binance', 'here'], topicRows(missingTopics, missingItems())),
    '',
    '## Only here',
    '',
    ...table(['what', 'here', 'why'], topicRows(ownTopics, ownItems())),
    '',
    '## Parameters',
    '',
    'Of operations that both have. An unknown parameter gets -1104.',
    '',
    ...table(['operation', 'not here', 'only here'], differenceRows(differingParams())),
    '',
    '## Response fields',
    '',
    'Of operations that both have.',
    '',
    ...table(['operation', 'not here', 'only here'], differenceRows(differingFields())),
    '',
    '## Weights',
    '',
    'Of operations that both have. Those that vary by parameters on both sides are not compared.',
    '',
    ...table(['operation', 'on Binance', 'here'], weightRows()),
    '',
    '## Texts of errors',
    '',
    'On one side alone. `%s` and `{0}` stand for a detail; their documents give some codes several texts.',
    '',
    ...table(['code', 'on Binance', 'here'], textRows()),
    '',
    '## Behavior',
    '',
    ...table(
      ['subject', 'here'],
      behaviours.map((row) => [...row]),
    ),
    '',
    "[Where Binance's docs are silent](decisions.md) has what they leave open. [Bounds](../bounds.md)",
    'has every bound, and the response when it is reached.',
  ].join('\n')}\n`
}
