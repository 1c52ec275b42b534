/** Tables as files of comma-separated values. */

const SPECIAL = /[",\r\n]/
/** What spreadsheets would read as a formula. */
const FORMULA = /^[=+@\t]|^-(?![\d.])/

/** Returns lines that end as RFC 4180 has it, the names first. */
export function csvOf(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => {
    const safe = FORMULA.test(text) ? `'${text}` : text
    return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  return [names, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}
