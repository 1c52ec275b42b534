/**
 * The faucet of the sandbox: credits a client's own account up to the limit that the operator sets for each asset, at once
 * or over a chain, or puts it back to what it was given. These are operators' actions, and journaled like them. Requests
 * are answered one after another, so that two of them never pass the limit together.
 */
import { parseAmountLimits } from '../base/amount-limits.ts'
import { assert } from '../base/assert.ts'
import { WIRE_DECIMALS } from '../base/limits.ts'
import { Turns } from '../base/turns.ts'
import type { AccountId } from '../base/units.ts'
import { ownerOfAddress } from '../market/deposit-address.ts'
import type { AssetSpec } from '../market/listing.ts'
import type { NetworkSpec } from '../market/network.ts'
import type {
  FaucetAnswer,
  FaucetRequest,
  MoneyAnswer,
  MoneyRequest,
  ResetRequest,
  TransferAnswer,
  TransferRequest,
} from '../sandbox/requests.ts'
import { ActionError, readAmount, type TableRow } from './action.ts'
import { shown } from './actions/named.ts'
import type { CommandExecutor } from './command-executor.ts'
import { FAUCET } from './operators.ts'
import type { Registry } from './registry.ts'

export class Faucet {
  private readonly limits
  private readonly executor: Pick<CommandExecutor, 'act' | 'view'>
  private readonly registry: Pick<Registry, 'accounts' | 'assets' | 'chains' | 'networks'>
  private readonly turns = new Turns()

  /** `limits` is the setting: the most that an account owns of an asset after a credit. */
  constructor(
    limits: string,
    executor: Pick<CommandExecutor, 'act' | 'view'>,
    registry: Pick<Registry, 'accounts' | 'assets' | 'chains' | 'networks'>,
  ) {
    const parsed = parseAmountLimits(limits)
    assert(parsed !== undefined, 'the setting was checked')
    this.limits = parsed
    this.executor = executor
    this.registry = registry
  }

  answer(request: MoneyRequest): Promise<MoneyAnswer> {
    return this.turns.run(() => this.carryOut(request))
  }

  private async carryOut(request: MoneyRequest): Promise<MoneyAnswer> {
    try {
      if (request.ask === 'faucet') return await this.credit(request)
      return request.ask === 'chainTransfer'
        ? await this.transfer(request)
        : await this.reset(request)
    } catch (error) {
      if (error instanceof ActionError) return { refused: error.message }
      throw error
    }
  }

  private async reset({ account }: ResetRequest): Promise<MoneyAnswer> {
    const { name } = this.registry.accounts[account]!
    await this.executor.act('reset-account', { account: name }, FAUCET)
    const { rows } = await this.executor.act('balances', { account: name })
    return {
      balances: rows.map((row) => ({
        asset: String(row.asset),
        free: String(row.free),
        locked: String(row.locked),
      })),
    }
  }

  private async credit({ account, asset, amount }: FaucetRequest): Promise<FaucetAnswer> {
    const spec = this.registry.assets.find(({ name }) => name === asset)
    const limit = this.limits.of(asset)
    if (spec === undefined || limit === undefined) return { refused: `The faucet has no ${asset}.` }
    const left = atomsOf(limit) - this.owned(account, spec)
    const atoms = amount === undefined ? left : atomsOf(amount)
    if (left <= 0n || atoms > left) return { refused: fullSentence(limit, asset) }
    const credited = { asset, amount: shown(atoms) }
    const { name } = this.registry.accounts[account]!
    await this.executor.act('deposit', { account: name, ...credited }, FAUCET)
    return { credited }
  }

  /** What is on its way already counts as what the account owns. */
  private async transfer(request: TransferRequest): Promise<TransferAnswer> {
    const { account, coin, address, addressTag, amount } = request
    const { assets, chains } = this.registry
    const spec = assets.find(({ name }) => name === coin)
    const limit = this.limits.of(coin)
    if (spec === undefined || limit === undefined) return { refused: `The faucet has no ${coin}.` }
    const network = this.networkOf(spec, request.network)
    if (network === undefined) return { refused: `${coin} has no such network.` }
    const chain = chains[network.chain]!
    const owner = ownerOfAddress(chain, address, addressTag)
    if (owner === undefined) return { refused: 'The address is none of the exchange.' }
    // A memo of no account is for tests of what becomes of it: nobody is credited.
    if (owner.account !== undefined && owner.account !== account) {
      return { refused: 'The address is of another account.' }
    }
    const more = optional(request)
    // First: what is credited meanwhile is counted twice, and never left out.
    const open = await this.openDeposits(account)
    const left = atomsOf(limit) - this.owned(account, spec) - underWay(open, coin)
    // The wallet answers a known id by its first transfer, and sends nothing.
    const isKnown = open.some(({ clientId }) => clientId !== '' && clientId === more.id)
    if (!isKnown && atomsOf(amount) > left) return { refused: fullSentence(limit, coin) }
    const args = { address, amount, coin, chain: chain.name, ...more }
    const { rows } = await this.executor.act('chain-send', args, FAUCET)
    const shownAmount = shown(atomsOf(amount))
    const txId = String(rows[0]!.txId)
    const transferred = {
      coin,
      network: chain.name,
      address,
      addressTag,
      amount: shownAmount,
      txId,
    }
    return { transferred }
  }

  private networkOf({ id }: AssetSpec, name: string | undefined): NetworkSpec | undefined {
    const { chains, networks } = this.registry
    return networks.find(
      ({ asset, chain, isDefault }) =>
        asset === id && (name === undefined ? isDefault : chains[chain]!.name === name),
    )
  }

  private owned(account: AccountId, { id }: AssetSpec): bigint {
    const { free, locked } = this.executor.view.balance(account, id)
    return free + locked
  }

  /** Those that are not unlocked yet. */
  private async openDeposits(account: AccountId): Promise<readonly TableRow[]> {
    const { name } = this.registry.accounts[account]!
    return (await this.executor.act('deposits', { account: name, limit: '1000' })).rows
  }
}

/** What is sent to the account and not credited yet. */
const underWay = (open: readonly TableRow[], coin: string): bigint =>
  open
    .filter((row) => row.coin === coin && row.status === 'PENDING')
    .reduce((sum, { amount }) => sum + atomsOf(String(amount)), 0n)

const fullSentence = (limit: string, asset: string): string =>
  `The faucet fills an account up to ${limit} ${asset}.`

/** Ids of accounts stay apart. */
const optional = ({
  account,
  addressTag,
  requestId,
}: TransferRequest): { readonly memo?: string; readonly id?: string } => ({
  ...(addressTag === '' ? {} : { memo: addressTag }),
  ...(requestId === undefined ? {} : { id: `${account}:${requestId}` }),
})

/** Throws ActionError for a text that is no decimal above zero. */
const atomsOf = (amount: string): bigint =>
  amount === '0' ? 0n : readAmount('amount', amount, WIRE_DECIMALS)
