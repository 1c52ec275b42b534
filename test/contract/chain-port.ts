/** What a ChainPort must hold, so that the exchange may pay withdrawals over it. Run it against a node of your own. */
import { describe, expect, test } from 'vitest'
import type { ChainPort } from '../../src/assembly/main/chain-port.ts'
import { TX_ID_MAX, WITHDRAWAL_TEXT_MAX } from '../../src/base/limits.ts'
import { AssetId, Atoms, ChainId, Ms, NetworkId } from '../../src/base/units.ts'
import type { Payment } from '../../src/shared/payment.ts'

const isLatin1 = (text: string): boolean => [...text].every((it) => it > '\0' && it <= '\u00ff')

const payment = (withdrawalId: number): Payment => ({
  withdrawalId,
  chain: {
    ...{ id: ChainId(0), name: 'ETH', addressForm: 'ethereum', hasMemo: false },
    ...{ blockMs: 12_000, genesisMs: Ms(0), seed: '1'.repeat(64) },
  },
  ...{ networkId: NetworkId(0), assetId: AssetId(0), atoms: Atoms(10n ** 15n) },
  ...{ address: `0x${'c'.repeat(40)}`, tag: '', txId: '', transaction: '' },
})

/** `open` makes a port to the same node each time, as a start of the exchange does. */
export function chainPortContract(name: string, open: () => ChainPort): void {
  describe(`the port of ${name}`, () => {
    test('signs what fits into the journal, another transaction for each withdrawal', async () => {
      const port = open()
      const [one, two] = [await port.sign(payment(1)), await port.sign(payment(2))]
      for (const { txId, transaction } of [one, two]) {
        expect(txId).not.toBe('')
        expect(txId.length).toBeLessThanOrEqual(TX_ID_MAX)
        expect(transaction.length).toBeLessThanOrEqual(WITHDRAWAL_TEXT_MAX)
        expect(isLatin1(txId + transaction)).toBe(true)
      }
      expect(one.txId).not.toBe(two.txId)
    })

    test('sends the journaled transaction any number of times, after a start too', async () => {
      const signed = { ...payment(3), ...(await open().sign(payment(3))) }
      const port = open()
      await port.send(signed)
      await port.send(signed)
      await open().send(signed)
    })

    test('sends nothing that is not signed', async () => {
      await expect(open().send(payment(4))).rejects.toThrow()
    })
  })
}
