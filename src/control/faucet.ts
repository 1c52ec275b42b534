/**
 * The faucet of the sandbox: credits a client's own account up to the limit that the operator sets for each asset.
 * A credit is a deposit like an operator's, and is journaled like one. Requests are answered one after another, so
 * that two of them never pass the limit together.
 */
import { parseAmountLimits } from '../base/amount-limits.ts'
import { assert } from '../base/assert.ts'
import { WIRE_DECIMALS } from '../base/limits.ts'
import type { FaucetAnswer, FaucetRequest } from '../market/faucet.ts'
import { ActionError, Arguments } from './action.ts'
import { shown } from './actions/named.ts'
import type { CommandExecutor } from './command-executor.ts'
import { FAUCET } from './operators.ts'
import type { Registry } from './registry.ts'

/** What an amount is read by. */
const amountRow = {
  ...{ name: 'faucet', example: '' },
  params: [{ name: 'amount', kind: 'amount', about: '' }],
} as const

export class Faucet {
  private readonly limits
  private readonly executor: Pick<CommandExecutor, 'act' | 'view'>
  private readonly registry: Pick<Registry, 'accounts' | 'assets'>
  private last: Promise<unknown> = Promise.resolve()

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

  answer(request: FaucetRequest): Promise<FaucetAnswer> {
    const answer = this.last.then(() => this.credit(request))
    this.last = answer.catch(() => {})
    return answer
  }

  private async credit({ account, asset, amount }: FaucetRequest): Promise<FaucetAnswer> {
    const spec = this.registry.assets.find(({ name }) => name === asset)
    const limit = this.limits.of(asset)
    if (spec === undefined || limit === undefined) return { refused: `The faucet has no ${asset}.` }
    try {
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
    } catch (error) {
      if (error instanceof ActionError) return { refused: error.message }
      throw error
    }
  }
}

/** Throws ActionError for a text that is no decimal above zero. */
const atomsOf = (amount: string): bigint =>
  amount === '0' ? 0n : new Arguments(amountRow, { amount }).amount('amount', WIRE_DECIMALS)
