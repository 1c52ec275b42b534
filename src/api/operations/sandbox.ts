/** Operations of the sandbox, for the caller's own account. There are none while the sandbox is off. */
import { many } from '../answers/by-name.ts'
import { addFault, faults, removeFault } from '../handlers/sandbox.ts'
import { may, must, type Operation } from './operation.ts'

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
  { ...own, id: 'removeFault', method: 'DELETE', params: may('name'), handler: removeFault },
]
