/** Rules of the sandbox as a plain twin: which of them touch an order, and what its client sees. */

/** The clients: two keys of one account, which rules are for, and another account. */
export type Client = 'first' | 'second' | 'other'

/** What rules do here. Some effects are several: with way in, as a page, over what an order does not travel. */
export type Effect =
  | 'answer'
  | 'ban'
  | 'cut'
  | 'cut in'
  | 'delay'
  | 'elsewhere'
  | 'forbid'
  | 'half'
  | 'halt'
  | 'limit'
  | 'proxy'
  | 'refuse'
  | 'silence'
  | 'silence in'
  | 'skew'
  | 'unknown'
  | 'unknown code'
  | 'unknown page'

/** What a client notes of a page, whatever its status is. */
export const PAGE = 'page'

export type Fate = Exclude<Effect, 'elsewhere'> | 'none'

interface Outcome {
  /** Whether the order was executed. */
  readonly isPlaced: boolean
  /** What its client gets: undefined for a broken connection. */
  readonly status: number | typeof PAGE | undefined
}

export const fates: Readonly<Record<Fate, Outcome>> = {
  none: { isPlaced: true, status: 200 },
  delay: { isPlaced: true, status: 200 },
  answer: { isPlaced: false, status: 500 },
  refuse: { isPlaced: false, status: 400 },
  halt: { isPlaced: false, status: 400 },
  skew: { isPlaced: false, status: 400 },
  limit: { isPlaced: false, status: 429 },
  ban: { isPlaced: false, status: 418 },
  forbid: { isPlaced: false, status: PAGE },
  proxy: { isPlaced: false, status: PAGE },
  'cut in': { isPlaced: false, status: undefined },
  'silence in': { isPlaced: false, status: undefined },
  unknown: { isPlaced: true, status: 504 },
  'unknown code': { isPlaced: true, status: 503 },
  'unknown page': { isPlaced: true, status: PAGE },
  cut: { isPlaced: true, status: undefined },
  silence: { isPlaced: true, status: undefined },
  half: { isPlaced: true, status: undefined },
}

export interface TwinRule {
  readonly name: string
  readonly effect: Effect
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
export function fateOf(rules: readonly TwinRule[], client: Client): Fate {
  const own = rules.filter(
    ({ isForKey }) => client !== 'other' && (client === 'first' || !isForKey),
  )
  const touching = (effect: Effect) =>
    own.filter((rule) => rule.effect === effect).filter(pull).length > 0
  if (touching('skew')) return 'skew'
  if (touching('halt')) {
    touching('delay')
    return 'halt'
  }
  let isDelayed = false
  for (const rule of own) {
    const { effect } = rule
    if (effect === 'skew' || effect === 'halt' || effect === 'elsewhere' || !pull(rule)) continue
    if (effect !== 'delay') return effect
    isDelayed = true
  }
  return isDelayed ? 'delay' : 'none'
}
