/** Names of assets that can be listed; a symbol's name is that of its base and its quote. */
const LISTED_NAME = /^[A-Z0-9]{1,20}$/

export const LISTED_NAME_RULE = 'capital letters and digits, at most 20'

export const isListedName = (name: unknown): name is string =>
  typeof name === 'string' && LISTED_NAME.test(name)
