/** Operations of the sandbox on the caller's account, and its clock, which needs no key. There are none while it is off. */
import { many, one } from '../answers/by-name.ts'
import { clock } from '../handlers/clock.ts'
import {
  addFault,
  chainTransfer,
  faucet,
  faults,
  fillOrder,
  removeFault,
  resetAccount,
} from '../handlers/sandbox.ts'
import { may, must, type Operation } from './operation.ts'

/** Weight of what stays in the journal. */
const MONEY_WEIGHT = 20

const own = {
  path: '/sandbox/v1/faults',
  security: 'USER_DATA',
  signed: true,
  weight: 1,
  effect: 'NONE',
  orderCount: 0,
  sources: ['RULES'],
  answer: many('FaultRule'),
} as const

export const sandboxOperations: readonly Operation[] = [
  { ...own, id: 'addFault', method: 'POST', params: must('rule'), handler: addFault },
  { ...own, id: 'faults', method: 'GET', params: [], handler: faults },
  {
    ...own,
    id: 'faucet',
    method: 'POST',
    path: '/sandbox/v1/faucet',
    weight: MONEY_WEIGHT,
    params: [...must('asset'), ...may('amount')],
    answer: one('FaucetCredit'),
    handler: faucet,
  },
  {
    ...own,
    id: 'resetAccount',
    method: 'POST',
    path: '/sandbox/v1/reset-account',
    weight: MONEY_WEIGHT,
    params: [],
    answer: many('ResetBalance'),
    handler: resetAccount,
  },
  {
    ...own,
    id: 'chainTransfer',
    method: 'POST',
    path: '/sandbox/v1/chain/transfer',
    weight: MONEY_WEIGHT,
    params: [...must('coin', 'address', 'amount'), ...may('network', 'addressTag', 'requestId')],
    answer: one('ChainTransfer'),
    handler: chainTransfer,
  },
  {
    ...own,
    id: 'fillOrder',
    method: 'POST',
    path: '/sandbox/v1/fill',
    weight: MONEY_WEIGHT,
    params: [...must('symbol', 'orderId'), ...may('amount')],
    answer: one('Fill'),
    handler: fillOrder,
  },
  {
    ...own,
    id: 'sandboxClock',
    method: 'GET',
    path: '/sandbox/v1/clock',
    params: [],
    handler: clock,
    security: 'NONE',
    signed: false,
    answer: one('SandboxClock'),
  },
  { ...own, id: 'removeFault', method: 'DELETE', params: may('name'), handler: removeFault },
]
