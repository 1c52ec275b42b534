/** A control plane in memory, and an exchange with one symbol and one account to act on. */

import { faultTargets } from '../../../src/assembly/main/fault-targets.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import type { Time } from '../../../src/base/time.ts'
import { AccountId, AssetId, Ms } from '../../../src/base/units.ts'
import type { VirtualClock } from '../../../src/base/virtual-clock.ts'
import {
  type ActionAnswer,
  ActionError,
  type ExchangeView,
  type MachineReading,
} from '../../../src/control/action.ts'
import { CommandExecutor, type ControlPlane } from '../../../src/control/command-executor.ts'
import { actions } from '../../../src/control/commands.ts'
import { exchangeAccount } from '../../../src/control/demo.ts'
import type { Fact } from '../../../src/control/facts.ts'
import { FaultBook } from '../../../src/control/fault-book.ts'
import { Registry } from '../../../src/control/registry.ts'
import { Vault } from '../../../src/control/vault.ts'
import type { BackupCut } from '../../../src/journal/backup.ts'
import { accountLatencyBytes, LatencyReader } from '../../../src/shared/account-latency.ts'
import { countersBytes, readCounters } from '../../../src/shared/counters.ts'
import { DISK_BYTES, DiskCells } from '../../../src/shared/disk.ts'
import type {
  OperationQuery,
  OperatorQuery,
  OperatorQueryAnswer,
  WalletQuery,
} from '../../../src/shared/operator-query.ts'
import type { RoleReading } from '../../../src/shared/role.ts'
import { WarningLog } from '../../../src/telemetry/warning-log.ts'
import { nothing } from './wallet-rows.ts'

