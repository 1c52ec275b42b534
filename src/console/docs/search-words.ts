/** Words as the search compares them: stems, synonyms, and which words of a query to ignore. */

/** Words of queries that pages are not found by. */
const empty = new Set(
  (
    'a about an and am any are as at be by can could did do does for from get give had happen has have how i if in is it ' +
    'its many me mean more much my need of on or our please should so that the their them then there this to ' +
    'use want was we were what when where which who why will with would you your'
  ).split(' '),
)

/** What is written as two words, and as one. */
const joined: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/\bback(ing)? up\b/g, 'backup'],
  [/\b(shut(ting)?|bring(ing)?|take) ?down\b/g, 'shutdown'],
  [/\blog(ging)? (in|on)\b/g, 'logon'],
  [/\btime[ds]? ?out\b/g, 'timeout'],
  [/\bre-?connect/g, 'reconnect'],
  [/\btest[ -]net\b/g, 'testnet'],
  [/\borderbook\b/g, 'order book'],
  [/\brate[ -]?limit/g, 'limit'],
  [/\b(no space left|out of (disk|space))\b/g, 'disk full'],
  [/\bget(ting)? started\b/g, 'quick start'],
  [/\bkill[ -]?switch\b/g, 'cancel everything'],
]

/** Words that stand for each other. */
const synonyms = [
  ['fill', 'trade', 'execution'],
  ['everything', 'all'],
  ['make', 'create', 'generate', 'new'],
  ['key', 'apikey', 'credential'],
  ['stop', 'shutdown', 'quit', 'exit', 'terminate', 'kill'],
  ['start', 'begin', 'run', 'launch'],
  ['reset', 'wipe', 'erase', 'clean'],
  ['sign', 'signature', 'hmac'],
  ['lost', 'timeout', 'unknown', 'missing', 'unanswered'],
  ['response', 'answer', 'reply'],
  ['reconnect', 'disconnect', 'disconnected', 'drop'],
  ['limit', 'throttle', 'quota'],
  ['book', 'depth'],
  ['ban', 'banned', '418'],
  ['alert', 'alarm', 'notify', 'notification', 'pager'],
  ['halt', 'pause', 'suspend', 'freeze'],
  ['symbol', 'market', 'pair', 'instrument'],
  ['rotate', 'change', 'replace', 'renew'],
  ['token', 'password'],
  ['upgrade', 'update', 'migrate', 'version'],
  ['restore', 'recover'],
  ['disk', 'space', 'storage'],
  ['slow', 'lag', 'backpressure'],
  ['matcher', 'thread', 'core', 'cpu', 'processor'],
  ['cancel', 'remove'],
  ['balance', 'fund', 'money'],
  ['websocket', 'socket', 'stream'],
  ['local', 'maintain'],
  ['fee', 'commission'],
  ['error', 'code', 'failure'],
  ['bot', 'client', 'program'],
] as const

/** Returns the words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  const lower = joined.reduce(
    (it, [pattern, word]) => it.replaceAll(pattern, word),
    text.toLowerCase(),
  )
  return lower.split(/[\p{Z}\p{P}\n]+/u).filter((word) => word !== '')
}

export const isNumber = (word: string): boolean => /\d/.test(word)

const LONG_CHARS = 4

/** Returns the part of a word that its forms share: of "signing", "signed" and "signs" it is "sign". */
export function stemOf(word: string): string {
  const lower = word.toLowerCase()
  if (isNumber(lower) || lower.length < LONG_CHARS) return lower
  return lower
    .replace(/(?<=[^isu])s$/, '')
    .replace(/(?<=[aeiouy].*)(?<=.{3})(ing|ed)$/, '')
    .replace(/([bdgmnprt])\1$/, '$1')
    .replace(/(?<=.{3})e$/, '')
    .replace(/(?<=[^aeiou])y$/, 'i')
}

const groupOf = new Map(
  synonyms.flatMap((group) => group.map((word) => [stemOf(word), group] as const)),
)

/** Returns each word of a query that is not ignored, followed by its synonyms. */
export function expanded(query: string): readonly (readonly string[])[] {
  const words = wordsOf(query)
  const full = words.filter((word) => !empty.has(word))
  return (full.length > 0 ? full : words).map((word) => {
    const group = groupOf.get(stemOf(word)) ?? []
    return [word, ...group.filter((it) => stemOf(it) !== stemOf(word))]
  })
}
