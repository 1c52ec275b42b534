/** Public trades as REST lists them, and what klines and tickers must say of them. */

export interface PublicTrade {
  readonly id: number
  readonly price: string
  readonly qty: string
  readonly quoteQty: string
  readonly time: number
  readonly isBuyerMaker: boolean
}

/** Decimal text as an integer of 1e-8. */
export const units = (text: string): bigint => BigInt(text.replace('.', ''))

/** Formats such an integer, or one with another number of decimals. */
export function decimal(value: bigint, decimals = 8): string {
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export const sum = (texts: readonly string[]): string =>
  decimal(texts.reduce((total, text) => total + units(text), 0n))

/** A quotient, half away from zero. */
export const rounded = (n: bigint, d: bigint): bigint =>
  n < 0n ? -((-n * 2n + d) / (2n * d)) : (n * 2n + d) / (2n * d)

export function summary(list: readonly PublicTrade[]) {
  const prices = list.map((one) => one.price)
  const byPrice = [...prices].sort((a, b) => Number(units(a) - units(b)))
  const bought = list.filter((one) => !one.isBuyerMaker)
  return {
    open: prices[0]!,
    high: byPrice.at(-1)!,
    low: byPrice[0]!,
    close: prices.at(-1)!,
    volume: sum(list.map((one) => one.qty)),
    quote: sum(list.map((one) => one.quoteQty)),
    count: list.length,
    takerVolume: sum(bought.map((one) => one.qty)),
    takerQuote: sum(bought.map((one) => one.quoteQty)),
  }
}

/** Change, change in per cent and average price, as all tickers show them. */
export function changes(list: readonly PublicTrade[]) {
  const all = summary(list)
  const change = units(all.close) - units(all.open)
  return {
    p: decimal(change),
    P: decimal(rounded(change * 100_000n, units(all.open)), 3),
    w: decimal(rounded(units(all.quote) * 10n ** 8n, units(all.volume))),
  }
}
