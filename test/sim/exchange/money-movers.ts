/**
 * What clients and operators of the simulated exchange do with money over its chains: deposits from outside, withdrawals,
 * decisions about them, moves within a family, and what befalls a chain. Clients ask again under the same id for what
 * they got no answer to; what they were told is kept, to be looked for after each start.
 */
import { assert } from '../../../src/base/assert.ts'
import { WithdrawalStatus } from '../../../src/base/codes.ts'
import type { Int64 } from '../../../src/base/int64.ts'
import type { ManualClock } from '../../../src/base/manual-time.ts'
import type { Prng } from '../../../src/base/prng.ts'
import { AccountId } from '../../../src/base/units.ts'
import { depositAddress } from '../../../src/market/deposit-address.ts'
import { emailOf } from '../../../src/market/families.ts'
import type { NetworkSpec } from '../../../src/market/network.ts'
import { httpAnswer } from './answers.ts'
import { turn } from './event-loop.ts'
import type { FalseExchange } from './false-sockets.ts'
import { GATEWAYS } from './process-config.ts'
import type { ProcessLifecycle } from './process-lifecycle.ts'
import { decimal, type Fields } from './requests.ts'
import { Trader } from './trader.ts'
import type { ExchangeTwin } from './twin.ts'

/** Of a step. */
const ACT_CHANCE = 0.05
const WINDOW_MS = 5_000
const OUTSIDE = ['0x52908400098527886E0F7030069857D2E4169EE7', 'TJ8bEXRAb5FSr4ihgvFvTzQ4oyCzE9sVqu']

export interface MoneyMoversParts {
  readonly prng: Prng
  readonly time: ManualClock
  readonly twin: ExchangeTwin
  readonly isAsleep: (gateway: number) => boolean
  readonly count: (what: string) => void
  /** Called with what a client was answered. */
  readonly told: (answer: string) => void
}

/** A withdrawal that a client applies for, or a move within its family. */
interface Wish {
  readonly kind: 'withdrawal' | 'move'
  readonly account: number
  readonly atoms: bigint
  readonly requestId: string
  readonly fields: Fields
}

const kinds = {
  withdrawal: ['/sapi/v1/capital/withdraw/apply', 'id'],
  move: ['/sapi/v3/sub-account/transfer', 'txnId'],
} as const

interface Ask {
  readonly http: FalseExchange
  readonly wish: Wish
}

export class MoneyMovers {
  private readonly parts: MoneyMoversParts
  private asks: Ask[] = []
  /** Those whose client knows not whether they were made. */
  private readonly unsure: Wish[] = []
  /** By kind and id: what clients wished, and were told of. */
  private readonly acknowledged = new Map<string, Wish>()
  private wishes = 0

  constructor(parts: MoneyMoversParts) {
    this.parts = parts
  }

  async step(process: ProcessLifecycle): Promise<void> {
    const { prng } = this.parts
    if (!prng.chance(ACT_CHANCE)) return
    const dice = prng.unit()
    if (dice < 0.28) await this.send(process)
    else if (dice < 0.6) await this.withdraw(process)
    else if (dice < 0.74) await this.decide(process)
    else if (dice < 0.84) await this.move(process)
    else if (dice < 0.96) await this.changeChain(process)
    else await this.suspend(process)
  }

  /** Takes in what clients were answered. */
  read(): void {
    const { count, told, twin } = this.parts
    for (const ask of this.asks.splice(0)) {
      const { http, wish } = ask
      if (http.answer === undefined) {
        this.asks.push(ask)
        continue
      }
      const answer = httpAnswer(http.answer.status, http.answer.body)
      told(JSON.stringify(answer))
      assert(answer.status < 500 || answer.status >= 503, `no failure within: ${answer.status}`)
      const { kind } = wish
      count(answer.code === 0 ? `answered ${kind}` : `${kind} refused ${answer.code}`)
      if (answer.code === 0) {
        const id = (answer.result as Readonly<Record<string, string>>)[kinds[kind][1]]!
        this.acknowledged.set(`${kind} ${id}`, wish)
        assert(
          isKnown(Number(id), wish, twin),
          `${kind} ${id}, which its client was told of, is known`,
        )
      } else if (answer.status >= 500) this.unsure.push(wish)
    }
  }

