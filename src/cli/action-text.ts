/** An action's answer as text: a table for people, JSON or CSV for programs. */
import { csvLine } from '../base/csv.ts'
import type { ActionAnswer, TableRow } from '../control/action.ts'
import type { Paint } from './paint.ts'

export const formats = ['table', 'json', 'csv'] as const
export type Format = (typeof formats)[number]

export interface ActionText {
  readonly text: string
  /** For stderr: what the format has no place for. */
  readonly note?: string
}

/** `isContinued` leaves out the line of columns, behind rows that have it. */
export function actionText(
  answer: ActionAnswer,
  format: Format,
  paint: Paint,
  isContinued = false,
): ActionText {
  const { said, rows, more } = answer
  if (format === 'json') return { text: `${JSON.stringify(answer)}\n` }
  const next = more === undefined ? '' : `More: --after ${more}\n`
  if (format === 'csv') return { text: csvText(rows, isContinued), note: `${said}\n${next}` }
  if (rows.length === 0) return { text: `${said}\n` }
  return { text: `${said}\n\n${tableText(rows, paint)}${next === '' ? '' : `\n${next}`}` }
}

function csvText(rows: readonly TableRow[], isContinued: boolean): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = rows.map((row) => csvLine(names.map((name) => row[name]!)))
  return `${isContinued || rows.length === 0 ? '' : csvLine(names)}${lines.join('')}`
}

const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/

/** Cells that an operator looks for. */
const STYLES: Readonly<Record<string, Parameters<Paint>[0]>> = {
  BUY: 'green',
  bid: 'green',
  TRADING: 'green',
  yes: 'green',
  SELL: 'red',
  ask: 'red',
  no: 'red',
  HALT: 'yellow',
  BREAK: 'yellow',
  CANCEL_ONLY: 'yellow',
  frozen: 'yellow',
  closed: 'yellow',
  delisted: 'yellow',
}

/** Returns columns under their names; numbers are aligned right. */
function tableText(rows: readonly TableRow[], paint: Paint): string {
  const names = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => names.map((name) => String(row[name])))
  const lines = [names, names.map((name) => '-'.repeat(name.length)), ...cells]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const isNumeric = names.map((_, column) => cells.every((line) => NUMBER.test(line[column]!)))
  const padded = lines.map((line, at) => {
    const texts = line.map((cell, column) => {
      const width = widths[column]!
      const isLast = column === names.length - 1
      const text = isNumeric[column] ? cell.padStart(width) : isLast ? cell : cell.padEnd(width)
      const style = at === 0 ? 'bold' : at === 1 ? 'dim' : STYLES[cell]
      return style === undefined ? text : paint(style, text)
    })
    return texts.join('  ').trimEnd()
  })
  return `${padded.join('\n')}\n`
}
