/** Actions that check the money of all accounts: the audit of its sums, and the proof of funds. */
import { WalletSubject } from '../../base/codes.ts'
import { pause } from '../../base/time.ts'
import { type AssetSpec, EXCHANGE_ACCOUNT } from '../../market/listing.ts'
import { type ActionContext, ActionError, actionsOf } from '../action.ts'
import type { Issued } from '../registry.ts'
import { shown } from './named.ts'
import { ask } from './wallet.ts'

/** Counts, and the pause between them, while trades are being settled. */
const TRIES = 400
const PAUSE_MS = 5

/** Of one asset: balances + inFlight = chain + debt + all that is issued. */
interface AssetFunds {
  readonly asset: AssetSpec
  readonly issued: Readonly<Issued>
  readonly deposited: bigint
  readonly balances: bigint
  readonly collected: bigint
  readonly inFlight: bigint
  readonly chain: bigint
  readonly debt: bigint
}

export const fundsActions = actionsOf('money', [
  {
    name: 'audit',
    title: 'Check that every asset adds up',
    role: 'watch',
    example: 'audit',
    about:
      'Compares deposits less withdrawals, by operators and over chains, with the sum of all balances.',
    params: [],
    run: async (_, context) => {
      const funds = await provenFunds(context, 'audit')
      const rows = funds.map(({ asset, deposited, balances, collected, ...moved }) => ({
        asset: asset.name,
        deposited: shown(deposited),
        overChains: shown(walletOf(moved)),
        balances: shown(balances),
        commissions: shown(collected),
      }))
      return { said: 'Every asset adds up.', rows }
    },
  },
  {
    name: 'funds-proof',
    title: 'Prove the funds of every asset',
    role: 'watch',
    example: 'funds-proof',
    about:
      'Shows, of each asset, that balances and withdrawals in flight are what chains hold, what accounts owe, and what operators issued.',
    params: [],
    run: async (_, context) => {
      const funds = await provenFunds(context, 'funds-proof')
      const rows = funds.map(({ asset, issued, balances, inFlight, chain, debt }) => ({
        asset: asset.name,
        balances: shown(balances),
        inFlight: shown(inFlight),
        chain: shown(chain),
        owed: shown(debt),
        ...Object.fromEntries(Object.entries(issued).map(([term, atoms]) => [term, shown(atoms)])),
      }))
      return { said: 'The funds of every asset are proven.', rows }
    },
  },
])

/** Resolves to funds that add up. Rejects with ActionError. */
async function provenFunds(context: ActionContext, action: string): Promise<readonly AssetFunds[]> {
  let funds = await fundsOf(context)
  // A count while something is settled may see half of it: only agreement proves the sums.
  for (let tried = 0; funds.some(differs) && tried < TRIES; tried++) {
    await pause(context.time, PAUSE_MS)
    funds = await fundsOf(context)
  }
  const differing = funds.filter(differs).map(({ asset }) => asset.name)
  if (differing.length === 0) return funds
  const names = differing.join(', ')
  throw new ActionError(
    `Deposits and balances differ in ${names}; run halt --all, then ${action} again.`,
  )
}

/** One asset after another: all at once would take the room of clients' queries. */
async function fundsOf(context: ActionContext): Promise<readonly AssetFunds[]> {
  const { registry, view } = context
  const funds: AssetFunds[] = []
  for (const asset of registry.assets) {
    funds.push({
      asset,
      ...(await termsOf(asset, context)),
      issued: registry.issued(asset.id),
      deposited: registry.deposited(asset.id),
      balances: view.total(asset.id),
      collected: view.balance(EXCHANGE_ACCOUNT, asset.id).free,
    })
  }
  return funds
}

/** The wallet is asked about assets that chains carry. */
async function termsOf({ id }: AssetSpec, context: ActionContext) {
  if (!context.registry.networks.some((network) => network.asset === id)) {
    return { chain: 0n, inFlight: 0n, debt: 0n }
  }
  const { funds } = await ask({ ask: 'wallet', subject: WalletSubject.FUNDS, id }, context)
  return {
    chain: BigInt(funds!.chainAtoms),
    inFlight: BigInt(funds!.inFlightAtoms),
    debt: BigInt(funds!.debtAtoms),
  }
}

const walletOf = ({ chain, debt, inFlight }: Pick<AssetFunds, 'chain' | 'debt' | 'inFlight'>) =>
  chain + debt - inFlight

const differs = (funds: AssetFunds): boolean => funds.deposited + walletOf(funds) !== funds.balances