  /** The exchange is gone, with all that was on its way. */
  leave(): void {
    for (const { wish } of this.asks.splice(0)) this.unsure.push(wish)
  }

  /** After a start: what a client was told of is there, unless it may be lost. */
  checkAcknowledged(mayLose: boolean): void {
    for (const [key, wish] of this.acknowledged) {
      if (isKnown(Number(key.split(' ')[1]), wish, this.parts.twin)) continue
      assert(mayLose, `${key}, which its client was told of, survives`)
      this.acknowledged.delete(key)
    }
  }

  /** Has chains make blocks, unless the wallet is too busy to be asked. */
  async resume(process: ProcessLifecycle): Promise<void> {
    for (const [id, { stoppedMs }] of this.parts.twin.wallet.plain.chains.entries()) {
      const chain = process.registry.chains[id]!.name
      if (stoppedMs !== undefined) await this.act(process, 'chain-resume', { chain })
    }
  }

  private async send(process: ProcessLifecycle): Promise<void> {
    const { prng } = this.parts
    const network = prng.pick(process.registry.networks)
    const { address, tag } = this.addressOf(prng.between(1, 7), network, process)
    const id = prng.below(40)
    // Another one's terms under its id are refused.
    const units = prng.chance(0.8) ? 7n + BigInt(id) : BigInt(prng.between(1, 60))
    await this.act(process, 'chain-send', {
      ...{ address, amount: decimal(units), id: `send-${id}` },
      ...placeOf(network, process),
      ...(tag === '' ? {} : { memo: tag }),
    })
  }

  private async withdraw(process: ProcessLifecycle): Promise<void> {
    const { prng } = this.parts
    const unsure = this.unsure.shift()
    await this.ask(unsure ?? this.withdrawal(process), process)
    if (unsure !== undefined) this.parts.count('asked again')
    else if (prng.chance(0.1)) {
      const [known] = this.acknowledged.values()
      if (known !== undefined) await this.ask(known, process)
    }
  }

  private withdrawal(process: ProcessLifecycle): Wish {
    const { prng } = this.parts
    const account = prng.between(1, 7)
    const network = prng.pick(process.registry.networks)
    const { coin, chain } = placeOf(network, process)
    const outside = { address: OUTSIDE[network.chain]!, tag: '' }
    const isInside = prng.chance(0.3)
    const to = isInside ? this.addressOf(prng.between(1, 7), network, process) : outside
    const atoms = BigInt(prng.between(5, 120))
    const requestId = `w-${++this.wishes}`
    const named = { coin, network: chain, withdrawOrderId: requestId }
    const tagged = to.tag === '' ? {} : { addressTag: to.tag }
    const fields = { ...named, address: to.address, ...tagged, amount: decimal(atoms) }
    return { kind: 'withdrawal', account, atoms, requestId, fields }
  }

  private async move(process: ProcessLifecycle): Promise<void> {
    const { prng } = this.parts
    const { accounts, assets } = process.registry
    const family = accounts.filter(({ master }) => master !== undefined)
    const { master } = prng.pick(family)
    const sides = [accounts[master!]!, ...family].sort(() => prng.unit() - 0.5)
    const [fromEmail, toEmail] = sides.map(emailOf) as [string, string]
    const atoms = BigInt(prng.between(1, 300))
    const requestId = `m-${++this.wishes}`
    const named = { asset: prng.pick(assets).name, clientTranId: requestId }
    const fields = { fromEmail, toEmail, ...named, amount: decimal(atoms) }
    await this.ask({ kind: 'move', account: Number(master), atoms, requestId, fields }, process)
  }

