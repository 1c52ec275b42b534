/** Credits in a category (Binance.US, wallet), for the archive, which clients ask for them. */
import { ControlStore } from '../journal/control-store.ts'
import type { DistributionSpec } from '../market/listing.ts'
import type { DepositFact, Fact } from './facts.ts'

/** Returns what a deposit is to clients, undefined without a category. `transferId`: how many deposits there are with it. */
export function distributionOf(
  { account, asset, atoms, category, timeMs }: DepositFact,
  transferId: number,
): DistributionSpec | undefined {
  if (category === undefined) return undefined
  return { account, assetId: asset, atoms, category, timeMs, transferId }
}

/** Returns all that the control journal has, which another thread may write. Throws StorageError. */
export function distributionsIn(dataFolder: string): DistributionSpec[] {
  const store = ControlStore.open(dataFolder, { doubted: () => {}, isWritten: true })
  let found: DistributionSpec[] = []
  let deposits = 0
  try {
    for (const entry of store.entries()) {
      const fact = entry as Fact
      if (fact.fact === 'deposit') {
        const distribution = distributionOf(fact, ++deposits)
        if (distribution !== undefined) found.push(distribution)
      } else if (fact.fact === 'correction') {
        // As the registry has it: what was noted with a later time is of the moment of the correction.
        const { fromMs } = fact
        found = found.map((row) => (row.timeMs > fromMs ? { ...row, timeMs: fromMs } : row))
      }
    }
  } finally {
    store.close()
  }
  return found
}
