/** Withdrawals of an exchange that a program pays over a node of its own. */
import { afterEach, expect, test } from 'vitest'
import { SignedClient } from '../../../scripts/exchange/signed-client.ts'
import { startChild } from '../../../src/assembly/in-child.ts'
import { startHere } from '../../../src/assembly/in-this-process.ts'
import type { EmbeddedExchange, VenueChainPort } from '../../../src/assembly/options.ts'
import { OutsideNode } from '../../fixtures/outside-node.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
const ADDRESS = `0x${'ab'.repeat(20)}`
let exchange: EmbeddedExchange
afterEach(() => exchange?.close())

async function start(chainPort: VenueChainPort): Promise<void> {
  const clock = { at: Date.UTC(2030, 0, 1) }
  const accounts = { alice: { USDT: 1_000, withdraw: true } }
  exchange = await startHere({ folder: folder('data'), clock, accounts, chainPort })
}

const clientOf = () =>
  new SignedClient(exchange.url, { account: 'alice', ...exchange.accounts.alice! }, () =>
    exchange.clock.now(),
  )
async function withdraw(): Promise<void> {
  const to = { coin: 'USDT', network: 'ETH', address: ADDRESS, amount: '104' }
  const { status } = await clientOf().send('POST', '/sapi/v1/capital/withdraw/apply', to)
  expect(status).toBe(200)
}
async function rows(): Promise<readonly object[]> {
  const { body } = await clientOf().send('GET', '/sapi/v1/capital/withdraw/history')
  return body as unknown as readonly object[]
}

test('are signed and sent by it, once, however often it fails', async () => {
  const node = new OutsideNode()
  await start(node)
  node.failures = 3
  await withdraw()
  await exchange.clock.advance('2m')
  const payment = { coin: 'USDT', chain: 'ETH', amount: '100.00000000', address: ADDRESS, memo: '' }
  const transaction = JSON.stringify(payment)
  expect([...node.sent.values()]).toEqual([
    { ...payment, withdrawalId: 1, txId: 'outside-1', transaction },
  ])
  expect(await rows()).toMatchObject([{ id: '1', status: 6, txId: 'outside-1' }])
})

test('wait while what it signed does not fit', async () => {
  let signed = { txId: '', transaction: '' }
  const sent: string[] = []
  await start({ sign: async () => signed, send: async ({ txId }) => void sent.push(txId) })
  await withdraw()
  for (const wrong of [
    { txId: 'x'.repeat(129), transaction: '' },
    { txId: '\u0100', transaction: '' },
    { txId: 'a', transaction: 'x'.repeat(513) },
    { txId: 'a' } as typeof signed,
  ]) {
    signed = wrong
    await exchange.clock.advance('2m')
    expect([sent, await rows()]).toMatchObject([[], [{ status: 4 }]])
  }
  signed = { txId: 'x'.repeat(128), transaction: 'x'.repeat(512) }
  await exchange.clock.advance('2m')
  expect(sent).toEqual([signed.txId])
})

test('leave no state that goes back', async () => {
  await start(new OutsideNode())
  await exchange.save('one')
  for (const goneBack of [
    () => exchange.load('one'),
    () => exchange.reset(),
    () => exchange.fork(),
    () => exchange.mark(),
  ]) {
    await expect(goneBack()).rejects.toThrow('Withdrawals are paid outside of the exchange')
  }
})

test('are paid from this process alone', async () => {
  const started = startChild({ chainPort: new OutsideNode() })
  await expect(started).rejects.toThrow("A chainPort needs process: 'this'.")
})
