/**
 * Addresses of accounts on a chain of the house, and ids of its transactions: pure functions of the chain's seed. An
 * address holds its account, hidden by what the rest of the address hashes to, so that one that was handed out is read
 * back without a table of all of them; one letter that differs makes it nobody's.
 */
import { AccountId } from '../base/units.ts'
import type { AddressForm, ChainSpec } from './network.ts'

const HEX = '0123456789abcdef'
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

interface Form {
  readonly prefix: string
  readonly alphabet: string
  /** Letters behind the prefix. */
  readonly letters: number
  /** Letters that can hold an account. */
  readonly accountLetters: number
  readonly txPrefix: string
  readonly txLetters: number
}

const forms: Readonly<Record<AddressForm, Form>> = {
  bitcoin: {
    ...{ prefix: 'bc1q', alphabet: BECH32, letters: 38, accountLetters: 7 },
    ...{ txPrefix: '', txLetters: 64 },
  },
  ethereum: {
    ...{ prefix: '0x', alphabet: HEX, letters: 40, accountLetters: 8 },
    ...{ txPrefix: '0x', txLetters: 64 },
  },
  tron: {
    ...{ prefix: 'T', alphabet: BASE58, letters: 33, accountLetters: 6 },
    ...{ txPrefix: '', txLetters: 64 },
  },
  solana: {
    ...{ prefix: '', alphabet: BASE58, letters: 44, accountLetters: 6 },
    ...{ txPrefix: '', txLetters: 88 },
  },
}

const WORD = 2 ** 32
/** A tag is an account with checking digits behind it, hidden among numbers of ten digits. */
const TAG_CHECK = 1000
const TAGS = 10 ** 10
/** Whose address all accounts share where a memo tells them apart. */
const SHARED_OWNER = AccountId(0)

export interface DepositAddress {
  readonly address: string
  /** '' where the chain has no memo. */
  readonly tag: string
}

type SeededChain = Pick<ChainSpec, 'addressForm' | 'hasMemo' | 'seed'>

export function depositAddress(chain: SeededChain, account: AccountId): DepositAddress {
  if (!chain.hasMemo) return { address: addressOf(chain, account), tag: '' }
  return { address: addressOf(chain, SHARED_OWNER), tag: tagOf(chain, account) }
}

/** Whose address it is: undefined for none of this chain; without an account where the tag is nobody's. */
export function ownerOfAddress(
  chain: SeededChain,
  address: string,
  tag: string,
): { readonly account: AccountId | undefined } | undefined {
  const form = forms[chain.addressForm]
  const text = form.alphabet === HEX ? address.toLowerCase() : address
  if (chain.hasMemo) {
    return text === addressOf(chain, SHARED_OWNER)
      ? { account: accountOfTag(chain, tag) }
      : undefined
  }
  const { prefix, accountLetters, letters } = form
  if (!text.startsWith(prefix) || text.length !== prefix.length + letters) return undefined
  const rest = text.slice(prefix.length + accountLetters)
  const hidden = numberOf(text.slice(prefix.length, prefix.length + accountLetters), form.alphabet)
  const account = unhide(hidden, wordsOf(`${chain.seed} ${rest}`)())
  return addressOf(chain, account) === text ? { account } : undefined
}

/** The id of the number-th transaction of a kind on the chain. */
export function transactionId(
  chain: SeededChain & Pick<ChainSpec, 'name'>,
  kind: 'deposit' | 'withdrawal',
  number: number,
): string {
  const { alphabet, txPrefix, txLetters } = forms[chain.addressForm]
  const next = wordsOf(`${chain.seed} ${chain.name} ${kind} ${number}`)
  return txPrefix + lettersOf(next, chain.addressForm === 'solana' ? alphabet : HEX, txLetters)
}

function addressOf({ addressForm, seed }: SeededChain, account: AccountId): string {
  const { prefix, alphabet, letters, accountLetters } = forms[addressForm]
  const rest = lettersOf(wordsOf(`${seed} ${account}`), alphabet, letters - accountLetters)
  const hidden = (account + wordsOf(`${seed} ${rest}`)()) % WORD
  return prefix + textOf(hidden, alphabet, accountLetters) + rest
}

function tagOf({ seed }: SeededChain, account: AccountId): string {
  const checked = account * TAG_CHECK + (wordsOf(`${seed} tag ${account}`)() % TAG_CHECK)
  return String((checked + wordsOf(`${seed} tags`)()) % TAGS)
}

function accountOfTag(chain: SeededChain, tag: string): AccountId | undefined {
  if (!/^\d{1,10}$/.test(tag)) return undefined
  const checked = (Number(tag) - wordsOf(`${chain.seed} tags`)() + TAGS) % TAGS
  const account = AccountId(Math.floor(checked / TAG_CHECK))
  return tagOf(chain, account) === tag ? account : undefined
}

const unhide = (hidden: number, mask: number): AccountId =>
  AccountId((((hidden - mask) % WORD) + WORD) % WORD)

function lettersOf(next: () => number, alphabet: string, count: number): string {
  let text = ''
  for (let i = 0; i < count; i++) text += alphabet[next() % alphabet.length]!
  return text
}

/** The number in so many letters, the highest first. */
function textOf(number: number, alphabet: string, count: number): string {
  let text = ''
  for (let i = 0, left = number; i < count; i++, left = Math.floor(left / alphabet.length)) {
    text = alphabet[left % alphabet.length]! + text
  }
  return text
}

function numberOf(text: string, alphabet: string): number {
  let number = 0
  for (const letter of text) number = number * alphabet.length + alphabet.indexOf(letter)
  return number
}

/** Returns numbers of 32 bits that the text determines. */
function wordsOf(text: string): () => number {
  let state = 0x9e3779b9
  for (let i = 0; i < text.length; i++) state = mix(state ^ text.charCodeAt(i))
  return () => {
    state = (state + 0x9e3779b9) | 0
    return mix(state) >>> 0
  }
}

function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
