/** The simulated chains of an exchange, as programs get them: each method is an operator's action. */
import { decimalText } from './embedded-accounts.ts'
import type { Operate } from './operate.ts'
import type { VenueAddress, VenueChain, VenueDeposit } from './options.ts'

export function chainBy(operate: Operate): VenueChain {
  const act = async (action: string, given: object): Promise<void> => {
    await operate(action, Object.fromEntries(Object.entries(given)))
  }
  const address: VenueChain['address'] = async (account, coin, chain) => {
    const place = { account, coin, ...(chain !== undefined && { chain }) }
    const { rows } = await operate('deposit-address', place)
    const { address, memo } = rows[0] as unknown as VenueAddress
    return { address, memo }
  }
  return {
    address,
    async send({ amount, coin, chain, id, ...to }) {
      const given = 'account' in to ? await address(to.account, coin, chain) : to
      const place = { coin, ...(chain !== undefined && { chain }), ...(id !== undefined && { id }) }
      const { memo = '' } = given
      const sent = { address: given.address, amount: decimalText(amount), ...place }
      const { rows } = await operate('chain-send', memo === '' ? sent : { ...sent, memo })
      return rows[0] as unknown as VenueDeposit
    },
    decide: (withdrawal, decision) => act(`withdrawal-${decision}`, { id: Number(withdrawal) }),
    stop: (chain) => act('chain-stop', { chain }),
    resume: (chain) => act('chain-resume', { chain }),
    congest: (chain, blocks) => act('chain-congest', { chain, blocks }),
    reorganise: (chain, blocks, { drop = false } = {}) =>
      act('chain-reorganise', { chain, blocks, drop }),
    suspend: (coin, chain, only) =>
      act('coin-network-suspend', { coin, chain, ...(only && { only }) }),
    unsuspend: (coin, chain, only) =>
      act('coin-network-resume', { coin, chain, ...(only && { only }) }),
  }
}
