/** Actions on what moves over chains: deposits, withdrawals, and the simulated chains themselves (docs/wallet.md). */
import {
  ChainChange,
  DepositStatus,
  namesOf,
  WalletSubject,
  WithdrawalDecision,
  WithdrawalStatus,
} from '../../base/codes.ts'
import { int64 } from '../../base/int64.ts'
import { WIRE_DECIMALS } from '../../base/limits.ts'
import { type AccountId, Atoms, type ChainId, type Ms } from '../../base/units.ts'
import { depositAddress } from '../../market/deposit-address.ts'
import type { NetworkSpec } from '../../market/network.ts'
import type { WalletAnswer, WalletQuery } from '../../shared/operator-query.ts'
import {
  type ActionContext,
  ActionError,
  type ActionParam,
  type ActionRow,
  type Arguments,
  flagText,
  type TableRow,
} from '../action.ts'
import type { Registry } from '../registry.ts'
import { counted } from '../words.ts'
import { chainOf, networkOf } from './chains.ts'
import { accountNamed, accountOf, assetOf, shown } from './named.ts'
import { pageOf, pageParams } from './pages.ts'
import { answerOf } from './trading.ts'

/** Rows that a gateway reads in one piece: they fit into the reply ring. */
const PIECE_ROWS = 64
const BLOCKS_MAX = 1_000
const DELAY_MAX = 10_000
const ADDRESS_CHARS_MAX = 128
const TEXT_CHARS_MAX = 64

const depositStatuses = namesOf(DepositStatus)
const withdrawalStatuses = namesOf(WithdrawalStatus)

const coinParam: ActionParam = {
  name: 'coin',
  kind: 'text',
  about: 'Name of the asset.',
  required: true,
}
const someChain: ActionParam = {
  name: 'chain',
  kind: 'text',
  about: "Name of the chain; that of the coin's default network when left out.",
}
const chainParam: ActionParam = { ...someChain, about: 'Name of the chain.', required: true }
const someAccount: ActionParam = {
  name: 'account',
  kind: 'text',
  about: 'Name or id of the account; all without it.',
}
const idParam: ActionParam = {
  name: 'id',
  kind: 'integer',
  about: 'Its id, as withdrawals shows it.',
  required: true,
}

const decisions = [
  {
    name: 'withdrawal-confirm',
    title: 'Confirm a withdrawal for its account',
    decision: WithdrawalDecision.CONFIRM,
    about:
      'Stands for the link of an e-mail, which this exchange does not send: it waits for approval then.',
    is: 'is confirmed',
  },
  {
    name: 'withdrawal-cancel',
    title: 'Cancel a withdrawal for its account',
    decision: WithdrawalDecision.CANCEL,
    about: 'Cancels a withdrawal that is not approved yet; amount and fee are free again.',
    is: 'is canceled',
  },
  {
    name: 'withdrawal-approve',
    title: 'Approve a withdrawal',
    decision: WithdrawalDecision.APPROVE,
    about: 'Has a withdrawal that waits for approval sent.',
    is: 'is approved',
  },
  {
    name: 'withdrawal-reject',
    title: 'Reject a withdrawal',
    decision: WithdrawalDecision.REJECT,
    about: 'Refuses a withdrawal that waits for approval; amount and fee are free again.',
    is: 'is rejected',
  },
  {
    name: 'withdrawal-fail',
    title: 'Fail a withdrawal',
    decision: WithdrawalDecision.FAIL,
    about: 'Ends an approved withdrawal that is not signed yet; amount and fee are free again.',
    is: 'has failed',
  },
] as const

const changes = [
  {
    name: 'chain-stop',
    title: 'Stop a chain',
    change: ChainChange.STOP,
    about: 'Has a chain make no blocks until it is resumed.',
    is: 'makes no blocks',
  },
  {
    name: 'chain-resume',
    title: 'Resume a chain',
    change: ChainChange.RESUME,
    about: 'Has a stopped chain make blocks again.',
    is: 'makes blocks again',
  },
] as const

