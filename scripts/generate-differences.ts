/** docs/api/differences.md, from the tables of the protocol and Binance's surface. */
import { readFrom } from './differences/binance-surface.ts'
import { differingParams, itemsOf, missingItems, ownItems } from './differences/comparison.ts'
import { behaviours, missingTopics, ownTopics, type Topic } from './differences/topics.ts'
import { table } from './generate-api-docs.ts'

const isParameter = (item: string) => item.startsWith('parameter ')

/** An item as the page shows it: a code without the word for its kind. Sentences stay as they are. */
function shown(item: string): string {
  const name = item.replace(/^(stream|method|filter|value|parameter) /, '')
  return /^[A-Z]+ \/|[<!@.]|^\w+$/.test(name) ? `\`${name}\`` : name
}

function topicRows(topics: readonly Topic[], items: readonly string[]): string[][] {
  return topics.map((topic) => {
    const own = itemsOf(topic, items)
    const listed = own.filter((item) => !isParameter(item)).map(shown)
    const params = own.filter(isParameter)
    if (params.length > 0) listed.push(`${params.length} parameters, see below`)
    return [topic.name, listed.join(', '), topic.text]
  })
}

function paramRows(): string[][] {
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  return differingParams().map(({ operation, missing, own }) => [
    `\`${operation}\``,
    list(missing),
    list(own),
  ])
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
    'It names every difference of operations, parameters, streams, filters and values of enumerations.',
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
    ...table(['operation', 'not here', 'only here'], paramRows()),
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
