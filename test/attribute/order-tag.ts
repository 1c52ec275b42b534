/**
 * A made-up order attribute, `orderTag`: a whole number that a client gives with an order. Each edit appends
 * a row to a table of src, found by the table's name; one raises the layout of journals. Together they carry
 * the attribute from the request through records, matching, snapshots and archive to responses and streams.
 */

export interface Edit {
  /** From the project's folder. */
  readonly file: string
  readonly name: string
  /** The file's text with the edit. Throws where the file has nothing of this name. */
  apply(text: string): string
}

/** A table is an array or an object at the top of a file, whose end is a bracket at a line's start. */
const row = (file: string, table: string, added: string | ((rows: number) => string)): Edit => ({
  file,
  name: `a row of ${table}`,
  apply: (text) => {
    const found = new RegExp(`^(?:export )?const ${table}\\b.*[[{]\n`, 'm').exec(text)
    const start = found === null ? -1 : found.index + found[0].length
    const end = found === null ? -1 : text.slice(start).search(/^[\]}]/m)
    if (end < 0) throw new Error(`${file} has no table ${table}`)
    const rows = text.slice(start, start + end)
    const line = typeof added === 'string' ? added : added(rows.split('\n').length - 1)
    return `${text.slice(0, start)}${rows}  ${line},\n${text.slice(start + end)}`
  },
})

/** A number that goes up by one. */
const raised = (file: string, constant: string): Edit => ({
  file,
  name: `a higher ${constant}`,
  apply: (text) => {
    const declared = new RegExp(`(?<=^export const ${constant} = )\\d+`, 'm')
    if (!declared.test(text)) throw new Error(`${file} has no number ${constant}`)
    return text.replace(declared, (number) => String(Number(number) + 1))
  },
})

const FIELDS = 'src/layout/schema/order-fields.ts'

export const edits: readonly Edit[] = [
  row('src/api/order-labels.ts', 'orderLabels', "orderTag: 'oT'"),
  row('src/api/parameters.ts', 'Param', (rows) => `orderTag: ${rows}`),
  row('src/api/parameters.ts', 'labelMeanings', "orderTag: of(LONG, 'kept with the order')"),
  row(FIELDS, 'extras', "['orderTag', 'int', '-1 for none', -1]"),
  row(FIELDS, 'detailFields', "['orderTag', 'int', '-1 for none', -1]"),
  row(FIELDS, 'columnNames', "'orderTag'"),
  raised('src/journal/block.ts', 'JOURNAL_LAYOUT'),
]
