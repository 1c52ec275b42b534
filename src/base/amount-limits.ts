/** Amounts by asset as a setting has them: `USDT=1000000,BTC=10,*=100`; `*` stands for every other asset. */

/** What stands for every asset that is not named. */
const ANY = '*'
const ONE = /^(\*|[^\s=,*]{1,20})=([0-9]{1,18}(?:\.[0-9]{1,8})?)$/
/** The text of no amounts. */
const NONE = 'none'

export interface AmountLimits {
  /** Returns the amount of the asset, a decimal; undefined for none. */
  of(asset: string): string | undefined
}

/** Returns undefined for a text that is none, or names an asset twice. */
export function parseAmountLimits(text: string): AmountLimits | undefined {
  const amounts = new Map<string, string>()
  for (const item of text === NONE ? [] : text.split(',')) {
    const [, asset = '', amount = ''] = ONE.exec(item.trim()) ?? []
    if (asset === '' || amounts.has(asset)) return undefined
    amounts.set(asset, amount)
  }
  return { of: (asset) => amounts.get(asset) ?? amounts.get(ANY) }
}