export const walletActions: readonly ActionRow[] = [
  {
    name: 'deposit-address',
    title: "Show an account's deposit address",
    group: 'wallet',
    role: 'watch',
    example: 'deposit-address alice USDT',
    about: 'Shows where an account receives an asset, and with which memo.',
    isImmediate: true,
    params: [{ ...someAccount, about: 'Name or id.', required: true }, coinParam, someChain],
    run: (args, { registry }) => {
      const account = accountOf(args, registry)
      const network = someNetworkOf(args, registry)
      const chain = registry.chains[network.chain]!
      const { address, tag } = depositAddress(chain, account.id)
      const rows = [{ account: account.name, ...placeOf(network, registry), address, memo: tag }]
      return { said: `${account.name} receives at ${address}.`, rows }
    },
  },
  {
    name: 'chain-send',
    title: 'Send to the exchange over a chain',
    group: 'wallet',
    role: 'admin',
    example: 'chain-send ADDRESS 0.5 --coin BTC',
    about:
      'Sends an amount from outside to an address of an account. Sent again with its id, it is not sent again.',
    isImmediate: true,
    params: [
      { name: 'address', kind: 'text', about: 'As deposit-address shows it.', required: true },
      { name: 'amount', kind: 'amount', about: 'How much, as a decimal.', required: true },
      coinParam,
      someChain,
      { name: 'memo', kind: 'text', about: 'The memo; none when left out.' },
      {
        name: 'id',
        kind: 'text',
        about: `Your id of it, of at most ${TEXT_CHARS_MAX} characters.`,
      },
    ],
    run: (args, context) => {
      const network = someNetworkOf(args, context.registry)
      const query = {
        ask: 'chainSend',
        networkId: network.id,
        atoms: Atoms(int64(args.amount('amount', WIRE_DECIMALS))),
        address: plainText(args, 'address', ADDRESS_CHARS_MAX),
        tag: plainText(args, 'memo', TEXT_CHARS_MAX),
        requestId: plainText(args, 'id', TEXT_CHARS_MAX),
      } as const
      return reported(async () => {
        const { deposits, isKnown } = await ask(query, context)
        const what = `${args.text('amount')} ${context.registry.assets[network.asset]!.name}`
        const rows = deposits.map((row) => depositRow(row, context.registry))
        return { said: `${what} ${isKnown ? 'was sent before' : 'is sent'}.`, rows }
      })
    },
  },
  {
    name: 'deposits',
    title: 'Show deposits under way',
    group: 'wallet',
    role: 'watch',
    example: 'deposits alice',
    about: 'Shows deposits that are not credited and unlocked yet, of an account or all.',
    isImmediate: true,
    params: [someAccount, ...pageParams],
    run: (args, context) =>
      pageOfStates(args, context, WalletSubject.DEPOSITS, 'deposit', ({ deposits }) =>
        deposits.map((row) => [row.depositId, depositRow(row, context.registry)]),
      ),
  },
  {
    name: 'withdrawals',
    title: 'Show withdrawals under way',
    group: 'wallet',
    role: 'watch',
    example: 'withdrawals alice',
    about: 'Shows withdrawals that have not ended, of an account or all.',
    isImmediate: true,
    params: [
      someAccount,
      {
        name: 'undecided',
        kind: 'flag',
        about: 'Only those that you may decide: they wait, or are not signed yet.',
      },
      ...pageParams,
    ],
    run: (args, context) => {
      const isAny = !args.flag('undecided', false)
      const subject = isAny ? WalletSubject.WITHDRAWALS : WalletSubject.UNDECIDED
      return pageOfStates(args, context, subject, 'withdrawal', ({ withdrawals }) =>
        withdrawals.map((row) => [row.withdrawalId, withdrawalRow(row, context.registry)]),
      )
    },
  },
  ...decisions.map(
    ({ name, title, decision, about, is }): ActionRow => ({
      name,
      title,
      group: 'wallet',
      role: 'admin',
      example: `${name} 17`,
      about,
      isImmediate: true,
      params: [idParam],
      run: (args, context) => {
        const withdrawalId = args.integer('id', 1, Number.MAX_SAFE_INTEGER)
        return reported(async () => {
          const query = { ask: 'decideWithdrawal', withdrawalId, decision } as const
          const { withdrawals } = await ask(query, context)
          const rows = withdrawals.map((row) => withdrawalRow(row, context.registry))
          return { said: `Withdrawal ${withdrawalId} ${is}.`, rows }
        })
      },
    }),
  ),
  {
    name: 'chains',
    title: 'Show chains',
    group: 'wallet',
    role: 'watch',
    example: 'chains',
    about: 'Shows the chains that carry money: what they are like, and how they stand.',
    isImmediate: true,
    params: [],
    run: async (_, context) => {
      const rows: TableRow[] = []
      for (const { id, name, addressForm, hasMemo, blockMs, genesisMs } of context.registry
        .chains) {
        rows.push({
          chain: name,
          form: addressForm,
          memo: flagText(hasMemo),
          blockSeconds: blockMs / 1_000,
          since: timeText(genesisMs),
          ...(await stateOf(id, context)),
        })
      }
      return { said: `${counted(rows.length, 'chain')}.`, rows }
    },
  },
  ...changes.map(
    ({ name, title, change, about, is }): ActionRow => ({
      name,
      title,
      group: 'wallet',
      role: 'admin',
      example: `${name} ETH`,
      about,
      isImmediate: true,
      params: [chainParam],
      run: (args, context) => changed(args, context, change, 0, is),
    }),
  ),
  {
    name: 'chain-congest',
    title: 'Congest a chain',
    group: 'wallet',
    role: 'admin',
    example: 'chain-congest ETH 5',
    about: 'Has transfers wait for later blocks than the next one.',
    isImmediate: true,
    params: [
      chainParam,
      { name: 'blocks', kind: 'integer', about: 'How many later; 0: none.', required: true },
    ],
    run: (args, context) => {
      const blocks = args.integer('blocks', 0, DELAY_MAX)
      const is = blocks === 0 ? 'takes transfers into its next block' : `is ${blocks} blocks late`
      return changed(args, context, ChainChange.CONGEST, blocks, is)
    },
  },
  {
    name: 'chain-reorganise',
    title: 'Take back blocks of a chain',
    group: 'wallet',
    role: 'admin',
    example: 'chain-reorganise ETH 3',
    about: 'Takes back the newest blocks of a chain, with what they had been credited for.',
    isImmediate: true,
    params: [
      chainParam,
      {
        name: 'blocks',
        kind: 'integer',
        about: `How many, at most ${BLOCKS_MAX}.`,
        required: true,
      },
      {
        name: 'drop',
        kind: 'flag',
        about: 'Whether transfers from outside are lost; off: they come into later blocks.',
      },
    ],
    previews: (args) => ({
      does: `Take back the newest ${counted(blocksOf(args), 'block')} of ${args.text('chain')}`,
      note: 'What was credited for them is taken from free balances, and the rest is owed.',
      yes: 'Take back',
    }),
    run: (args, context) => {
      const change = args.flag('drop', false) ? ChainChange.DROP : ChainChange.REORGANISE
      const is = `has taken back ${counted(blocksOf(args), 'block')}`
      return changed(args, context, change, blocksOf(args), is)
    },
  },
]

