/** Rules of the sandbox as a plain twin: which of them touch an order, and what its client sees. */

/** The clients: two keys of one account, which rules are for, and another account. */
export type Client = 'first' | 'second' | 'other'

export type Effect =
  | 'answer'
  | 'unknown'
  | 'cut'
  | 'half'
  | 'refuse'
  | 'proxy'
  | 'delay'
  | 'skew'
  | 'halt'

/** Whether an order with this fate was executed, and what its client gets: a status, or none for a broken connection. */
export const fates: Readonly<
  Record<Effect | 'none', { readonly isPlaced: boolean; readonly status: number | undefined }>
> = {
  none: { isPlaced: true, status: 200 },
  delay: { isPlaced: true, status: 200 },
  answer: { isPlaced: false, status: 500 },
  refuse: { isPlaced: false, status: 400 },
  halt: { isPlaced: false, status: 400 },
  skew: { isPlaced: false, status: 400 },
  proxy: { isPlaced: false, status: 502 },
  unknown: { isPlaced: true, status: 504 },
  cut: { isPlaced: true, status: undefined },
  half: { isPlaced: true, status: undefined },
}

export interface TwinRule {
  readonly name: string
  readonly do: Effect
  /** For the first key alone, or for the whole account. */
  readonly isForKey: boolean
  readonly after: number
  readonly every: number
  readonly times: number
  matches: number
  touched: number
}

/** Numbers a match. Returns whether the rule touches it. */
function pull(rule: TwinRule): boolean {
  rule.matches++
  const behind = rule.matches - rule.after
  if (rule.touched === rule.times || behind <= 0 || behind % rule.every !== 0) return false
  rule.touched++
  return true
}

/** Returns what becomes of an order of the client, by rules in their order. */
export function fateOf(rules: readonly TwinRule[], client: Client): Effect | 'none' {
  const own = rules.filter(
    ({ isForKey }) => client !== 'other' && (client === 'first' || !isForKey),
  )
  const touching = (effects: readonly Effect[]) =>
    own.filter((rule) => effects.includes(rule.do)).filter(pull).length > 0
  if (touching(['skew'])) return 'skew'
  if (touching(['halt'])) {
    touching(['delay'])
    return 'halt'
  }
  let isDelayed = false
  for (const rule of own) {
    if (rule.do === 'skew' || rule.do === 'halt' || !pull(rule)) continue
    if (rule.do !== 'delay') return rule.do
    isDelayed = true
  }
  return isDelayed ? 'delay' : 'none'
}
