/** What pays withdrawals outside, as a program gives it: with names and decimals. */
import { formatDecimal } from '../base/fixed.ts'
import { WIRE_DECIMALS } from '../base/limits.ts'
import type { Payment } from '../shared/payment.ts'
import type { ChainPort } from './main/chain-port.ts'
import type { Operate } from './operate.ts'
import type { VenueChainPort, VenuePayment } from './options.ts'

export function outsidePort(port: VenueChainPort, operate: Operate): ChainPort {
  /** By network: its coin stays. */
  const coins = new Map<number, string>()
  async function shown({ networkId, chain, atoms, tag, ...payment }: Payment) {
    if (!coins.has(networkId)) {
      const { rows } = await operate('coin-networks', {})
      for (const [id, { coin }] of rows.entries()) coins.set(id, String(coin))
    }
    const { withdrawalId, address, txId, transaction } = payment
    const paid: VenuePayment = {
      ...{ withdrawalId, coin: coins.get(networkId)!, chain: chain.name },
      ...{ amount: formatDecimal(atoms, WIRE_DECIMALS), address, memo: tag, txId, transaction },
    }
    return paid
  }
  return {
    isUndoable: false,
    sign: async (payment) => port.sign(await shown(payment)),
    send: async (payment) => {
      if (payment.txId === '') throw new RangeError('a transaction is sent once it is signed')
      await port.send(await shown(payment))
    },
  }
}
