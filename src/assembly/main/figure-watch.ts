/**
 * Once a second: notes the figures that are kept (telemetry/kept-figures.ts), and marks what operators did, which
 * symbols stopped trading, and starts. On the main thread.
 */
import path from 'node:path'
import type { Regions } from '../../agents/memory.ts'
import { errorCodes } from '../../api/errors.ts'
import { SymbolStatus } from '../../base/codes.ts'
import type { Time } from '../../base/time.ts'
import type { Config } from '../../config/config.ts'
import type { ActionLog } from '../../control/action-log.ts'
import type { Registry } from '../../control/registry.ts'
import { WalCells } from '../../journal/wal-cells.ts'
import { counterColumn } from '../../shared/counters.ts'
import { DiskCells } from '../../shared/disk.ts'
import { FigureSampler, type SamplerParts } from '../../telemetry/figure-sampler.ts'
import { KEPT_FILE, type KeptFigures } from '../../telemetry/kept-figures.ts'

const EVERY_MS = 1_000
/** Actions of one second that are marked; further ones are in the log of actions. */
const ACTIONS_MAX = 8
/** How a counter has the phase of a symbol. */
const TRADING = SymbolStatus.TRADING + 1

export interface FigureWatchParts {
  readonly kept: KeptFigures
  readonly sampler: Pick<FigureSampler, 'read'>
  readonly counters: SharedArrayBuffer
  readonly symbolNames: () => readonly string[]
  readonly log: Pick<ActionLog, 'newest'>
}

export class FigureWatch {
  private readonly parts: FigureWatchParts
  /** Number of the newest action that was seen. */
  private number: number
  /** Symbols that did not trade when last looked at. */
  private still: ReadonlySet<string>

  constructor(parts: FigureWatchParts) {
    this.parts = parts
    this.number = parts.log.newest(1)[0]?.number ?? 0
    this.still = new Set(this.stillNames())
    parts.kept.mark('The exchange started.')
  }

  look(): void {
    const { kept, sampler } = this.parts
    kept.add(sampler.read())
    this.markActions()
    this.markHalts()
  }

  private markActions(): void {
    const { kept, log } = this.parts
    const added = log.newest(ACTIONS_MAX).filter(({ number }) => number > this.number)
    for (const { name, by, number } of added.reverse()) {
      kept.mark(`${name} by ${by}`)
      this.number = number
    }
  }

  private markHalts(): void {
    const still = new Set(this.stillNames())
    const added = [...still].filter((name) => !this.still.has(name))
    const [first] = added
    if (first !== undefined) {
      const others = added.length === 1 ? '' : ` and ${added.length - 1} more`
      this.parts.kept.mark(`${first}${others} stopped trading.`)
    }
    this.still = still
  }

  private stillNames(): readonly string[] {
    const names = this.parts.symbolNames()
    const phases = counterColumn(this.parts.counters, 'symbol', 'phase', names.length)
    return names.filter((_, at) => phases[at] !== 0 && phases[at] !== TRADING)
  }
}

interface KeepParts {
  readonly kept: KeptFigures
  readonly config: Config
  readonly registry: Registry
  readonly regions: Regions
  /** The machine's time. */
  readonly time: Time
  readonly gatewayLoops: SamplerParts['gatewayLoops']
}

/** Keeps the figures of an exchange until it is stopped. */
export function keepFigures(parts: KeepParts): { stop(): void } {
  const { kept, config, registry, regions, time, gatewayLoops } = parts
  const { counters, histograms, outcomes, commandRings } = regions
  const { matchers, gateways } = config
  kept.open(path.join(config.data, KEPT_FILE))
  const sampler = new FigureSampler({
    time,
    matchers,
    gateways,
    counters,
    histograms,
    outcomes,
    commandRings,
    gatewayLoops,
    symbols: () => registry.symbols.length,
    codes: errorCodes,
    published: new BigInt64Array(regions.published),
    archived: new BigInt64Array(regions.archived),
    wals: regions.wals.map((memory) => new WalCells(memory)),
    disk: new DiskCells(regions.disk),
  })
  const symbolNames = () => registry.symbols.map(({ name }) => name)
  const watch = new FigureWatch({ kept, sampler, counters, symbolNames, log: registry.log })
  const timer = time.every(EVERY_MS, () => watch.look())
  return {
    stop: () => {
      timer.cancel()
      kept.close()
    },
  }
}