  private async ask(wish: Wish, process: ProcessLifecycle): Promise<void> {
    const { prng, time, isAsleep } = this.parts
    const gateway = prng.below(GATEWAYS)
    const sockets = process.sockets[gateway]!
    if (isAsleep(gateway) || !sockets.isListening) return
    const [path] = kinds[wish.kind]
    const request = { wsMethod: '', method: 'POST', path, fields: wish.fields, isPublic: false }
    const http = await turn(() =>
      new Trader(wish.account).send(request, time.nowMs(), WINDOW_MS, sockets),
    )
    this.asks.push({ http, wish })
  }

  private async decide(process: ProcessLifecycle): Promise<void> {
    const { prng, twin } = this.parts
    const open = twin.wallet.plain.withdrawals.filter(({ status }) => isOpen(status))
    if (open.length === 0) return
    const waiting = open.filter(({ status }) => status !== WithdrawalStatus.PROCESSING)
    const { id } = prng.pick(waiting.length > 0 && prng.chance(0.9) ? waiting : open)
    const decisions = ['confirm', 'approve', 'approve', 'reject', 'cancel', 'fail']
    await this.act(process, `withdrawal-${prng.pick(decisions)}`, { id: String(id) })
  }

  private async changeChain(process: ProcessLifecycle): Promise<void> {
    const { prng } = this.parts
    const chain = prng.pick(process.registry.chains).name
    const dice = prng.unit()
    if (dice < 0.2) await this.act(process, 'chain-stop', { chain })
    else if (dice < 0.5) await this.act(process, 'chain-resume', { chain })
    else if (dice < 0.65) {
      await this.act(process, 'chain-congest', { chain, blocks: String(prng.below(3)) })
    } else {
      const blocks = String(prng.between(1, 6))
      const drop = prng.chance(0.4)
      await this.act(process, 'chain-reorganise', { chain, blocks, drop })
    }
  }

  private async suspend(process: ProcessLifecycle): Promise<void> {
    const { prng, twin, count } = this.parts
    const isSuspended = prng.chance(0.5)
    const name = isSuspended ? 'coin-network-suspend' : 'coin-network-resume'
    const network = prng.pick(process.registry.networks)
    await process.operate(name, placeOf(network, process))
    // No block is made before the fact is in force.
    twin.wallet.setNetwork(process.registry.networks[network.id]!)
    count(name)
  }

  /** The wallet executes it among the commands of clients, so nobody waits for it here. */
  private async act(
    process: ProcessLifecycle,
    name: string,
    given: Readonly<Record<string, string | boolean>>,
  ): Promise<void> {
    const { count } = this.parts
    await process.turn(() => {
      void process.executor.act(name, given).then(
        () => count(name),
        () => count(`refused ${name}`),
      )
    })
  }

  private addressOf(account: number, { chain }: NetworkSpec, { registry }: ProcessLifecycle) {
    return depositAddress(registry.chains[chain]!, AccountId(account))
  }
}

const isOpen = (status: number): boolean =>
  status === WithdrawalStatus.EMAIL_SENT ||
  status === WithdrawalStatus.AWAITING_APPROVAL ||
  status === WithdrawalStatus.PROCESSING

const placeOf = ({ asset, chain }: NetworkSpec, { registry }: ProcessLifecycle) => ({
  coin: registry.assets[asset]!.name,
  chain: registry.chains[chain]!.name,
})

/** Whether what was wished is journaled, under the id that the client was told. */
function isKnown(id: number, wish: Wish, { wallet, walletEvents }: ExchangeTwin): boolean {
  const { kind, account, atoms, requestId } = wish
  if (kind === 'withdrawal') {
    const row = wallet.plain.withdrawals.find((it) => it.id === id)
    const isSame = row?.account === account && row.atoms + row.network.fee === atoms
    return isSame && row.requestId === requestId
  }
  const moved = walletEvents.find(([{ name, movementId }]) => {
    return name === 'FundsMoved' && movementId === id
  })
  const [event] = moved ?? []
  return BigInt((event?.atoms as Int64) ?? -1) === atoms && event?.requestId === requestId
}
