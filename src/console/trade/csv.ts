/** Tables as files of comma-separated values. */
import { csvLine } from '../../base/csv.ts'

/** What spreadsheets would read as a formula. */
const FORMULA = /^[=+@\t]|^-(?![\d.])/

/** Returns lines that end as RFC 4180 has it, the names first. */
export function csvOf(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (FORMULA.test(text) ? `'${text}` : text)
  return [names, ...rows].map((row) => csvLine(row.map(cell))).join('')
}
