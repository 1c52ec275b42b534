/** Finds where a text stops being JSON: Node.js 20 names the place for some faults only. */

/** A text holds any character from the space on, except quote and backslash, and escapes. */
const TEXT = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/
const PLAIN = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/
const TOKEN = new RegExp(`([{}[\\],:])|(${TEXT.source})|(${PLAIN.source})`, 'y')
const BLANK = /[ \t\r\n]*/y

/** What may follow. `first` stands behind an opening bracket, `next` behind a comma. */
type Wanted = 'value' | 'firstItem' | 'firstKey' | 'key' | 'colon' | 'commaOrClose' | 'end'

/** Returns the line, column and character of the first fault of a text that is not JSON. */
export function jsonFault(text: string): string {
  const at = faultAt(text)
  const before = text.slice(0, at).split('\n')
  const found = text[at] === undefined ? 'the text ends' : `unexpected ${JSON.stringify(text[at])}`
  return `line ${before.length}, column ${before.at(-1)!.length + 1}: ${found}`
}

/** Returns the offset of the first fault, or the length of the text when it ends too early. */
function faultAt(text: string): number {
  const open: string[] = []
  let wanted: Wanted = 'value'
  let at = 0
  while (true) {
    BLANK.lastIndex = at
    BLANK.exec(text)
    const begin = BLANK.lastIndex
    TOKEN.lastIndex = begin
    const token = TOKEN.exec(text)
    if (token === null) return begin
    const next = after(wanted, token, open)
    if (next === undefined) return begin
    wanted = next
    at = TOKEN.lastIndex
  }
}

/** Returns what may follow the token; undefined when the token is not allowed. Updates `open`. */
function after(wanted: Wanted, token: RegExpExecArray, open: string[]): Wanted | undefined {
  const [, mark, text] = token
  const isKeyWanted = wanted === 'key' || wanted === 'firstKey'
  if (isKeyWanted && text !== undefined) return 'colon'
  if (wanted === 'colon') return mark === ':' ? 'value' : undefined
  const mayClose = wanted === 'firstItem' || wanted === 'firstKey' || wanted === 'commaOrClose'
  if (mayClose && mark === open.at(-1)) {
    open.pop()
    return open.length === 0 ? 'end' : 'commaOrClose'
  }
  if (wanted === 'commaOrClose') {
    if (mark !== ',') return undefined
    return open.at(-1) === '}' ? 'key' : 'value'
  }
  if (wanted !== 'value' && wanted !== 'firstItem') return undefined
  if (mark === undefined) return open.length === 0 ? 'end' : 'commaOrClose'
  if (mark !== '{' && mark !== '[') return undefined
  open.push(mark === '{' ? '}' : ']')
  return mark === '{' ? 'firstKey' : 'firstItem'
}
