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

/** The value that a `share` of them is below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
}

/** A median and what it may be, 95 times in 100, whatever the values are distributed like. */
export interface PairedRatio {
  readonly ratio: number
  readonly low: number
  readonly high: number
}

/**
 * The median of `over[i] / under[i]`, of turns that followed one another, so that what both meet (a disk
 * that is slow for a while) is in neither's favour. The interval ends at the order statistics that a median
 * lies between by the binomial distribution, in its normal approximation.
 */
export function pairedRatio(over: readonly number[], under: readonly number[]): PairedRatio {
  const ratios = over.map((value, pair) => value / under[pair]!).sort((a, b) => a - b)
  const count = ratios.length
  const rank = Math.max(1, Math.floor((count + 1 - 1.96 * Math.sqrt(count)) / 2))
  return { ratio: median(ratios), low: ratios[rank - 1]!, high: ratios[count - rank]! }
}
