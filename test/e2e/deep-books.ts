/**
 * A data folder whose demo symbols have books of many price levels, as a large venue leaves them: the
 * engines themselves make the journals, since over the wire it would take minutes.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { enginesOf } from '../../bench/workloads/engines.ts'
import { noExtras } from '../../bench/workloads/no-extras.ts'
import { writePlaceOrder } from '../../scripts/layout/codecs.gen.ts'
import {
  OrderType,
  packTerms,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../../src/base/codes.ts'
import { AccountId, Lots, Ms, QuoteAtoms, SymbolId, Ticks } from '../../src/base/units.ts'
import { demoFacts } from '../../src/control/demo.ts'
import type { Fact } from '../../src/control/facts.ts'
import { Registry } from '../../src/control/registry.ts'
import { Vault } from '../../src/control/vault.ts'
import { BlockWriter, JOURNAL_LAYOUT } from '../../src/journal/block.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import { journalFolder, LmdbStore } from '../../src/journal/lmdb-store.ts'
import { RecordBuffer } from '../../src/layout/record-buffer.ts'
import type { SymbolSpec } from '../../src/market/listing.ts'

const ACCOUNTS_MAX = 4096
const ORDERS_PER_BLOCK = 256
const BLOCKS_PER_TRANSACTION = 64
const DEPOSIT_ATOMS = String(10n ** 17n)
const [MAKER, TAKER] = [1, 2]
/** Orders of the account `maker` on each symbol; the others are the account `taker`'s. */
export const MAKER_ORDERS = 2000

/** Fills an empty folder; each of the first symbols gets `levels` levels, half of them on each side. */
export function journalDeepBooks(data: string, symbolCount: number, levels: number): void {
  const registry = openRegistry(data)
  const symbols = registry.symbols.slice(0, symbolCount)
  const sizes = { ordersPerSymbol: 16 * levels, accounts: ACCOUNTS_MAX }
  const { engines, balances, holds, output } = enginesOf({ ...registry, symbols }, sizes)
  for (const { account, asset, atoms } of registry.deposits) balances.credit(account, asset, atoms)
  const blocks = new BlockWriter({ epoch: 1, matcher: 0, previous: 0 })
  const store = new LmdbStore(journalFolder(data, 0))
  const timeMs = Ms(Date.now()) - 60_000
  let position = 0
  for (const spec of symbols) {
    const engine = engines[spec.id]!
    let placed = 0
    const nextBlock = (): Uint8Array => {
      output.reset()
      for (let i = 0; i < ORDERS_PER_BLOCK && placed < levels; i++) {
        engine.execute(orderAt(spec, placed++, levels), 0, Ms(timeMs))
      }
      if (output.repliesEnd > 0) throw new Error(`an order of ${spec.name} was refused`)
      holds.settle(true)
      return blocks.seal(output.events, output.eventsEnd, ++position, Ms(timeMs))
    }
    while (placed < levels) {
      let left = BLOCKS_PER_TRANSACTION
      store.append(() => (left-- > 0 && placed < levels ? nextBlock() : undefined))
    }
  }
  store.close()
}

/** The n-th order, of one lot, at its own level. */
function orderAt(spec: SymbolSpec, index: number, levels: number): RecordBuffer {
  const buffer = RecordBuffer.allocate(256)
  const side = (index % 2) as Side
  const away = 1 + (index >> 1)
  const middleTicks = levels
  const account = side === Side.BUY && index < 2 * MAKER_ORDERS ? MAKER : TAKER
  writePlaceOrder(buffer, 0, {
    ...noExtras,
    symbolId: SymbolId(spec.id),
    gateway: -1,
    correlation: 0,
    account: AccountId(account),
    lots: Lots(1),
    terms: packTerms(side, OrderType.LIMIT, TimeInForce.GTC, SelfTradePrevention.EXPIRE_MAKER),
    priceTicks: Ticks(side === Side.BUY ? middleTicks - away : middleTicks + away),
    quoteAtoms: QuoteAtoms(0),
    expiresMs: Ms(0),
    clientOrderId: `deep-${index}`,
  })
  return buffer
}

/** An account may have any number of orders open. */
function withManyOrders(fact: Fact): Fact {
  if (fact.fact !== 'symbol') return fact
  const filters = fact.filters.filter(({ filterType }) => filterType !== 'MAX_NUM_ORDERS')
  return { ...fact, filters }
}

function openRegistry(data: string): Registry {
  const control = ControlStore.open(data)
  const vault = Vault.open(path.join(data, 'secret.key'), true)
  const { facts, keys } = demoFacts(vault, Ms(Date.now()))
  const registry = new Registry()
  const all: Fact[] = [
    ...facts.map(withManyOrders),
    { fact: 'start', epoch: 1, timeMs: Ms(Date.now()), layout: JOURNAL_LAYOUT },
  ]
  for (const fact of all) registry.apply(fact)
  for (const account of [MAKER, TAKER]) {
    for (const { id: asset } of registry.assets) {
      const deposit = {
        fact: 'deposit',
        account,
        asset,
        atoms: DEPOSIT_ATOMS,
        timeMs: Ms(Date.now()),
      }
      all.push(deposit as Fact)
      registry.apply(deposit as Fact)
    }
  }
  writeFileSync(path.join(data, 'demo-keys.json'), JSON.stringify(keys))
  control.appendAll(all)
  control.close()
  return registry
}
