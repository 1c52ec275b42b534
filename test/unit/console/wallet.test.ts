/** Forms and rows of the wallet's view: the bounds of a network, and states in words. */
import { describe, expect, test } from 'vitest'
import {
  arriving,
  type DepositRow,
  mostOf,
  type Network,
  transfersOf,
  type WithdrawalRow,
  withdrawalFault,
} from '../../../src/console/trade/wallet.ts'

const network = {
  network: 'TRX',
  withdrawEnable: true,
  withdrawIntegerMultiple: '0.01000000',
  withdrawFee: '1.00000000',
  withdrawMin: '10.00000000',
  withdrawMax: '500.00000000',
  addressRegex: '^T[0-9a-zA-Z]{3}$',
  memoRegex: '^[0-9]{1,4}$',
} as Network
const form = { address: 'Tabc', tag: '', amount: '10' }

describe('what the page knows that the exchange refuses', () => {
  test.each([
    ['an amount at the minimum', form, network, ''],
    ['at the maximum', { ...form, amount: '500' }, network, ''],
    ['below the minimum', { ...form, amount: '9.99' }, network, 'The least is 10.'],
    ['above the maximum', { ...form, amount: '500.01' }, network, 'The most is 500.'],
    ['no multiple', { ...form, amount: '10.001' }, network, 'The amount is a multiple of 0.01.'],
    ['no amount', { ...form, amount: 'ten' }, network, 'Enter an amount.'],
    ['zero', { ...form, amount: '0' }, network, 'Enter an amount.'],
    ['another address', { ...form, address: 'Xabc' }, network, 'This is no address on TRX.'],
    ['no address', { ...form, address: '' }, network, 'This is no address on TRX.'],
    [
      'a long address',
      { ...form, address: 'T'.repeat(129) },
      { ...network, addressRegex: '^T+$' },
      'This is no address on TRX.',
    ],
    ['another memo', { ...form, tag: 'x' }, network, 'This is no memo of the network.'],
    ['a memo', { ...form, tag: '17' }, network, ''],
    [
      'a suspended network',
      form,
      { ...network, withdrawEnable: false },
      'Withdrawals on TRX are suspended.',
    ],
    [
      'no more than the fee',
      { ...form, amount: '1' },
      { ...network, withdrawMin: '0' },
      'The fee is 1.',
    ],
  ])('%s', (_, wanted, of, fault) => {
    expect(withdrawalFault(wanted, of, '1000')).toBe(fault)
  })

  test('more than is free', () => {
    expect(withdrawalFault({ ...form, amount: '20.01' }, network, '20')).toBe('Free are 20.')
    expect(withdrawalFault({ ...form, amount: '20' }, network, '20')).toBe('')
  })
})

test('the fee is a part of the amount', () => {
  expect(arriving('10.5', network)).toBe('9.5')
  expect(arriving('1', network)).toBe('0')
  expect(arriving('', network)).toBe('0')
})

test('all is floored to the step, and within the maximum', () => {
  expect(mostOf('12.34567', network)).toBe('12.34')
  expect(mostOf('900', network)).toBe('500')
})

test('deposits and withdrawals stand in one list, the newest first', () => {
  const deposit = {
    ...{ id: '1', amount: '2', coin: 'USDT', network: 'TRX', address: 'Tabc', txId: 'aa' },
    ...{ insertTime: Date.UTC(2026, 0, 2), status: 0, confirmTimes: '3/12' },
  } as DepositRow
  const withdrawal = {
    ...{ id: '1', amount: '9', transactionFee: '1', coin: 'USDT', network: 'TRX', status: 6 },
    ...{ address: 'Txyz', txId: '', applyTime: '2026-01-03 00:00:00' },
  } as WithdrawalRow
  const rows = transfersOf([deposit, { ...deposit, id: '2', status: 6 }], [withdrawal])
  expect(rows.map(({ key, state, timeMs }) => [key, state, timeMs])).toEqual([
    ['withdrawal 1', 'Complete', Date.UTC(2026, 0, 3)],
    ['deposit 1', 'Confirming 3/12', Date.UTC(2026, 0, 2)],
    ['deposit 2', 'Credited, not to be withdrawn yet', Date.UTC(2026, 0, 2)],
  ])
})
