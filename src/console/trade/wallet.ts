/** Deposits and withdrawals of the account, as the wallet's routes have them: forms and rows. Pure. */
import type { Wire } from '../../api/answers/element.ts'
import type { coin, deposit, withdrawal } from '../../api/answers/wallet.ts'
import { formatAtoms, parseAtoms, shown } from '../book/decimals.ts'

export type Coin = Wire<typeof coin>
export type Network = Coin['networkList'][number]
export type DepositRow = Wire<typeof deposit>
export type WithdrawalRow = Wire<typeof withdrawal>

/** What the form of a withdrawal has. */
export interface Withdrawal {
  readonly address: string
  readonly tag: string
  readonly amount: string
}
export const NO_WITHDRAWAL: Withdrawal = { address: '', tag: '', amount: '' }

const ADDRESS_CHARS_MAX = 128

/** Returns the first reason for which the exchange would refuse it; '' where the page knows none. */
export function withdrawalFault(
  { address, tag, amount }: Withdrawal,
  network: Network,
  free: string,
): string {
  const atoms = parseAtoms(amount)
  const of = (text: string) => parseAtoms(text) ?? 0n
  if (!network.withdrawEnable) return `Withdrawals on ${network.network} are suspended.`
  if (!fits(address, network.addressRegex)) return `This is no address on ${network.network}.`
  if (tag !== '' && !fits(tag, network.memoRegex)) return 'This is no memo of the network.'
  if (atoms === undefined || atoms === 0n) return 'Enter an amount.'
  if (atoms < of(network.withdrawMin)) return `The least is ${shown(network.withdrawMin)}.`
  if (atoms > of(network.withdrawMax)) return `The most is ${shown(network.withdrawMax)}.`
  const multiple = of(network.withdrawIntegerMultiple)
  if (multiple > 0n && atoms % multiple !== 0n) {
    return `The amount is a multiple of ${shown(network.withdrawIntegerMultiple)}.`
  }
  if (atoms > of(free)) return `Free are ${shown(free)}.`
  return atoms > of(network.withdrawFee) ? '' : `The fee is ${shown(network.withdrawFee)}.`
}

/** What arrives of an amount: the fee is a part of it. */
export function arriving(amount: string, { withdrawFee }: Network): string {
  const left = (parseAtoms(amount) ?? 0n) - (parseAtoms(withdrawFee) ?? 0n)
  return left > 0n ? shown(formatAtoms(left)) : '0'
}

/** All that is free, floored to the network's step. */
export function mostOf(free: string, { withdrawIntegerMultiple, withdrawMax }: Network): string {
  const [all, step] = [parseAtoms(free) ?? 0n, parseAtoms(withdrawIntegerMultiple) ?? 0n]
  const most = parseAtoms(withdrawMax) ?? 0n
  const atoms = all < most ? all : most
  return formatAtoms(step > 0n ? atoms - (atoms % step) : atoms)
}

/** Patterns are operators', and of a bounded kind (market/address-pattern.ts). */
const fits = (text: string, pattern: string): boolean =>
  text.length <= ADDRESS_CHARS_MAX && text !== '' && new RegExp(pattern).test(text)

/** By status (Binance.US, wallet). */
const depositStates: Readonly<Record<number, string>> = {
  0: 'Confirming',
  1: 'Complete',
  6: 'Credited, not to be withdrawn yet',
  7: 'Wrong deposit',
  8: 'Waits for confirmation',
}
const withdrawalStates: Readonly<Record<number, string>> = {
  0: 'Waits to be confirmed',
  1: 'Canceled',
  2: 'Waits for approval',
  3: 'Rejected',
  4: 'Processing',
  5: 'Failed, given back',
  6: 'Complete',
}

/** A deposit or a withdrawal, as the list shows it. */
export interface Transfer {
  readonly key: string
  readonly timeMs: number
  readonly kind: 'Deposit' | 'Withdrawal'
  readonly coin: string
  readonly network: string
  readonly amount: string
  readonly fee: string
  readonly address: string
  readonly txId: string
  readonly state: string
}

/** The newest first. */
export function transfersOf(
  deposits: readonly DepositRow[],
  withdrawals: readonly WithdrawalRow[],
): Transfer[] {
  const ins = deposits.map(
    (row): Transfer => ({
      ...{ key: `deposit ${row.id}`, timeMs: row.insertTime, kind: 'Deposit', fee: '' },
      ...{ coin: row.coin, network: row.network, amount: row.amount, address: row.address },
      txId: row.txId,
      state: stateText(depositStates, row.status, row.status === 0 ? row.confirmTimes : ''),
    }),
  )
  const outs = withdrawals.map(
    (row): Transfer => ({
      ...{ key: `withdrawal ${row.id}`, timeMs: utcMs(row.applyTime), kind: 'Withdrawal' },
      ...{ coin: row.coin, network: row.network, amount: row.amount, fee: row.transactionFee },
      ...{ address: row.address, txId: row.txId ?? '' },
      state: stateText(withdrawalStates, row.status, ''),
    }),
  )
  return [...ins, ...outs].sort((a, b) => b.timeMs - a.timeMs)
}

const stateText = (
  states: Readonly<Record<number, string>>,
  status: number,
  confirmed: string,
): string => `${states[status] ?? `Status ${status}`}${confirmed === '' ? '' : ` ${confirmed}`}`

/** `2026-01-31 23:59:59`, of UTC. */
const utcMs = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)
