/** Defects of saved states: something of the old state is there after a load. */
import fs from 'node:fs'
import path from 'node:path'
import { History } from '../../src/archive/history.ts'
import { LoopGround } from '../../src/assembly/loop/loop-ground.ts'
import * as markedMemory from '../../src/assembly/main/marked-memory.ts'
import { ManualTime } from '../../src/base/manual-time.ts'
import type { Time } from '../../src/base/time.ts'
import { Ms } from '../../src/base/units.ts'
import { FaultBook } from '../../src/control/fault-book.ts'
import { Registry } from '../../src/control/registry.ts'
import * as listenKeys from '../../src/gateway/streams/listen-keys.ts'
import * as replacing from '../../src/journal/replacing.ts'
import { type SimulatedDefect, within } from './defect.ts'

export const stateDefects: readonly SimulatedDefect[] = [
  ...within('states', 120, {
    'journal: events of the old state are there after a load': (planting) =>
      planting.member(replacing, 'replaceContent', (usual) => (data) => {
        const [journal, kept] = ['journal-0', 'kept'].map((name) => path.join(data, name))
        fs.cpSync(journal!, kept!, { recursive: true })
        usual(data)
        fs.rmSync(journal!, { recursive: true, force: true })
        fs.renameSync(kept!, journal!)
      }),
    'gateway: listen keys of the old state are good after a load': (planting) => {
      let first: SharedArrayBuffer | undefined
      planting.member(
        listenKeys,
        'SharedListenKeys',
        (Usual) =>
          class extends Usual {
            constructor(...[memory, ...given]: ConstructorParameters<typeof Usual>) {
              first ??= memory
              super(first, ...given)
            }
          },
      )
    },
    "gateway: a listen key expires by the machine's time": (planting) =>
      planting.member(
        listenKeys,
        'SharedListenKeys',
        (Usual) =>
          class extends Usual {
            constructor(memory: SharedArrayBuffer, clock: Time) {
              super(memory, clock.wall)
            }
          },
      ),
    "gateway: a timer that looks for expired listen keys goes by the machine's time": (planting) =>
      planting.method(ManualTime, 'every', (usual) => (self, periodMs, run) => {
        const isTender = run.toString().includes('server.tend')
        return isTender ? self.wall.every(periodMs, run) : usual(self, periodMs, run)
      }),
    'threads: listen keys are not those of the mark after a revert': (planting) =>
      planting.member(markedMemory, 'fillMemory', () => () => {}),
    'assembly: the clock goes on over a revert': (planting) =>
      planting.method(LoopGround, 'readClock', () => () => undefined),
  }),
  ...within('states', [120, [4, 5, 8]], {
    "gateway: klines end at the machine's present minute": (planting) =>
      planting.method(
        History,
        'klineSpan',
        (usual) => (self, query) => usual(self, { ...query, nowMs: Ms(Date.now()) }),
      ),
  }),
  ...within('states', 240, {
    'control: rules of a mark count from 1 again after a revert': (planting) =>
      planting.method(FaultBook, 'begin', (usual) => (self, posted) => {
        const fresh = (cells: SharedArrayBuffer) => new SharedArrayBuffer(cells.byteLength)
        return usual(
          self,
          posted.map((fault) => ({ ...fault, cells: fresh(fault.cells) })),
        )
      }),
    'assembly: a revert goes back to the first mark': (planting) => {
      let first: string | undefined
      planting.member(replacing, 'copyFolder', (usual) => async (from, to, isCopied) => {
        if (first === undefined) {
          first = `${from}-first`
          await usual(from, first, () => true)
        }
        await usual(first, to, isCopied)
      })
    },
  }),
  ...within('states', 400, {
    'control: what a reset moved counts as given': (planting) =>
      planting.method(
        Registry,
        'given',
        () => (self, account, asset) =>
          self.deposits.find((it) => it.account === account && it.asset === asset)?.atoms ?? 0n,
      ),
  }),
]