export const FILTERS = JSON.stringify([
  { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000', tickSize: '0.01' },
  { filterType: 'LOT_SIZE', minQty: '0.01', maxQty: '100', stepSize: '0.01' },
])

const isWalletQuery = (query: OperatorQuery): query is WalletQuery =>
  ['wallet', 'chainSend', 'decideWithdrawal', 'changeChain'].includes(query.ask)

/** Two gateways that answer from lists. */
class PlainGateway {
  readonly orders: { symbolId: number; account: number; orderId: number; time: number }[] = []
  readonly sessions: { gateway: number; session: number; account: number }[] = []
  readonly operations: OperationQuery[] = []
  result: OperatorQueryAnswer = { value: [] }
  readonly wallet: WalletQuery[] = []
  walletResult: (query: WalletQuery) => OperatorQueryAnswer = () => ({ value: nothing })

  open(symbol: number, account: number) {
    return this.orders.filter((it) => it.symbolId === symbol && it.account === account)
  }

  answer(gateway: number, query: OperatorQuery): OperatorQueryAnswer {
    if (query.ask === 'openOrders') {
      const { symbolId, account, afterOrderId, limit } = query
      const behind = this.open(symbolId, account).filter((it) => it.orderId > afterOrderId)
      return { value: behind.slice(0, limit) }
    }
    if (query.ask === 'operation') {
      this.operations.push(query)
      return this.result
    }
    if (query.ask === 'houseOrder' || query.ask === 'referencePrice') return this.result
    if (query.ask === 'blockTrade') return this.result
    if (isWalletQuery(query)) {
      this.wallet.push(query)
      return this.walletResult(query)
    }
    if (query.ask === 'events') return { value: { rows: [], more: '1:1' } }
    const own = this.sessions.filter((it) => it.gateway === gateway)
    if (query.ask === 'closeSession') {
      return { value: own.some(({ session }) => session === query.session) }
    }
    const { after, account, limit } = query
    const shown = own.filter((it) => it.session > after && (account ?? it.account) === it.account)
    return { value: shown.slice(0, limit).map((it) => ({ ...it, accounts: [it.account] })) }
  }
}

/** Free and locked in one map; a hold takes from free at once. */
export class PlainControlPlane implements ControlPlane {
  readonly free = new Map<string, bigint>()
  readonly locked = new Map<string, bigint>()
  readonly journaled: Fact[] = []
  /** What was journaled, as JSON. */
  readonly texts: string[] = []
  readonly enforced: Fact[] = []
  /** Whom this member follows. */
  leader: string | undefined
  readonly done: string[] = []
  role: RoleReading | undefined
  readonly disk = new DiskCells(new SharedArrayBuffer(DISK_BYTES))
  /** Called when orders are canceled. */
  canceling = () => {}
  /** Called when a schedule, or a hold, is in force. */
  scheduleChanged = () => {}
  /** shared/account-latency.ts: of one gateway. */
  readonly latency = new SharedArrayBuffer(accountLatencyBytes(1))
  isDiskFull = false
  certificateFault = ''
  backupFault = ''
  hasRoom = true
  copying: ReturnType<ExchangeView['backup']>
  events: number[] = []
  readonly asked = new PlainGateway()
  readonly warnings = new WarningLog()
  snapshotMade: Promise<void> = Promise.resolve()
  quorumAheadMs: number | undefined
  journalAheadMs = 0
  hasRemovedBlocks = false
  machine: MachineReading = { machineMs: 0, nowMs: 0, doubt: undefined }
  readonly view: ExchangeView & { clock: VirtualClock | undefined } = {
    balance: (account, asset) => {
      const at = `${account}/${asset}`
      return { free: this.free.get(at) ?? 0n, locked: this.locked.get(at) ?? 0n }
    },
    total: (asset) =>
      [...this.free, ...this.locked].reduce(
        (sum, [at, atoms]) => (at.endsWith(`/${asset}`) ? sum + atoms : sum),
        0n,
      ),
    matcherOf: (symbol) => symbol % 2,
    symbolEvents: () => this.events,
    openOrders: (symbol, account) => this.asked.open(symbol, account).length,
    ask: async (gateway, query) => this.asked.answer(gateway, query),
    latency: new LatencyReader(this.latency),
    counters: () => readCounters(new SharedArrayBuffer(countersBytes(2, 2, 1)), 2, 2, 1),
    journals: () => [{ published: 7, checkpointed: 5, archived: 4 }],
    isReady: () => true,
    disk: () => this.disk.read(),
    degraded: () => ['The archive is applied again.'],
    role: () => this.role,
    warnings: (limit) => this.warnings.newest(limit),
    backup: () => this.copying,
    readAgain: () => {
      if (this.certificateFault !== '') throw new Error(this.certificateFault)
      return {
        hasTls: true,
        trustedProxies: '',
        exemptAddresses: '',
        sbe: 'on',
        said: 'Read again.',
      }
    },
    ownerToken: { earlierTokens: () => [], rotate: () => void this.done.push('rotate') },
    matchers: 2,
    gateways: 2,
    accountsMax: 4,
    faults: new FaultBook({ elapsedNs: () => 0, nowMs: () => Ms(0) }, () => [], faultTargets),
    clock: undefined as VirtualClock | undefined,
    machineClock: {
      reading: () => this.machine,
      accept: () => void this.done.push('accept'),
    },
    quorumAheadMs: () => this.quorumAheadMs,
    journalAheadMs: async () => this.journalAheadMs,
    hasRemovedBlocks: () => this.hasRemovedBlocks,
    startAgain: async () => void this.done.push('start again'),
    networks: {
      rows: () => [{ network: 1, connect: 'accept', connections: 0, url: '' }],
      add: async () => ({ reading: () => ({ network: 1, url: '' }) }),
      set: async (port) => void this.done.push(`set the network ${port}`),
      reset: (port) => void this.done.push(`reset the network ${port}`),
      remove: async (port) => void this.done.push(`remove the network ${port}`),
    },
    states: {
      rows: () => [{ kind: 'state', name: 'one', timeMs: 0, bytes: 1 }],
      folderFor: (kind, name) => `/data/${kind}s/${name}`,
      folderForPath: () => '/data/states/path',
      install: async (folder, target) => void this.done.push(`place ${folder} at ${target}`),
      at: (name) => ({ kind: 'state', name, timeMs: 0, bytes: 1 }),
      remove: ({ name }) => void this.done.push(`remove ${name}`),
      load: async ({ name }, { by }) => void this.done.push(`load ${name} by ${by}`),
      reset: async ({ by }) => void this.done.push(`reset by ${by}`),
      mark: () => ({ mark: 'a-1' }),
      revert: async (mark) => `${mark} again`,
    },
  }

  /** What was journaled, without the log of actions. */
  get facts(): readonly Fact[] {
    return this.journaled.filter(({ fact }) => fact !== 'act')
  }

  hold(account: number, asset: number, atoms: bigint): boolean {
    const { free } = this.view.balance(AccountId(account), AssetId(asset))
    if (free >= atoms) this.free.set(`${account}/${asset}`, free - atoms)
    return free >= atoms
  }
  release(account: number, asset: number, atoms: bigint): void {
    this.add(this.free, `${account}/${asset}`, atoms)
  }
  prepare(facts: readonly Fact[]): void {
    if (this.hasRoom || !facts.some(({ fact }) => fact === 'symbol')) return
    throw new RangeError('there is no memory for another book')
  }
  journal(
    facts: readonly Fact[],
    texts: readonly string[] = facts.map((it) => JSON.stringify(it)),
  ) {
    if (this.isDiskFull) throw new Error('the disk is full')
    this.journaled.push(...facts)
    this.texts.push(...texts)
  }
  whyNoActions = () => this.leader && `This member follows ${this.leader}.`
  async cancelOrders(orders: Parameters<ControlPlane['cancelOrders']>[0]): Promise<void> {
    this.done.push(`cancel ${JSON.stringify(orders)}`)
    this.canceling()
  }
  async enforce(facts: readonly Fact[]): Promise<void> {
    for (const fact of facts) {
      this.enforced.push(fact)
      if (fact.fact === 'schedule' || fact.fact === 'held') this.scheduleChanged()
      if (fact.fact !== 'deposit' && fact.fact !== 'lock') continue
      const at = `${fact.account}/${fact.asset}`
      const atoms = BigInt(fact.atoms)
      if (fact.fact === 'lock') this.add(this.locked, at, atoms)
      if (fact.fact === 'deposit') this.add(this.free, at, atoms)
      else if (atoms < 0n) this.add(this.free, at, -atoms)
    }
  }
  snapshot(): Promise<string> {
    return this.snapshotMade.then(() => 'Snapshot 1 covers 2 events.')
  }
  async reload(): Promise<void> {
    this.done.push('reload')
  }
  async cut() {
    return { timeMs: Ms(1_000), control: this.journaled.length, positions: [3, 4], snapshot: 0 }
  }
  async copyArchive(folder: string): Promise<void> {
    this.done.push(`copy the archive to ${folder}`)
  }
  async backup(cut: BackupCut, folder: string): Promise<string> {
    if (this.backupFault !== '') throw new ActionError(this.backupFault)
    this.done.push(`backup ${cut.positions} of ${cut.control} to ${folder}`)
    return 'It is made.'
  }
  promote(): string {
    this.done.push('promote')
    return 'promoted'
  }
  async handOver(successor: string): Promise<string> {
    this.done.push(`handOver ${successor}`)
    return 'handed over'
  }
  async drain(): Promise<void> {
    this.done.push('drain')
  }
  stop(): void {
    this.done.push('stop')
  }
  fail(error: Error): void {
    this.done.push(error.message)
  }
  private add(sums: Map<string, bigint>, at: string, atoms: bigint): void {
    sums.set(at, (sums.get(at) ?? 0n) + atoms)
  }
}

/** Words in the order of the action's parameters, or after --name. */
function argumentsOf(text: string): [name: string, given: Record<string, string>] {
  const [name = '', ...words] = text.split(' ')
  const given: Record<string, string> = {}
  const params = actions.find((row) => row.name === name)?.params ?? []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (word.startsWith('--')) given[word.slice(2)] = words[++i]!
    else given[params.find((param) => given[param.name] === undefined)?.name ?? 'more'] = word
  }
  return [name, given]
}

