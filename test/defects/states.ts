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
import type { SimulatedDefect } from './defect.ts'

export const stateDefects: readonly SimulatedDefect[] = [
  {
    name: 'journal: events of the old state are there after a load',
    simulator: 'states',
    steps: 120,
    plant: (planting) =>
      planting.member(replacing, 'replaceContent', (usual) => (data) => {
        const [journal, kept] = ['journal-0', 'kept'].map((name) => path.join(data, name))
        fs.cpSync(journal!, kept!, { recursive: true })
        usual(data)
        fs.rmSync(journal!, { recursive: true, force: true })
        fs.renameSync(kept!, journal!)
      }),
  },
  {
    name: 'gateway: listen keys of the old state are good after a load',
    simulator: 'states',
    steps: 120,
    plant: (planting) => {
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
  },
  {
    name: "gateway: a listen key expires by the machine's time",
    simulator: 'states',
    steps: 120,
    plant: (planting) =>
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
  },
  {
    name: "gateway: klines end at the machine's present minute",
    simulator: 'states',
    steps: 120,
    seeds: [4, 5, 8],
    plant: (planting) =>
      planting.method(
        History,
        'klineSpan',
        (usual) => (self, query) => usual(self, { ...query, nowMs: Ms(Date.now()) }),
      ),
  },
  {
    name: "gateway: a timer that looks for expired listen keys goes by the machine's time",
    simulator: 'states',
    steps: 120,
    plant: (planting) =>
      planting.method(ManualTime, 'every', (usual) => (self, periodMs, run) => {
        const isTender = run.toString().includes('server.tend')
        return isTender ? self.wall.every(periodMs, run) : usual(self, periodMs, run)
      }),
  },
  {
    name: 'threads: listen keys are not those of the mark after a revert',
    simulator: 'states',
    steps: 120,
    plant: (planting) => planting.member(markedMemory, 'fillMemory', () => () => {}),
  },
  {
    name: 'control: rules of a mark count from 1 again after a revert',
    simulator: 'states',
    steps: 240,
    plant: (planting) =>
      planting.method(FaultBook, 'begin', (usual) => (self, posted) => {
        const fresh = (cells: SharedArrayBuffer) => new SharedArrayBuffer(cells.byteLength)
        return usual(
          self,
          posted.map((fault) => ({ ...fault, cells: fresh(fault.cells) })),
        )
      }),
  },
  {
    name: 'assembly: the clock goes on over a revert',
    simulator: 'states',
    steps: 120,
    plant: (planting) => planting.method(LoopGround, 'readClock', () => () => undefined),
  },
  {
    name: 'assembly: a revert goes back to the first mark',
    simulator: 'states',
    steps: 240,
    plant: (planting) => {
      let first: string | undefined
      planting.member(replacing, 'copyFolder', (usual) => async (from, to, isCopied) => {
        if (first === undefined) {
          first = `${from}-first`
          await usual(from, first, () => true)
        }
        await usual(first, to, isCopied)
      })
    },
  },
  {
    name: 'control: what a reset moved counts as given',
    simulator: 'states',
    steps: 400,
    plant: (planting) =>
      planting.method(
        Registry,
        'given',
        () => (self, account, asset) =>
          self.deposits.find((it) => it.account === account && it.asset === asset)?.atoms ?? 0n,
      ),
  },
]
