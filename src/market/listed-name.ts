/**
 * Names of assets that can be listed; a symbol's name is that of its base and its quote. Letters of any script
 * are allowed (Binance has symbols outside ASCII since 2025-12-02), in the one form in which a name equals itself
 * wherever it is typed: composed (NFC), and upper case that its lower case, which names streams, leads back to.
 */

/** What a name consists of, as members of a class of a regular expression with the flag `u`. */
export const NAME_CHARS = '\\p{Lu}\\p{Lo}\\p{Nd}'

const LISTED_NAME = new RegExp(`^[${NAME_CHARS}]{1,20}$`, 'u')
const SYMBOL_CHARS_MAX = 20

export const LISTED_NAME_RULE = 'capital letters and digits, at most 20'

export const isListedName = (name: unknown): name is string =>
  typeof name === 'string' &&
  LISTED_NAME.test(name) &&
  name.normalize('NFC') === name &&
  name.toLowerCase().toUpperCase() === name

/** Whether requests can name a symbol of these assets. */
export const isSymbolName = (name: string): boolean => [...name].length <= SYMBOL_CHARS_MAX

export const SYMBOL_NAME_RULE = `A symbol has at most ${SYMBOL_CHARS_MAX} characters.`
