/** Receipts of own orders: the time that each stage took in the exchange. Pure. */

export const STAGES = ['parse', 'ring', 'match', 'journal', 'publish', 'answer'] as const
export type Stage = (typeof STAGES)[number]

export interface Receipt {
  /** The request: `BUY LIMIT`. */
  readonly what: string
  readonly orderId: number | undefined
  /** ns. */
  readonly stages: Readonly<Record<Stage, number>>
  readonly totalNs: number
}

export const RECEIPTS_MAX = 1_000

/** Returns the receipt of an answer: its stages as the exchange reports them, and the order that it names. */
export function readReceipt(
  reported: Readonly<Record<string, number>>,
  what: string,
  answer: unknown,
): Receipt {
  const { orderId } = (answer ?? {}) as { readonly orderId?: number }
  const stages = Object.fromEntries(STAGES.map((name) => [name, reported[name] ?? 0]))
  return { what, orderId, stages: stages as Record<Stage, number>, totalNs: reported.total ?? 0 }
}

/** Adds a receipt; the oldest ones give way. */
export const withReceipt = (receipts: readonly Receipt[], receipt: Receipt): readonly Receipt[] => [
  ...receipts.slice(1 - RECEIPTS_MAX),
  receipt,
]

export interface Bin {
  readonly fromNs: number
  readonly count: number
}

/** Bins of a tenth of a decade each, from the smallest to the largest total. */
export function distribution(receipts: readonly Receipt[]): Bin[] {
  const binOf = ({ totalNs }: Receipt) => Math.floor(Math.log10(Math.max(1, totalNs)) * 10)
  const counts = new Map<number, number>()
  for (const receipt of receipts) {
    const bin = binOf(receipt)
    counts.set(bin, (counts.get(bin) ?? 0) + 1)
  }
  if (counts.size === 0) return []
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())]
  return Array.from({ length: last - first + 1 }, (_, i) => ({
    fromNs: 10 ** ((first + i) / 10),
    count: counts.get(first + i) ?? 0,
  }))
}

/** Returns the total that this share of the receipts does not exceed, ns; 0 without any. */
export function quantile(receipts: readonly Receipt[], share: number): number {
  const totals = receipts.map(({ totalNs }) => totalNs).sort((a, b) => a - b)
  return totals[Math.max(0, Math.ceil(totals.length * share) - 1)] ?? 0
}

export const durationText = (ns: number): string =>
  ns < 1e6 ? `${(ns / 1e3).toFixed(0)} µs` : `${(ns / 1e6).toFixed(2)} ms`
