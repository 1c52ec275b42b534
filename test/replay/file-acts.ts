/**
 * A process that does one thing with files, so that file-acts.test.ts can watch its system calls: the
 * thing and an empty folder are its arguments. Marks on standard output say what the rest of the exchange
 * would be told, and when.
 */

import { mkdirSync, writeSync } from 'node:fs'
import path from 'node:path'
import { sealSegment } from '../../src/agents/compactor.ts'
import { makeSnapshot } from '../../src/agents/snapshots.ts'
import { archiveFolder } from '../../src/archive/archive-folder.ts'
import { ArchiveWriter } from '../../src/archive/archive-writer.ts'
import { ASSETS_MAX } from '../../src/base/limits.ts'
import { ManualClock, ManualTime } from '../../src/base/manual-time.ts'
import { Prng } from '../../src/base/prng.ts'
import { Ms } from '../../src/base/units.ts'
import { parseConfig } from '../../src/config/config.ts'
import { CommandExecutor } from '../../src/control/command-executor.ts'
import { Registry } from '../../src/control/registry.ts'
import { Vault } from '../../src/control/vault.ts'
import { type QueriedWorker, WorkerControlPlane } from '../../src/control/worker-control-plane.ts'
import { Balances } from '../../src/core/ledger/balances.ts'
import { ControlStore } from '../../src/journal/control-store.ts'
import { openJournal } from '../../src/journal/journal.ts'
import { openMerge, recoverWals } from '../../src/journal/recovery.ts'
import { WalCells } from '../../src/journal/wal-cells.ts'
import { countersBytes } from '../../src/shared/counters.ts'
import { DISK_BYTES, DiskCells } from '../../src/shared/disk.ts'
import { WarningLog } from '../../src/telemetry/warning-log.ts'
import { foundingFacts } from '../sim/exchange/founding.ts'
import { ACCOUNTS } from '../sim/world.ts'
import { appendBlocks, tradedBlocks } from './audit-folder.ts'
import { JournalRun } from './power-play.ts'
import { AnyBlocks } from './power-sources.ts'
import { snapshotOptions } from './recovered-exchange.ts'

const mark = (what: string) => writeSync(1, `mark ${what}\n`)
const share = (bytes: number) => new SharedArrayBuffer(bytes)
const [thing = '', folder = ''] = process.argv.slice(2)
const BATCHES = 30
const SEALED_BYTES = 4_000

const things: Readonly<Record<string, () => void | Promise<void>>> = {
  act,
  checkpoint,
  'checkpoint what a start finds': checkpointLeft,
  snapshot,
  seal,
  archive,
  wal,
}
await things[thing]!()

/** A deposit, from the admin server to the ledger and the gateways. */
async function act(): Promise<void> {
  const vault = Vault.open(path.join(folder, 'secret.key'), true)
  const registry = new Registry()
  mark('open')
  const control = ControlStore.open(folder)
  const facts = foundingFacts(vault)
  control.appendAll(facts)
  for (const fact of facts) registry.apply(fact)
  const balances = new Balances(
    share(Balances.bytesFor(ACCOUNTS, ASSETS_MAX)),
    ACCOUNTS,
    ASSETS_MAX,
  )
  const { credit } = balances
  balances.credit = (...parts) => {
    mark('effect')
    credit.apply(balances, parts)
  }
  const member = {
    notify: async () => mark('told'),
  } as unknown as QueriedWorker
  const controlPlane = new WorkerControlPlane({
    settings: { ...parseConfig([], {}, () => '').config!, matchers: 1 },
    decided: { registry, vault, control, balances },
    crew: {
      matchers: [],
      matcherBells: [],
      gateways: [member],
      indexer: member,
      snapshots: undefined,
      member: undefined,
      backups: {
        isBusy: false,
        progress: undefined,
        copy: async () => ({}),
        copyArchive: async () => {},
      },
    },
    cells: {
      maintenance: share(4),
      counters: share(countersBytes(1, 1)),
      accountLatency: new SharedArrayBuffer(0),
      openCounts: [],
      published: new BigInt64Array(1),
      archived: new BigInt64Array(1),
      wals: [],
      disk: new DiskCells(share(DISK_BYTES)),
    },
    condition: {
      isReady: () => true,
      degraded: () => [],
      whyNoActions: () => undefined,
      warnings: new WarningLog(),
      newestSnapshot: () => 0,
      clock: new ManualClock(Ms(1)),
    },
    effects: {
      listenKeys: { revoke: () => {} },
      bookMemory: () => ({ book: share(0), openCounts: share(0) }),
      readAgain: () => ({
        hasTls: false,
        trustedProxies: '',
        exemptAddresses: '',
        sbe: 'on',
        said: '',
      }),
      reloaded: () => {},
      ownerToken: { earlierTokens: () => [], rotate: () => {} },
      drain: async () => {},
      stop: () => {},
      faults: undefined,
      clock: undefined,
      states: undefined,
      networks: undefined,
      machineClock: undefined,
      quorumAheadMs: () => undefined,
      startAgain: async () => {},
      hasRemovedBlocks: () => false,
      fail: (error) => {
        throw error
      },
    },
  })
  const executor = new CommandExecutor(
    registry,
    vault,
    controlPlane,
    new ManualTime(new ManualClock(Ms(1))),
  )
  const account = registry.accounts[1]!.name
  const asset = registry.assets[0]!.name
  mark('begin')
  await executor.act('deposit', { account, asset, amount: '1' })
  mark('end')
  control.close()
}

function begunRun(): JournalRun {
  const life = new JournalRun(folder, 'flushed', new AnyBlocks(new Prng(1)), 1)
  for (let i = 0; i < 5; i++) life.append([])
  return life
}

function checkpoint(): void {
  const life = begunRun()
  const { setCheckpointed } = life.cells
  life.cells.setCheckpointed = (position) => {
    mark('checkpointed')
    setCheckpointed.call(life.cells, position)
  }
  mark('begin')
  life.checkpoint()
  mark('end')
  life.end()
}

function checkpointLeft(): void {
  begunRun().end()
  mark('begin')
  recoverWals(folder)
  mark('end')
}

function journalOfTrades(): void {
  mkdirSync(folder, { recursive: true })
  appendBlocks(folder, tradedBlocks(path.join(folder, 'source'), 1, BATCHES))
}

function snapshot(): void {
  journalOfTrades()
  mark('begin')
  makeSnapshot(snapshotOptions(folder))
  mark('end')
}

function seal(): void {
  journalOfTrades()
  const cells = new WalCells()
  const { setSealed } = cells
  cells.setSealed = (position) => {
    mark('sealed')
    setSealed.call(cells, position)
  }
  mark('begin')
  sealSegment({
    dataFolder: folder,
    matcher: 0,
    cells,
    covered: 21,
    goesOn: () => true,
    segmentBytes: SEALED_BYTES,
  })
  mark('end')
}

function archive(): void {
  journalOfTrades()
  const merge = openMerge(folder, [0])
  mark('open')
  const writer = ArchiveWriter.open(archiveFolder(folder))
  mark('apply')
  for (let block = merge.next(); block !== undefined; block = merge.next()) {
    writer.apply(block, () => merge.next())
  }
  writer.markProven()
  mark('close')
  writer.close()
  mark('end')
  merge.close()
}

/** What a start makes before the first block is written. */
function wal(): void {
  mark('begin')
  openJournal(folder, 0, 'flushed').close()
  mark('end')
}