/** What one test acts on. */
export class ActionBench {
  readonly registry = new Registry()
  readonly controlPlane = new PlainControlPlane()
  readonly executor: CommandExecutor

  private constructor(time: Time) {
    this.registry.apply(exchangeAccount())
    const vault = new Vault(Buffer.alloc(32, 1))
    this.executor = new CommandExecutor(this.registry, vault, this.controlPlane, time)
  }

  /** With BTC, USDT, their symbol, and alice, who has 2 BTC. */
  static async make(
    time: Time = Object.assign(new RealTime(), { nowMs: () => Ms(1_000) }),
  ): Promise<ActionBench> {
    const bench = new ActionBench(time)
    await bench.ask('asset-list BTC')
    await bench.ask('asset-list USDT')
    await bench.executor.act('symbol-list', { base: 'BTC', quote: 'USDT', filters: FILTERS })
    await bench.ask('account-open alice --maker 0.001')
    await bench.ask('deposit alice BTC 2')
    return bench
  }

  /** What starts again behind these facts, as JSON. */
  static recovered(texts: readonly string[], time: Time): ActionBench {
    const bench = new ActionBench(time)
    for (const text of texts) bench.registry.apply(JSON.parse(text) as Fact)
    return bench
  }

  /** Carries out a line, as `deposit alice BTC 2`. */
  ask(text: string): Promise<ActionAnswer> {
    return this.executor.act(...argumentsOf(text))
  }
}
