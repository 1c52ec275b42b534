/** What every benchmark answers, and how it is printed: a table for people, then one line of JSON. */
export interface BenchResult {
  /** Ours over something measured in the same run: these travel between machines. */
  readonly ratios: Readonly<Record<string, number>>
  /** Absolute numbers and conditions: these do not. */
  readonly figures: Readonly<Record<string, number | string>>
}

export function printTable(title: string, rows: readonly (readonly (string | number)[])[]): void {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? short(cell) : cell)),
  )
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  process.stdout.write(`\n${title}\n`)
  for (const row of cells) {
    const line = row.map((cell, i) =>
      i === 0 ? cell.padEnd(widths![i]!) : cell.padStart(widths![i]!),
    )
    process.stdout.write(`  ${line.join('  ')}\n`)
  }
}

/** 1234567 → "1,234,567"; 0.12345 → "0.123". */
export function short(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1000) {
    return Math.round(value).toLocaleString('en-US')
  }
  return value.toPrecision(3)
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
