import { type MadeSnapshot, makeSnapshot } from '../../src/agents/snapshots.ts'
import { settings } from '../../src/config/config.ts'
import type { Fact } from '../../src/control/facts.ts'
import { Registry } from '../../src/control/registry.ts'
import { ControlStore } from '../../src/journal/control-store.ts'

/** What the snapshots' thread does, here, beside an exchange that runs on the folder or none. */
export function snapshotNow(dataFolder: string): MadeSnapshot | undefined {
  const registry = new Registry()
  const control = ControlStore.open(dataFolder)
  for (const fact of control.entries()) registry.apply(fact as Fact)
  control.close()
  const [ordersMax, accountsMax] = [settings.ordersPerSymbol.default, settings.accounts.default]
  return makeSnapshot({
    dataFolder,
    symbols: () => registry.symbols,
    accountsMax,
    shapeOf: ({ priceTicksMax }) => ({ priceTicksMax, ordersMax, accountsMax }),
    idSalt: 0,
    kept: 3,
    goesOn: () => true,
    log: () => {},
  })
}
