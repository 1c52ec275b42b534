/**
 * Records of the wallet (core/wallet): their symbol is WALLET (market/listing.ts). An event that changes a deposit, a
 * withdrawal or a chain has all of it, as it stands afterwards, so that readers need no earlier event.
 */
import type { Field, RecordSchema } from './field.ts'

export const deposit: readonly Field[] = [
  ['account', 'accountId', 'owner; account 0 of one whose memo belongs to no account'],
  ['networkId', 'networkId', ''],
  ['assetId', 'assetId', ''],
  ['status', 'i32', 'DepositStatus'],
  ['depositId', 'int', 'counts from 1'],
  ['atoms', 'atoms', 'what was sent'],
  ['height', 'int', 'the block that has the transfer, or will'],
  ['insertMs', 'ms', 'when the exchange saw it'],
  ['completeMs', 'ms', 'when it was credited; 0 before'],
  ['minConfirm', 'i32', 'blocks until it is credited, its own counted'],
  ['unlockConfirm', 'i32', 'blocks until it may be withdrawn, its own counted'],
  ['transferType', 'i32', 'TransferType'],
  ['chainId', 'chainId', ''],
  ['requestId', 'text64', "the sender's id of it; none"],
  ['txId', 'text128', ''],
  ['address', 'text128', ''],
  ['tag', 'text64', ''],
]

export const withdrawal: readonly Field[] = [
  ['account', 'accountId', 'owner'],
  ['networkId', 'networkId', ''],
  ['assetId', 'assetId', ''],
  ['status', 'i32', 'WithdrawalStatus'],
  ['withdrawalId', 'int', 'counts from 1'],
  ['atoms', 'atoms', 'what arrives'],
  ['feeAtoms', 'atoms', 'what account 0 receives once it is completed'],
  ['applyMs', 'ms', ''],
  ['completeMs', 'ms', 'when it ended, well or not; 0 before'],
  ['height', 'int', 'the block that has the transfer, or will; 0 before it was sent'],
  ['transferType', 'i32', 'TransferType'],
  ['walletType', 'i32', 'as the client named it'],
  ['reason', 'i32', 'WithdrawalDecision that ended it; 0'],
  ['confirmations', 'i32', 'blocks until it is completed, its own counted'],
  ['chainId', 'chainId', ''],
  ['spare', 'i32', 'zero'],
  ['requestId', 'text64', "the client's id of it; none"],
  ['address', 'text128', ''],
  ['tag', 'text64', ''],
  ['txId', 'text128', 'of the one transaction that pays it; none before it is signed'],
]

/** Its height at a time: baseHeight, and a block for each blockMs from baseMs until it stopped. */
export const chain: readonly Field[] = [
  ['chainId', 'chainId', ''],
  ['delayBlocks', 'i32', 'blocks that transfers wait beyond the next one, while it is congested'],
  ['baseHeight', 'int', 'blocks before baseMs'],
  ['baseMs', 'ms', ''],
  ['blockMs', 'ms', 'from one block to the next'],
  ['stoppedMs', 'ms', 'since when it makes no blocks; 0 while it does'],
]

export const movement: readonly Field[] = [
  ['from', 'accountId', ''],
  ['to', 'accountId', ''],
  ['assetId', 'assetId', ''],
  ['master', 'accountId', 'whose family both are of'],
  ['movementId', 'int', 'counts from 1'],
  ['atoms', 'atoms', ''],
  ['requestId', 'text64', "the master's id of it; none"],
]

export const walletCommands: readonly RecordSchema[] = [
  {
    name: 'ApplyWithdrawal',
    type: 112,
    kind: 'command',
    meaning:
      'Withdraw to an address. Answered by WithdrawalChanged; by WithdrawalState where the account applied under the ' +
      'same id before.',
    fields: [
      ['account', 'accountId', 'owner'],
      ['networkId', 'networkId', ''],
      ['atoms', 'atoms', 'what leaves the balance without the fee, or with it'],
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['isFeeIncluded', 'i32', '1: the fee is taken from atoms; 0: it comes on top'],
      ['walletType', 'i32', ''],
      ['requestId', 'text64', "the client's id of it; none"],
      ['address', 'text128', ''],
      ['tag', 'text64', 'none'],
    ],
  },
  {
    name: 'DecideWithdrawal',
    type: 113,
    kind: 'command',
    meaning:
      'What an operator or the sender decides of a withdrawal. Answered by WithdrawalChanged; by WithdrawalState where ' +
      'it changes nothing.',
    fields: [
      ['withdrawalId', 'int', ''],
      ['decision', 'i32', 'WithdrawalDecision'],
      ['spare', 'i32', 'zero'],
      ['txId', 'text128', 'SIGN: of the transaction; else none'],
      ['transaction', 'text512', 'SIGN: what is sent; else none'],
    ],
  },
  {
    name: 'SendToExchange',
    type: 114,
    kind: 'command',
    meaning:
      'Someone outside sends to an address of the exchange. Answered by DepositChanged; by DepositState where the ' +
      'transfer with this id is known.',
    fields: [
      ['networkId', 'networkId', ''],
      ['spare', 'i32', 'zero'],
      ['atoms', 'atoms', ''],
      ['requestId', 'text64', "the sender's id of it; none"],
      ['address', 'text128', ''],
      ['tag', 'text64', 'none'],
    ],
  },
  {
    name: 'ChangeChain',
    type: 115,
    kind: 'command',
    meaning: 'Change what a chain of the house does. Answered by ChainChanged.',
    fields: [
      ['chainId', 'chainId', ''],
      ['change', 'i32', 'ChainChange'],
      [
        'blocks',
        'i32',
        'REORGANISE, DROP: how many are taken back; CONGEST: how many transfers wait',
      ],
      ['spare', 'i32', 'zero'],
    ],
  },
  {
    name: 'MoveFunds',
    type: 116,
    kind: 'command',
    meaning:
      'Move from what an account may withdraw to the free balance of another. Answered by FundsMoved; by MovementState ' +
      'where the master asked under the same id before.',
    fields: [
      ...movement.filter(([name]) => name !== 'movementId'),
      ['expiresMs', 'ms', 'as PlaceOrder'],
      ['archivedId', 'int', 'newest movement with an id when the archive did not know this id'],
    ],
  },
  {
    name: 'QueryWallet',
    type: 117,
    kind: 'command',
    meaning:
      'Answer what the wallet keeps, as the subject says: states, then WalletEnd; or one state.',
    fields: [
      ['subject', 'i32', 'WalletSubject'],
      ['account', 'accountId', 'of WITHDRAWING; -1 for all'],
      ['id', 'i32', 'an asset of FUNDS, a chain of CHAIN'],
      ['limit', 'i32', 'states that are answered at most'],
      ['afterId', 'int', 'states behind this one; 0 from the first on'],
    ],
  },
]

