/** Writes rows as CSV (RFC 4180). */

/** Returns one line with its end. */
export const csvLine = (cells: readonly (string | number | boolean)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: string | number | boolean): string {
  const text = String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
