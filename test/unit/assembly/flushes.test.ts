/** Flushes of the journal leave the event loop free: other clients are answered meanwhile. */
import fs from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import { restoreFs, spyOnFs } from '../../fixtures/spied-fs.ts'

afterEach(() => void restoreFs())

test('while an order waits for the disk, others are answered', async () => {
  const exchange = await startHere({ settings: { durability: 'flushed' } })
  const account = exchange.accounts.trader1!
  const client = new SignedClient(exchange.url, { account: 'trader1', ...account }, Date.now)
  const { fdatasync } = fs
  const held: (() => void)[] = []
  const holding = ((file: number, done: fs.NoParamCallback) =>
    void held.push(() => fdatasync(file, done))) as typeof fs.fdatasync
  spyOnFs('fdatasync').mockImplementation(holding)
  const blocking = spyOnFs('fdatasyncSync')
  try {
    const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    let isAnswered = false
    const placed = client
      .send('POST', '/api/v3/order', { ...order, quantity: '1', price: '50000.00' })
      .finally(() => {
        isAnswered = true
      })
    await expect.poll(() => held).toHaveLength(1)
    expect((await fetch(`${exchange.url}/api/v3/ping`)).status).toBe(200)
    const before = await fetch(`${exchange.url}/api/v3/depth?symbol=BTCUSDT`)
    expect([isAnswered, ((await before.json()) as { bids: unknown[] }).bids]).toEqual([false, []])
    expect(blocking).not.toHaveBeenCalled()
    for (const go of held.splice(0)) go()
    expect((await placed).body.status).toBe('NEW')
  } finally {
    restoreFs()
    for (const go of held) go()
    await exchange.close()
  }
})
