/**
 * Runs cells of the table of damage, one after another: verifies a folder, starts an exchange on it, and queries
 * all that was acknowledged. A separate process, because LMDB may end it.
 */
import path from 'node:path'
import { verifyFolder } from '../../../scripts/audit/verify-folder.ts'
import type { StartExchange } from '../../../src/index.ts'
import { type Portrait, portraitOf, type Sitters } from './portrait.ts'

export interface CellOrder extends Sitters {
  readonly folder: string
  readonly step: 'verify' | 'start'
}

export type CellReport =
  | {
      readonly step: 'verified'
      readonly findings: readonly string[]
      readonly notes: readonly string[]
    }
  | { readonly step: 'refused'; readonly sentence: string }
  | { readonly step: 'answered'; readonly portrait: Portrait; readonly log: readonly string[] }

const SETTINGS = {
  matchers: 2,
  durability: 'flushed',
  'journal-kept': 'snapshots',
  sandbox: true,
  'snapshot-minutes': 600,
  accounts: 64,
  'orders-per-symbol': 1_024,
  'command-ring-slots': 64,
} as const
const BUILT = path.resolve('dist/src/index.js')
const { startExchange } = (await import(BUILT)) as { startExchange: StartExchange }

/** Verifies as an operator does before a start; changes nothing. */
async function verify(folder: string): Promise<CellReport> {
  const { findings, notes } = await verifyFolder({
    folder,
    accountsMax: SETTINGS.accounts,
    ordersMax: SETTINGS['orders-per-symbol'],
    begun: () => {},
    advanced: () => {},
  })
  return { step: 'verified', findings, notes }
}

async function run({ folder, ...sitters }: CellOrder): Promise<CellReport> {
  const log: string[] = []
  const faults: Error[] = []
  try {
    const exchange = await startExchange({
      folder,
      settings: SETTINGS,
      log: (line) => log.push((JSON.parse(line) as { msg: string }).msg),
      failed: (error) => faults.push(error),
    })
    try {
      const portrait = await portraitOf(exchange, sitters)
      if (faults.length > 0) throw faults[0]
      return { step: 'answered', portrait, log }
    } finally {
      await exchange.close()
    }
  } catch (error) {
    const { message } = faults[0] ?? (error as Error)
    return { step: 'refused', sentence: message }
  }
}

process.on('message', (order: CellOrder) => {
  const report = order.step === 'verify' ? verify(order.folder) : run(order)
  void report.then(
    (done) => process.send!(done),
    (error: Error) =>
      process.send!({ step: 'refused', sentence: `verify-journal: ${error.message}` }),
  )
})
