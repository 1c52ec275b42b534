// An order in slow motion: how long each stage of its way took.
import { setTimeout as sleep } from 'node:timers/promises'
import { SYMBOL } from './trader.mjs'

const stages = {
  parse: 'The gateway reads the request, checks limits, signature and parameters.',
  ring: 'The command waits in the ring until the matcher takes it.',
  match: 'The matcher holds the funds, matches, and writes events.',
  journal: 'The events are written and flushed to disk.',
  publish: 'The balances are settled, and gateways may read the events.',
  answer: 'The gateway writes the response from the events and sends it.',
}
/** What the slow motion takes in all. */
const MOTION_MS = 2_000
const BAR = 40

export async function teach({ exchange, narrator }) {
  const trader = exchange.trader('trader1')
  const order = {
    symbol: SYMBOL,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.001',
    price: '40000',
  }
  const receipt = { 'X-RINGBOOK-RECEIPT': '1' }

  narrator.step('trader1 places 200 orders, so that the code is warm, and one with a receipt.')
  for (let count = 0; count < 200; count++) await trader.ask('POST', '/api/v3/order', order)
  const { body, headers } = await trader.ask('POST', '/api/v3/order', order, receipt)
  const text = headers.get('X-RINGBOOK-STAGES')
  const ns = Object.fromEntries(
    text.split(';').map((part) => {
      const [name, value] = part.split('=')
      return [name, Number(value)]
    }),
  )
  narrator.line('trader1', `order ${body.orderId} is ${body.status}`)

  narrator.step('Its stages, some thousand times slower.')
  let sum = 0
  for (const [name, meaning] of Object.entries(stages)) {
    await sleep((MOTION_MS * ns[name]) / ns.total)
    const bar = '█'.repeat(Math.ceil((BAR * ns[name]) / ns.total))
    narrator.line(name, meaning)
    narrator.line('', `${(ns[name] / 1_000).toFixed(1)} µs ${bar}`)
    sum += ns[name]
  }
  narrator.line('total', `${(ns.total / 1_000).toFixed(1)} µs`)
  narrator.claim(
    'The stages follow each other without gaps: their sum is the total.',
    sum === ns.total,
  )
  narrator.claim('The flush to disk came before the answer.', ns.journal > 0)
}