const blocksOf = (args: Arguments): number => args.integer('blocks', 1, BLOCKS_MAX)

type Reported = { readonly said: string; readonly rows: readonly TableRow[] }
const reported = (report: () => Promise<Reported>) => ({ said: '', report })

/** Rejects with ActionError where the wallet refuses. */
export const ask = async (query: WalletQuery, { view }: ActionContext): Promise<WalletAnswer> =>
  answerOf(await view.ask(0, query)) as WalletAnswer

/** Whether deposits or withdrawals of the account may still change its balances. */
export async function hasUnderWay(account: AccountId, context: ActionContext): Promise<boolean> {
  const query = { ask: 'wallet', account, limit: 1, afterId: 0 } as const
  if (context.registry.networks.length === 0) return false
  const { deposits } = await ask({ ...query, subject: WalletSubject.DEPOSITS }, context)
  const { withdrawals } = await ask({ ...query, subject: WalletSubject.WITHDRAWALS }, context)
  return deposits.length + withdrawals.length > 0
}

function changed(
  args: Arguments,
  context: ActionContext,
  change: ChainChange,
  blocks: number,
  is: string,
) {
  const chain = chainOf(args, context.registry)
  return reported(async () => {
    await ask({ ask: 'changeChain', chainId: chain.id, change, blocks }, context)
    const rows = [{ chain: chain.name, ...(await stateOf(chain.id, context)) }]
    return { said: `Chain ${chain.name} ${is}.`, rows }
  })
}

