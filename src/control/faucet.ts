/**
 * The faucet of the sandbox: credits a client's own account up to the limit that the operator sets for each asset, or
 * puts it back to what it was given. Both are operators' actions, and journaled like them. Requests are answered one
 * after another, so that two of them never pass the limit together.
 */
import { parseAmountLimits } from '../base/amount-limits.ts'
import { assert } from '../base/assert.ts'
import { WIRE_DECIMALS } from '../base/limits.ts'
import { Turns } from '../base/turns.ts'
import type {
  FaucetAnswer,
  FaucetRequest,
  MoneyAnswer,
  MoneyRequest,
  ResetRequest,
} from '../sandbox/requests.ts'
import { ActionError, readAmount } from './action.ts'
import { shown } from './actions/named.ts'
import type { CommandExecutor } from './command-executor.ts'
import { FAUCET } from './operators.ts'
import type { Registry } from './registry.ts'

export class Faucet {
  private readonly limits
  private readonly executor: Pick<CommandExecutor, 'act' | 'view'>
  private readonly registry: Pick<Registry, 'accounts' | 'assets'>
  private readonly turns = new Turns()

  /** `limits` is the setting: the most that an account owns of an asset after a credit. */
  constructor(
    limits: string,
    executor: Pick<CommandExecutor, 'act' | 'view'>,
    registry: Pick<Registry, 'accounts' | 'assets'>,
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
      return request.ask === 'faucet' ? await this.credit(request) : await this.reset(request)
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
    const { free, locked } = this.executor.view.balance(account, spec.id)
    const left = atomsOf(limit) - free - locked
    const atoms = amount === undefined ? left : atomsOf(amount)
    if (left <= 0n || atoms > left) {
      return { refused: `The faucet fills an account up to ${limit} ${asset}.` }
    }
    const credited = { asset, amount: shown(atoms) }
    const { name } = this.registry.accounts[account]!
    await this.executor.act('deposit', { account: name, ...credited }, FAUCET)
    return { credited }
  }
}

/** Throws ActionError for a text that is no decimal above zero. */
const atomsOf = (amount: string): bigint =>
  amount === '0' ? 0n : readAmount('amount', amount, WIRE_DECIMALS)
