/**
 * Families of accounts: a master and its sub-accounts, each a whole account with its own funds, keys and orders.
 * The protocol names them by e-mail addresses, which are compared letter by letter.
 */
import type { AccountSpec } from './listing.ts'

/** Sub-accounts of one master. */
export const SUB_ACCOUNTS_MAX = 1_000
/** Addresses of accounts that were given none; an operator gives none of these. RFC 2606 keeps the domain free. */
const OWN_DOMAIN = '@ringbook.invalid'
const EMAIL = /^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,63}$/
export const EMAIL_FORM = `an address of at most 128 characters, such as bot@example.com, and not ${OWN_DOMAIN}`

export const emailOf = ({ email, name }: Pick<AccountSpec, 'email' | 'name'>): string =>
  email ?? `${name}${OWN_DOMAIN}`

/** Whether an account can be given the address. */
export const isEmail = (text: string): boolean => EMAIL.test(text) && !text.endsWith(OWN_DOMAIN)
