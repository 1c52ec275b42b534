// What the exchange has answered survives a kill. What it has not answered can be asked for.
import { Refusal, SYMBOL } from './trader.mjs'

/** Each sends its next order once the last one is answered. */
const CLIENTS = 10
/** The kill comes once so many orders are answered. */
const ANSWERED = 200
/** No such order. */
const NO_SUCH_ORDER = -2013

export async function teach({ exchange, narrator }) {
  let trader = exchange.trader('trader1')
  const order = (newClientOrderId) => ({
    symbol: SYMBOL,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: '0.001',
    price: '40000',
    newClientOrderId,
  })
  const answered = new Set()
  const unknown = new Set()

  narrator.step(
    `${CLIENTS} clients of trader1 send orders. After ${ANSWERED} answers the process is killed.`,
  )
  let killed
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let count = 0; unknown.size === 0; count++) {
      const name = `client-${client}-${count}`
      try {
        await trader.ask('POST', '/api/v3/order', order(name))
        answered.add(name)
      } catch (error) {
        if (error instanceof Refusal) throw error
        unknown.add(name)
      }
      if (answered.size >= ANSWERED) killed ??= exchange.kill()
    }
  })
  await Promise.all(clients)
  await killed
  narrator.line('trader1', `has ${answered.size} answers, and none for ${unknown.size} orders`)

  narrator.step('The exchange starts again on the same folder.')
  await exchange.launch()
  trader = exchange.trader('trader1')
  const { body: open } = await trader.ask('GET', '/api/v3/openOrders', { symbol: SYMBOL })
  const standing = new Set(open.map(({ clientOrderId }) => clientOrderId))
  narrator.line('trader1', `has ${open.length} open orders`)
  const isKept = [...answered].every((name) => standing.has(name))
  narrator.claim('Every order that was answered is open.', isKept)

  narrator.step('trader1 asks what became of each order without an answer.')
  const found = { there: 0, never: 0 }
  for (const name of unknown) {
    try {
      await trader.ask('GET', '/api/v3/order', { symbol: SYMBOL, origClientOrderId: name })
      found.there++
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== NO_SUCH_ORDER) throw error
      found.never++
    }
  }
  narrator.line('trader1', `${found.there} of them placed, ${found.never} never there (-2013)`)
  narrator.claim(
    'Each has one of these two fates.',
    found.there + found.never === unknown.size && answered.size + found.there === open.length,
  )

  narrator.step('trader1 counts its money.')
  const { locked } = await trader.balance('USDT')
  narrator.claim(
    'Each open order locks 40 USDT, and nothing else is locked.',
    locked / 40 === open.length,
  )
  await trader.ask('DELETE', '/api/v3/openOrders', { symbol: SYMBOL })
  const after = await trader.balance('USDT')
  narrator.claim('Canceled, they lock nothing.', Number(after.locked) === 0)
}
