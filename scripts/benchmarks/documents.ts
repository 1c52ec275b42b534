/** The tables of kept runs, for README.md, docs/benchmarks.md and docs/testing.md. */
import fs from 'node:fs'
import { type Comparison, comparisons, digits, Figures } from './comparisons.ts'
import { type KeptRun, readKept } from './kept-runs.ts'

const BEGIN = '<!-- Made from bench/kept by npm run generate. -->'
const END = '<!-- Here ends what is made from bench/kept. -->'

/** Each document with its tables as the kept runs have them: [path, text]. */
export function documentsOfBenches(): readonly (readonly [path: string, text: string])[] {
  return [
    ['README.md', filled('README.md', readmeTable())],
    ['docs/testing.md', filled('docs/testing.md', soakTable())],
    [
      'docs/benchmarks.md',
      filled('docs/benchmarks.md', [wholeTable(), ...queriesTable()].join('\n\n')),
    ],
  ]
}

/** The file's text with `table` between its two marks. Throws for a file without them. */
function filled(file: string, table: string): string {
  const text = fs.readFileSync(file, 'utf8')
  const begin = text.indexOf(BEGIN)
  const end = text.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`${file} has no marks for the table of benches`)
  return `${text.slice(0, begin)}${BEGIN}\n\n${table}\n\n${text.slice(end)}`
}

function readmeTable(): string {
  const rows = comparisons.flatMap((comparison) => {
    const { bench, what, inReadme } = comparison
    const run = runsOf(comparison).at(-1)
    if (inReadme === undefined || run === undefined) return []
    const result = inReadme(new Figures(run))
    return [
      { run, line: `| \`${bench}\` | ${what.replace(/(, over|: p50 over) .*/, '')} | ${result} |` },
    ]
  })
  const days = [...new Set(rows.map(({ run }) => run.day))].sort().join(', ')
  const machines = [...new Set(rows.map(({ run }) => run.machine))].join('; ')
  const lines = rows.map(({ line }) => line)
  return [`${machines}; ${days}.`, '', '| bench | what | result |', '|---|---|---|', ...lines].join(
    '\n',
  )
}

/** The kept runs that have what is compared. */
const runsOf = ({ bench, ratio }: Comparison): readonly KeptRun[] =>
  readKept(bench).filter(
    ({ ratios, figures }) => ratio === undefined || ratio in ratios || ratio in figures,
  )

function wholeTable(): string {
  const machines = [...new Set(comparisons.flatMap((it) => namesOf(runsOf(it))))]
  const rows = comparisons.flatMap((comparison) => {
    const runs = runsOf(comparison)
    return runs.length === 0 ? [] : [rowOf(comparison, runs, machines)]
  })
  const list = machines.map((machine, at) => `${at + 1}. ${machine}`)
  const head = ['| bench | compared | ratio | at | day | machine |', '|---|---|---|---|---|---|']
  return [...head, ...rows, '', 'Machines:', '', ...list].join('\n')
}

/** Each query of the archive by itself, from the newest run of `queries`. */
function queriesTable(): readonly string[] {
  const run = readKept('queries').at(-1)
  if (run === undefined) return []
  const figures = new Figures(run)
  const names = Object.keys(run.figures).filter((name) => name.endsWith(', p50 µs'))
  const rows = names.map((name) => {
    const query = name.replace(', p50 µs', '')
    return `| ${query} | ${figures.time(name)} | ${figures.time(`${query}, p99 µs`)} |`
  })
  const [trades, asks] = [figures.count('trades'), figures.count('asks')]
  const title = `Queries of an archive of ${trades} trades, one thread, ${asks} times each:`
  return [title, ['| query | p50 | p99 |', '|---|---|---|', ...rows].join('\n')]
}

/** The growth of what the newest soak measured, beside its bounds. */
function soakTable(): string {
  const run = readKept('soak').at(-1)
  if (run === undefined) return 'No run is kept.'
  const figures = new Figures(run)
  const [orders, queries] = [figures.count('orders'), figures.count('queries')]
  const [compared, lost] = [figures.count('compared'), figures.count('lost')]
  const counts = `${orders} requests for orders, ${queries} queries of the archive`
  const kept = `${compared} acknowledgements compared, ${lost} lost`
  const rows = Object.keys(run.ratios).map((name) => {
    return `| ${name} | ${run.figures[`${name}, growth`]} | ${run.figures[`${name}, bound`]} |`
  })
  return [
    `${figures.number('hours')} hours on ${run.machine}, ${run.day}: ${counts}; ${kept}.`,
    ['| what | growth | bound |', '|---|---|---|', ...rows].join('\n'),
    '![Memory, files, handles and latencies over time](pictures/soak.svg)',
  ].join('\n\n')
}

const namesOf = (runs: readonly KeptRun[]): string[] => runs.slice(-1).map(({ machine }) => machine)

/** Ratios of all kept runs of the newest machine; figures of the newest run. */
function rowOf(
  comparison: Comparison,
  runs: readonly KeptRun[],
  machines: readonly string[],
): string {
  const { bench, what, ratio, at } = comparison
  const newest = runs.at(-1)!
  const alike = runs.filter(({ machine }) => machine === newest.machine)
  const cells = [
    `\`${bench}\``,
    what,
    ratio === undefined ? '' : ratioOf(alike.map((run) => new Figures(run).of(ratio))),
    at === undefined ? '' : at(new Figures(newest)),
    newest.day,
    String(machines.indexOf(newest.machine) + 1),
  ]
  return `| ${cells.join(' | ')} |`
}

/** The newest, and the range of all. */
function ratioOf(ratios: readonly number[]): string {
  const newest = digits(ratios.at(-1)!)
  if (ratios.length === 1) return newest
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)]
  return `${newest} (${digits(low)} to ${digits(high)}, ${ratios.length} runs)`
}