/** `stopped` since when; `transfers` wait for its blocks. */
async function stateOf(id: ChainId, context: ActionContext): Promise<TableRow> {
  const { chain } = await ask({ ask: 'wallet', subject: WalletSubject.CHAIN, id }, context)
  const { height, stoppedMs, delayBlocks, transfers } = chain!
  const stopped = stoppedMs === 0 ? '' : timeText(stoppedMs)
  return { height, stopped, delay: delayBlocks, transfers }
}

/** Reads states in pieces until the page is full. */
async function pageOfStates(
  args: Arguments,
  context: ActionContext,
  subject: WalletSubject,
  what: string,
  rowsOf: (answer: WalletAnswer) => readonly (readonly [id: number, row: TableRow])[],
) {
  const page = pageOf(args, 1)
  const account = args.has('account')
    ? accountNamed(args.text('account'), context.registry).id
    : undefined
  const rows: TableRow[] = []
  let [afterId = 0] = page.after
  for (let isWhole = false; !isWhole; ) {
    const limit = Math.min(PIECE_ROWS, page.limit - rows.length)
    if (limit === 0) return { said: `${counted(rows.length, what)}.`, rows, more: String(afterId) }
    const answer = await ask({ ask: 'wallet', subject, account, limit, afterId }, context)
    for (const [id, row] of rowsOf(answer)) {
      afterId = id
      rows.push(row)
    }
    isWhole = answer.isWhole
  }
  return { said: `${counted(rows.length, what)}.`, rows }
}

/** Of the coin, on the chain or by default. */
function someNetworkOf(args: Arguments, registry: Registry): NetworkSpec {
  if (args.has('chain')) return networkOf(args, registry)
  const coin = assetOf(args, registry, 'coin')
  const found = registry.networks.find(({ asset, isDefault }) => asset === coin.id && isDefault)
  if (found !== undefined) return found
  throw new ActionError(`No chain carries ${coin.name} (coin-network-list).`)
}

/** Returns '' where it is not given. Throws ActionError. */
function plainText(args: Arguments, name: string, max: number): string {
  const text = args.text(name, '')
  if (text.length <= max && /^[\x20-\x7e]*$/.test(text)) return text
  throw new ActionError(`${name} must be at most ${max} letters, digits and signs.`)
}

const placeOf = ({ asset, chain }: NetworkSpec, { assets, chains }: Registry) => ({
  coin: assets[asset]!.name,
  chain: chains[chain]!.name,
})

type DepositState = WalletAnswer['deposits'][number]
type WithdrawalState = WalletAnswer['withdrawals'][number]

const depositRow = (row: DepositState, registry: Registry): TableRow => ({
  id: row.depositId,
  account: registry.accounts[row.account]?.name ?? '',
  ...placeOf(registry.networks[row.networkId]!, registry),
  amount: shown(BigInt(row.atoms)),
  status: depositStatuses[row.status]!,
  block: row.height,
  txId: row.txId,
  address: row.address,
  memo: row.tag,
  clientId: row.requestId,
  seen: timeText(row.insertMs),
})

const withdrawalRow = (row: WithdrawalState, registry: Registry): TableRow => ({
  id: row.withdrawalId,
  account: registry.accounts[row.account]?.name ?? '',
  ...placeOf(registry.networks[row.networkId]!, registry),
  amount: shown(BigInt(row.atoms)),
  fee: shown(BigInt(row.feeAtoms)),
  worth: worthText(row, registry),
  status: withdrawalStatuses[row.status]!,
  address: row.address,
  memo: row.tag,
  txId: row.txId,
  clientId: row.requestId,
  applied: timeText(row.applyMs),
})

/** '' where no prices give it. */
const worthText = ({ worth }: WithdrawalState, { assets }: Registry): string =>
  worth === undefined ? '' : `${shown(BigInt(worth.atoms))} ${assets[worth.assetId]!.name}`

const timeText = (timeMs: Ms): string => new Date(timeMs).toISOString()
