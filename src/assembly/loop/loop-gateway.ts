/** A gateway on the caller's event loop, with its queries of the archive on the same loop. */
import { Gateway } from '../../gateway/gateway.ts'
import { InlineHistory } from '../../queries/inline-history.ts'
import { readConsole } from '../../threads/console-parts.ts'
import { gatewayOptions, obey, RuleQuestions } from '../../threads/gateway-parts.ts'
import type { GatewayStart, ThreadOrder } from '../../threads/thread-messages.ts'
import type { LoopParts } from './loop-parts.ts'
import type { LoopDuty, LoopWays } from './loop-worker.ts'

const NO_PAGES = { files: [], docs: [], demoKeys: [] }
/** The heap is the caller's: the gateway bounds what clients have open, not what the process uses. */
const UNWATCHED = { heapBytes: 0, heapMax: 1, processBytes: 0, processMax: 0 }

export interface LoopGatewayParts extends LoopParts {
  /** Resolves after a round of the indexer. */
  readonly awaitIndexer: () => Promise<void>
}

export class LoopGateway implements LoopDuty {
  private readonly ways: LoopWays
  private readonly history: InlineHistory
  private readonly gateway: Gateway
  private readonly rules: RuleQuestions
  private closed = () => {}

  constructor(
    start: GatewayStart,
    ways: LoopWays,
    { sockets, services, watch, moved, awaitIndexer }: LoopGatewayParts,
  ) {
    const { config, regions } = start
    const { time, report } = ways
    const warn = (fields: object, message: string) =>
      report({ report: 'log', level: 'warn', fields: { ...fields }, message })
    this.ways = ways
    this.rules = new RuleQuestions(report)
    this.history = new InlineHistory({
      dataFolder: config.data,
      ...{ published: regions.published, archived: regions.archived, archive: regions.archive },
      awaitIndexer,
      warn: (reason, message) => warn({ reason }, message),
    })
    this.gateway = new Gateway(
      gatewayOptions(start, {
        sockets,
        // Without the console nobody reads documents here either.
        console: config.console === 'off' ? NO_PAGES : readConsole(config),
        history: this.history.queries,
        readMemory: () => UNWATCHED,
        clock: time,
        warn,
        sandbox: this.rules.sandbox(start, time, moved?.clock),
        ...services,
      }),
    )
    moved?.activity.add(() => this.gateway.isBusy)
    watch?.gateway?.(this.gateway, start)
  }

  async run(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.closed = resolve
    })
    await this.gateway.start()
    this.ways.report({ report: 'ready' })
    await closed
  }

  take(order: ThreadOrder): void {
    const { report } = this.ways
    if (this.rules.take(order)) return
    const close = async () => {
      this.gateway.close()
      this.history.close()
      this.closed()
    }
    obey(order, this.gateway, close, report).catch(({ name, message, stack }: Error) =>
      report({ report: 'failed', name, message, stack }),
    )
  }
}
