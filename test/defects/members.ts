/** Defects of members of a quorum that follow, take the lead or lose it, of what they pay, and of backups. */
import { Following } from '../../src/agents/following.ts'
import { Matcher } from '../../src/agents/matcher.ts'
import { CommandExecutor } from '../../src/control/command-executor.ts'
import * as effects from '../../src/core/ledger/effects.ts'
import { LastPrices } from '../../src/core/ledger/last-prices.ts'
import { Wallet } from '../../src/core/wallet/wallet.ts'
import type { BackupCut } from '../../src/journal/backup.ts'
import * as backups from '../../src/journal/backup.ts'
import type { WalCells } from '../../src/journal/wal-cells.ts'
import { Leadership } from '../../src/pipeline/leadership.ts'
import * as cuts from '../../src/replica/cut.ts'
import { LeadWatch } from '../../src/replica/lead-watch.ts'
import * as successions from '../../src/replica/take-over.ts'
import { RoleCells } from '../../src/shared/role.ts'
import { type SimulatedDefect, within } from './defect.ts'
import { Extent, type Planting } from './planting.ts'
import { plantGuards } from './replica.ts'
import { plantOptions } from './transport.ts'

/** The first seeds whose exchanges have followers. */
const seeds = [45, 46, 50, 63, 86, 87, 25, 13, 3, 43, 58, 62, 69, 70, 71]
const NEVER_MS = 2 ** 50

/** Runs `plant` with the extent of what followers take. */
function whileFollowing(planting: Planting, plant: (following: Extent) => void): void {
  const following = new Extent()
  planting.method(
    Following,
    'take',
    (usual) => (self, bytes) => following.within(() => usual(self, bytes)),
  )
  plant(following)
}

/** Runs `plant` with the extent in which a matcher looks for withdrawals to be paid. */
function whileReporting(planting: Planting, plant: (reporting: Extent) => void): void {
  const reporting = new Extent()
  planting.method(Matcher, 'takePayments', (usual) => (self) => reporting.within(() => usual(self)))
  plant(reporting)
}

const plantCut = (
  planting: Planting,
  other: (cut: BackupCut, wals: readonly WalCells[]) => Partial<BackupCut>,
): void =>
  planting.member(
    backups,
    'makeBackup',
    (usual) => (data, target, cut, wals, events) =>
      usual(data, target, { ...cut, ...other(cut, wals) }, wals, events),
  )

export const memberDefects: readonly SimulatedDefect[] = [
  ...within('exchange', [13_500, seeds], {
    'agents: prices that a follower has applied are not published': (planting) =>
      whileFollowing(planting, (following) =>
        planting.method(LastPrices, 'publish', (usual) => (self, symbolId, priceTicks) => {
          if (!following.isEntered) usual(self, symbolId, priceTicks)
        }),
      ),
    'replica: a new leader does not wait for the rest of what the last one wrote': (planting) =>
      planting.member(successions, 'readRest', () => async () => true),
    'replica: a follower is shown what the quorum may lose': (planting) =>
      plantGuards(planting, { watermark: false }),
    'shared: a leader leads on though the quorum does not confirm it': (planting) =>
      planting.method(RoleCells, 'confirm', (usual) => (self) => usual(self, NEVER_MS)),
    'pipeline: a leader that is cut off tells of orders': (planting) =>
      planting.method(Leadership, 'refusalOf', () => () => undefined),
  }),
  ...within('exchange', [3_000, seeds], {
    'agents: a follower forgets what trades did to balances': (planting) =>
      whileFollowing(planting, (following) =>
        planting.member(effects, 'applyEffects', (usual) => (events, at, spec, sink) => {
          if (!following.isEntered) usual(events, at, spec, sink)
        }),
      ),
  }),
  ...within('exchange', [40_000, seeds], {
    'replica: a trim spares the member that has most': (planting) =>
      planting.member(cuts, 'cutOf', (usual) => (notes, silentHours, leftOut) => {
        const cut = usual(notes, silentHours, leftOut)
        return cut && { ...cut, sequence: Math.max(...notes.map(({ sequence }) => sequence)) }
      }),
    'control: a follower leaves deposits out': (planting) =>
      planting.method(CommandExecutor, 'follow', (usual) => (self, texts) => {
        const left = texts.map((text) => text.replace('"fact":"deposit"', '"fact":"deposited"'))
        return usual(self, left)
      }),
  }),
  ...within('exchange', [6_000, seeds], {
    'replica: a member takes the lead from one that is alive': (planting) =>
      planting.method(
        LeadWatch,
        'cause',
        (usual) => (self, passedMs, lag) => usual(self, passedMs + 10_000, lag),
      ),
  }),
  ...within('exchange', 6_000, {
    'journal: a backup has blocks behind its cut': (planting) =>
      plantCut(planting, (_, wals) => ({ positions: wals.map(({ written }) => written) })),
  }),
  ...within('exchange', 12_000, {
    'journal: a backup has facts behind its cut': (planting) =>
      plantCut(planting, () => ({ control: Number.MAX_SAFE_INTEGER })),
  }),
  ...within('exchange', [13_500, seeds], {
    'agents: a follower has withdrawals paid, too': (planting) =>
      whileReporting(planting, (reporting) =>
        planting.getter(
          Matcher,
          'isLeading',
          (usual) => (self) => reporting.isEntered || usual(self),
        ),
      ),
    'core/ledger: a follower forgets what the wallet did to balances': (planting) =>
      whileFollowing(planting, (following) =>
        planting.member(effects, 'applyWalletEffects', (usual) => (events, at, sink) => {
          if (!following.isEntered) usual(events, at, sink)
        }),
      ),
  }),
  ...within('exchange', 12_000, {
    'agents: a withdrawal is signed before its debit is flushed': (planting) =>
      whileReporting(planting, (reporting) =>
        plantOptions(planting, ({ journal }) => ({
          journal: new Proxy(journal, {
            get: (target, name: keyof typeof journal) => {
              const isAsked = name === 'flushedPosition' && reporting.isEntered
              const value = target[isAsked ? 'lastPosition' : name]
              return typeof value === 'function' ? value.bind(target) : value
            },
          }),
        })),
      ),
    'core/wallet: a new leader forgets the signed transaction and signs another': (planting) =>
      planting.method(Wallet, 'recovered', (usual) => (self) => {
        for (const row of self.state.withdrawals.values()) row.txId = ''
        usual(self)
      }),
    'core/wallet: a start forgets withdrawals that were under way': (planting) =>
      planting.method(Wallet, 'recovered', (usual) => (self) => {
        usual(self)
        self.takeUnpaid()
      }),
  }),
]
