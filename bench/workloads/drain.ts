/** Applies the journals of a data folder into an archive, on this one thread. */

import { Indexer } from '../../src/agents/indexer.ts'
import { SelfTradePrevention, SymbolStatus } from '../../src/base/codes.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { AssetId, SymbolId } from '../../src/base/units.ts'
import { noFees, specifySymbol } from '../../src/market/listing.ts'

export interface Drained {
  readonly events: number
  readonly seconds: number
  /** Processor time of this thread and of what the store does beside it. */
  readonly processorSeconds: number
}

const usdt = { id: AssetId(0), name: 'USDT' }
const coin = { id: AssetId(1), name: 'COIN' }

/** Symbols that trade in what volumes are counted in, as most do. */
const listed = (id: number) =>
  specifySymbol({
    id: SymbolId(id),
    name: `COIN${id}USDT`,
    base: coin,
    quote: usdt,
    status: SymbolStatus.TRADING,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' },
      { filterType: 'LOT_SIZE', minQty: '0.0001', maxQty: '9000', stepSize: '0.0001' },
    ],
    preventionModes: [SelfTradePrevention.EXPIRE_MAKER],
    preventionDefault: SelfTradePrevention.EXPIRE_MAKER,
    fees: noFees,
  })

/** `symbols`: how many have trades. */
export function drain(dataFolder: string, symbols: number): Drained {
  const indexer = new Indexer({
    time: new RealTime(),
    dataFolder,
    matchers: 1,
    archived: new BigInt64Array(new SharedArrayBuffer(8)),
    valuation: {
      symbols: Array.from({ length: symbols }, (_, id) => listed(id)),
      assetId: AssetId(usdt.id),
    },
    log: () => {},
  })
  const began = performance.now()
  const usedBefore = process.cpuUsage()
  let events = 0
  for (let done = indexer.doWork(); done > 0; done = indexer.doWork()) events += done
  const seconds = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(usedBefore)
  indexer.close()
  return { events, seconds, processorSeconds: (user + system) / 1e6 }
}