export const walletEvents: readonly RecordSchema[] = [
  {
    name: 'DepositChanged',
    type: 56,
    kind: 'event',
    meaning: "A deposit was seen, credited, unlocked or taken back. Moves the account's free.",
    fields: [
      ...deposit,
      ['movedAtoms', 'atoms', 'what free gained; below zero: lost'],
      [
        'debtAtoms',
        'atoms',
        'what the account owes more in the asset; below zero: what it has paid',
      ],
    ],
  },
  {
    name: 'WithdrawalChanged',
    type: 57,
    kind: 'event',
    meaning:
      "A withdrawal was applied for, decided, signed, sent or ended. Moves the account's free, and that of account 0.",
    fields: [
      ...withdrawal,
      ['movedAtoms', 'atoms', 'what free gained; below zero: lost'],
      ['feeMovedAtoms', 'atoms', "what account 0's free gained"],
    ],
  },
  {
    name: 'FundsMoved',
    type: 58,
    kind: 'event',
    meaning: 'An amount moved from the free balance of one account to that of another.',
    fields: movement,
  },
  {
    name: 'ChainChanged',
    type: 59,
    kind: 'event',
    meaning:
      'A chain stopped, continued, was reorganised or congested. What that does to transfers follows.',
    fields: [...chain, ['change', 'i32', 'ChainChange'], ['blocks', 'i32', 'as ChangeChain']],
  },
  {
    name: 'DebtPaid',
    type: 60,
    kind: 'event',
    meaning: 'An account paid, from free, what it owed since a deposit was taken back.',
    fields: [
      ['account', 'accountId', ''],
      ['assetId', 'assetId', ''],
      ['atoms', 'atoms', ''],
    ],
  },
  {
    name: 'TransactionSigned',
    type: 61,
    kind: 'event',
    meaning:
      'The one transaction that pays a withdrawal, before it is sent first. WithdrawalChanged follows.',
    fields: [
      ['withdrawalId', 'int', ''],
      ['txId', 'text128', ''],
      ['transaction', 'text512', ''],
    ],
  },
]

export const walletReplies: readonly RecordSchema[] = [
  {
    name: 'WalletRejected',
    type: 120,
    kind: 'reply',
    meaning: 'The wallet refuses a command.',
    fields: [
      ['reason', 'i32', 'WalletRefusal'],
      ['spare', 'i32', 'zero'],
    ],
  },
  {
    name: 'DepositState',
    type: 121,
    kind: 'reply',
    meaning: 'A deposit as it stands.',
    fields: deposit,
  },
  {
    name: 'WithdrawalState',
    type: 122,
    kind: 'reply',
    meaning: 'A withdrawal as it stands.',
    fields: withdrawal,
  },
  {
    name: 'MovementState',
    type: 123,
    kind: 'reply',
    meaning: 'A movement that was made before under the id.',
    fields: movement,
  },
  {
    name: 'ChainState',
    type: 124,
    kind: 'reply',
    meaning: 'A chain as it stands.',
    fields: [
      ...chain,
      ['height', 'int', 'its newest block'],
      ['transfers', 'int', 'deposits and withdrawals that wait for its blocks'],
    ],
  },
  {
    name: 'FundsState',
    type: 125,
    kind: 'reply',
    meaning: "The wallet's terms of the proof of funds, of one asset.",
    fields: [
      ['assetId', 'assetId', ''],
      ['spare', 'i32', 'zero'],
      ['chainAtoms', 'atoms', 'credited deposits less completed withdrawals'],
      ['inFlightAtoms', 'atoms', 'withdrawals under way, with their fees'],
      ['debtAtoms', 'atoms', 'what accounts owe for deposits that were taken back'],
    ],
  },
  {
    name: 'WithdrawingState',
    type: 126,
    kind: 'reply',
    meaning: 'What withdrawals of an account that have not ended took of one asset.',
    fields: [
      ['account', 'accountId', ''],
      ['assetId', 'assetId', ''],
      ['atoms', 'atoms', 'with fees'],
    ],
  },
  {
    name: 'TransactionState',
    type: 127,
    kind: 'reply',
    meaning: 'The transaction of a withdrawal that is signed and not ended.',
    fields: walletEvents.find(({ name }) => name === 'TransactionSigned')!.fields,
  },
  {
    name: 'WalletEnd',
    type: 119,
    kind: 'reply',
    meaning: 'The states before it are all that were queried.',
    fields: [
      ['count', 'i32', 'how many'],
      ['isWhole', 'i32', '1 where no state follows the last'],
    ],
  },
]
