/** What ends an account's orders by itself: extensions for market makers (docs/market-makers.md). */
import { many, one } from '../answers/by-name.ts'
import { countdowns, setCountdown } from '../handlers/countdown.ts'
import { protections, resetProtection, setProtection } from '../handlers/protection.ts'
import { Param } from '../parameters.ts'
import type { RawParams } from '../params.ts'
import { may, must, type Operation } from './operation.ts'

const engine = { signed: true, orderCount: 0, sources: ['ENGINE'] } as const
/** One of all symbols is a command to each. */
const weightOf = (all: number) => (params: RawParams) => (params.has(Param.symbol) ? 1 : all)

export const safeguardOperations: readonly Operation[] = [
  {
    ...engine,
    id: 'setCountdown',
    method: 'POST',
    path: '/ringbook/v1/countdownCancelAll',
    wsMethod: 'countdown.cancelAll',
    security: 'TRADE',
    weight: weightOf(10),
    effect: 'CANCELS',
    params: [...must('countdownTime'), ...may('symbol')],
    answer: one('Countdown'),
    handler: setCountdown,
  },
  {
    ...engine,
    id: 'countdowns',
    method: 'GET',
    path: '/ringbook/v1/countdown',
    wsMethod: 'countdown.status',
    security: 'USER_DATA',
    weight: weightOf(40),
    effect: 'NONE',
    params: may('symbol'),
    answer: many('Countdown'),
    handler: countdowns,
  },
  {
    ...engine,
    id: 'setProtection',
    method: 'POST',
    path: '/ringbook/v1/protection',
    wsMethod: 'protection.set',
    security: 'TRADE',
    weight: 1,
    effect: 'CANCELS',
    params: [...must('symbol', 'windowMs'), ...may('maxFills', 'maxNotional')],
    answer: one('Protection'),
    handler: setProtection,
  },
  {
    ...engine,
    id: 'resetProtection',
    method: 'POST',
    path: '/ringbook/v1/protection/reset',
    wsMethod: 'protection.reset',
    security: 'TRADE',
    weight: 1,
    effect: 'CANCELS',
    params: must('symbol'),
    answer: one('Protection'),
    handler: resetProtection,
  },
  {
    ...engine,
    id: 'protections',
    method: 'GET',
    path: '/ringbook/v1/protection',
    wsMethod: 'protection.status',
    security: 'USER_DATA',
    weight: weightOf(40),
    effect: 'NONE',
    params: may('symbol'),
    answer: many('Protection'),
    handler: protections,
  },
]
