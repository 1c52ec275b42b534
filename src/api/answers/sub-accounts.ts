/** What a master learns of its sub-accounts (Binance.US, wallet). */
import { emailOf } from '../../market/families.ts'
import type { AccountSpec } from '../../market/listing.ts'
import { Answer } from './answer.ts'
import {
  asset,
  constant,
  derived,
  flag,
  id,
  integer,
  optional,
  rows,
  time,
  units,
  wireValue,
} from './element.ts'

const success = constant(true)
const no = constant(false)
const email = derived(id(''), emailOf)
const opened = derived(time(''), ({ openedMs }: AccountSpec) => openedMs)
/** Of a frozen or closed account both are over. */
const isOpen = derived(flag(''), ({ frozen }: AccountSpec) => !frozen)

export const subAccounts = new Answer({
  success,
  subAccounts: rows(
    'subAccounts',
    new Answer({
      email,
      status: derived(id(''), ({ frozen }: AccountSpec) => (frozen ? 'disabled' : 'enabled')),
      activated: constant(true),
      mobile: constant(''),
      gAuth: no,
      createTime: opened,
    }),
  ),
})

export const subAccountStatus = new Answer({
  email,
  isSubUserEnabled: isOpen,
  isUserActive: isOpen,
  insertTime: opened,
  isMarginEnabled: no,
  isFutureEnabled: no,
  mobile: constant(0),
})

/** The one list of balances whose amounts are numbers: exact up to 2^53 atoms. */
const amount = wireValue<number>({ type: 'number' })
export const subAccountAssets = new Answer({
  success,
  balances: rows(
    'balances',
    new Answer({ asset: asset('asset'), free: amount('free'), locked: amount('locked') }),
  ),
})

export const subAccountTransfer = new Answer({ success, txnId: id('txnId') })

const spot = constant('SPOT')
/** No transfer is seen before it is made. */
const made = constant('SUCCESS')

/** The transfers of accounts as Binance's libraries read them. */
export const spotTransfers = new Answer({
  from: id('fromEmail'),
  to: id('toEmail'),
  asset: asset('asset'),
  qty: units('atoms'),
  status: made,
  tranId: integer('movementId'),
  time: time('movedMs'),
})

export const universalTransfers = new Answer({
  result: rows(
    'result',
    new Answer({
      tranId: integer('movementId'),
      fromEmail: id('fromEmail'),
      toEmail: id('toEmail'),
      asset: asset('asset'),
      amount: units('atoms'),
      createTimeStamp: time('movedMs'),
      fromAccountType: spot,
      toAccountType: spot,
      status: made,
      clientTranId: optional(id('clientTranId')),
    }),
  ),
  totalCount: integer('total'),
})

/** The list as Binance's libraries read it. */
export const subUsers = new Answer({
  subAccounts: rows(
    'subAccounts',
    new Answer({
      subUserId: derived(integer(''), ({ id }: AccountSpec) => id),
      email,
      remark: constant(''),
      isFreeze: derived(flag(''), ({ frozen }: AccountSpec) => frozen),
      createTime: opened,
      isManagedSubAccount: no,
      isAssetManagementSubAccount: no,
    }),
  ),
})

export const universalTransfer = new Answer({
  tranId: integer('tranId'),
  clientTranId: optional(id('clientTranId')),
})

export const subAccountTransfers = new Answer({
  success,
  transfers: rows(
    'transfers',
    new Answer({
      from: id('fromEmail'),
      to: id('toEmail'),
      asset: asset('asset'),
      qty: units('atoms'),
      time: time('movedMs'),
    }),
  ),
})

export const subAccountWorths = new Answer({
  totalCount: integer('total'),
  masterAccountTotalAsset: units('worth'),
  spotSubUserAssetBtcVoList: rows('shown', new Answer({ email, totalAsset: units('worth') })),
})
