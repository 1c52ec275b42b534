/** Everything that is measured: the three ranks, plots over time, and tables by symbol, code and thread. */
import type { ComponentChildren, JSX } from 'preact'
import type { Figures } from '../../admin-api/readings.ts'
import { Scroll } from '../toolkit/scroll.tsx'
import { SymbolTable } from './by-symbol.tsx'
import { Clock } from './clock.tsx'
import { Faults } from './faults.tsx'
import type { Sample } from './figure-history.ts'
import { type Mark, mostOf, sumOf, sumOfSymbols } from './figures.ts'
import { HeatMap } from './heat-map.tsx'
import { type OperatorSession, SPANS } from './operator-session.ts'
import { Ranks } from './ranks.tsx'
import { Schedules } from './schedules.tsx'
import { LINES_MAX, type Line, SeriesChart } from './series-chart.tsx'
import { Snapshots } from './snapshots.tsx'
import { States } from './states.tsx'
import {
  bytesText,
  countText,
  durationText,
  momentText,
  RATE,
  shareText,
  timeText,
  uptimeText,
} from './texts.ts'
import { WalletPanels } from './wallet-panels.tsx'

/** Characters of a moment's text, without its fractions. */
const SECONDS_END = 'YYYY-MM-DD hh:mm:ss'.length

const orderLines: readonly Line[] = [
  { name: 'orders', of: ({ orders }) => orders },
  { name: 'trades', of: ({ trades }) => trades },
  { name: 'requests', of: ({ requests }) => requests },
]
const flushLines: readonly Line[] = (['p50', 'p99', 'max'] as const).map((name) => ({
  name,
  of: ({ flush }) => flush[name],
}))
const lagLines: readonly Line[] = [
  { name: 'archive', of: ({ archiveLag }) => archiveLag },
  { name: 'checkpointer', of: ({ checkpointerLag }) => checkpointerLag },
]
const connectionLines: readonly Line[] = [
  { name: 'connections', of: ({ connections }) => connections },
  { name: 'slow clients disconnected/s', of: ({ slowClosed }) => slowClosed },
]
const memoryLines: readonly Line[] = [
  { name: 'resident', of: ({ residentBytes }) => residentBytes },
  { name: "gateways' heaps", of: ({ gatewayHeapBytes }) => gatewayHeapBytes },
]

interface ViewProps {
  readonly session: OperatorSession
  readonly figures: Figures
}

/** Text of a plot that the exchange keeps nothing of. */
const FROM_NOW = 'since this page was opened'

export function FiguresView({ session, figures }: ViewProps): JSX.Element {
  const { value: samples } = session.samples
  const chart = { samples: session.plotted.value, marks: session.marks.value }
  return (
    <Scroll label="Figures" className="board">
      <Ranks figures={figures} samples={samples} />
      <SpanBar session={session} />
      <Panel title="Orders and trades">
        <SeriesChart {...chart} title="A second" lines={orderLines} text={RATE} />
      </Panel>
      <Panel title="Responses by status" note={FROM_NOW}>
        <SeriesChart
          {...chart}
          samples={samples}
          title="Responses a second by status"
          lines={keyLines(figures.answers, 'answers')}
          text={RATE}
        />
      </Panel>
      <Panel title="Latency of orders by stage" className="large" note={FROM_NOW}>
        {figures.isTimed ? (
          <HeatMap samples={samples} />
        ) : (
          <p class="empty">No order is timed: metrics are off (--metrics).</p>
        )}
      </Panel>
      <Panel title="Refusals by code" note={FROM_NOW}>
        <Refusals figures={figures} chart={{ ...chart, samples }} />
      </Panel>
      <Panel title="Flushes">
        <SeriesChart {...chart} title="Time of a flush" lines={flushLines} text={durationText} />
      </Panel>
      <SymbolTable figures={figures} samples={samples} note={FROM_NOW} />
      <ProcessPlots figures={figures} chart={chart} />
      <Marks marks={session.marks.value} />
      <Panel title="Totals">
        <Totals figures={figures} />
      </Panel>
      <Schedules figures={figures} />
      <WalletPanels session={session} figures={figures} />
      <States session={session} figures={figures} />
      <Clock session={session} figures={figures} />
      <Faults session={session} figures={figures} />
      <Snapshots figures={figures} />
    </Scroll>
  )
}

/** What a plot begins with, and its marks. */
interface ChartProps {
  readonly figures: Figures
  readonly chart: Pick<Parameters<typeof SeriesChart>[0], 'samples' | 'marks'>
}

function ProcessPlots({ figures, chart }: ChartProps): JSX.Element {
  return (
    <>
      <Panel title="Busy share of threads">
        <SeriesChart
          {...chart}
          title="Busy share"
          lines={busyLines(figures)}
          text={shareText}
          max={1}
        />
      </Panel>
      <Panel title="Command rings filled">
        <SeriesChart
          {...chart}
          title="Slots taken, the fullest ring of each matcher"
          lines={ringLines(figures)}
          text={shareText}
        />
      </Panel>
      <Panel title="Blocks behind the journal">
        <SeriesChart {...chart} title="Blocks behind" lines={lagLines} text={countText} />
      </Panel>
      <Panel title="Connections">
        <SeriesChart {...chart} title="WebSockets" lines={connectionLines} text={countText} />
      </Panel>
      <Panel title="Memory">
        <SeriesChart {...chart} title="Memory" lines={memoryLines} text={bytesText} />
      </Panel>
    </>
  )
}

interface PanelProps {
  readonly title: string
  readonly note?: string
  readonly className?: string
  readonly children: ComponentChildren
}

const Panel = ({ title, note = '', className = '', children }: PanelProps): JSX.Element => (
  <section class={`panel ${className}`} aria-label={title}>
    <header class="panel-head">
      <h2>{title}</h2>
      {note !== '' && <span class="note">{note}</span>}
    </header>
    {children}
  </section>
)

type Total = readonly [id: string, name: string, value: string]

/** What is no matter of every night. */
function Totals({ figures }: { readonly figures: Figures }): JSX.Element {
  const { gateways, matchers, process: memory } = figures
  const open = sumOfSymbols(figures, 'restingOrders') + sumOfSymbols(figures, 'waitingOrders')
  const cells: readonly Total[] = [
    ['accepted', 'Total orders', countText(sumOfSymbols(figures, 'orders'))],
    ['open', 'Open orders', countText(open)],
    ['connections', 'Connections', countText(sumOf(gateways, 'connections'))],
    ['slow', 'Slow clients disconnected', countText(sumOf(gateways, 'slowClientsClosed'))],
    ['flush', 'Slowest flush', durationText(mostOf(matchers, 'flushNsMax'))],
    ['memory', 'Resident memory', bytesText(memory.residentBytes)],
    ['shared', 'Shared memory', bytesText(memory.sharedBytes)],
    ['stores', 'Stores', storesText(figures)],
    ['free', 'Free on the disk', bytesText(figures.disk.freeBytes)],
    ['growth', 'Growth of the whole disk', growthText(figures)],
    ['pressure', 'Memory pressure', pressureText(mostOf(gateways, 'memoryLevel'))],
    ['up', 'Up for', uptimeText(Math.floor(figures.uptimeSeconds))],
    ['time', 'Time', `${timeText(figures.timeMs / 1_000)} UTC`],
    ...quorumTotals(figures),
  ]
  return (
    <Scroll label="List of totals">
      <dl class="pairs totals">
        {cells.map(([id, name, value]) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd id={`figure-${id}`}>{value}</dd>
          </div>
        ))}
      </dl>
    </Scroll>
  )
}

function quorumTotals({ quorum }: Figures): readonly Total[] {
  if (quorum === undefined) return []
  const { blocks, bytes, losses, lostMs } = quorum
  return [
    ['quorum', 'Blocks on the quorum', countText(blocks)],
    ['quorum-bytes', 'Bytes on the quorum', bytesText(bytes)],
    ['quorum-lost', 'Quorum lost', `${countText(losses)} ×, ${uptimeText(lostMs / 1_000)}`],
  ]
}

const storesText = ({ stores }: Figures): string => bytesText(sumOf(stores, 'fileBytes'))

/** Text of the disk's growth per hour, over the last day. */
const growthText = ({ disk: { bytesAnHour } }: Figures): string =>
  bytesAnHour < 0 ? 'known after ten minutes' : `${bytesText(bytesAnHour)}/h`

const pressureText = (level: number): string =>
  ['none', 'no new connections', 'connections are closed'][level] ?? 'the gateway ends'

type Counted = readonly (readonly [key: number, count: number, ...rest: unknown[]])[]

/** The keys that were counted most. */
function keyLines(counted: Counted, of: 'answers' | 'refusals'): readonly Line[] {
  const most = [...counted].sort((a, b) => b[1] - a[1]).slice(0, LINES_MAX)
  const keys = most.map(([key]) => String(key)).sort()
  return keys.map((name) => ({
    name,
    of: (sample) => (sample.isKept ? undefined : (sample[of].get(name) ?? 0)),
  }))
}

/** What was kept is of the busiest thread alone. */
function busyLines({ matchers, gateways }: Figures): readonly Line[] {
  const half = LINES_MAX / 2 - 1
  return [
    { name: 'busiest matcher', of: ({ matcherBusiest }) => matcherBusiest },
    { name: 'busiest gateway', of: ({ gatewayBusiest }) => gatewayBusiest },
    ...matchers.slice(0, half).map((_, index) => ({
      name: `matcher ${index}`,
      of: ({ matchersBusy }: Sample) => matchersBusy[index],
    })),
    ...gateways.slice(0, half).map((_, index) => ({
      name: `gateway ${index}`,
      of: ({ gatewaysBusy }: Sample) => gatewaysBusy[index],
    })),
  ]
}

const ringLines = ({ matchers }: Figures): readonly Line[] => [
  { name: 'fullest', of: ({ ringFullest }) => ringFullest },
  ...matchers.slice(0, LINES_MAX - 1).map((_, index) => ({
    name: `to matcher ${index}`,
    of: ({ ringFill }: Sample) => ringFill[index],
  })),
]

/** How far plots go back, and in which zone their times are. */
function SpanBar({ session }: { readonly session: OperatorSession }): JSX.Element {
  const { value: chosen } = session.span
  return (
    <section class="span" aria-label="Span of the plots">
      {SPANS.map(({ name, seconds }) => (
        <button
          key={name}
          type="button"
          class="small"
          aria-pressed={seconds === chosen}
          onClick={() => session.chooseSpan(seconds)}
        >
          {name}
        </button>
      ))}
      <span class="note">
        Times are UTC. {session.hasHistory.value ? '' : 'The exchange keeps no figures.'}
      </span>
    </section>
  )
}

/** What stands as lines on the plots, the newest first. */
function Marks({ marks }: { readonly marks: readonly Mark[] }): JSX.Element {
  return (
    <Panel title="Marks" note="UTC">
      <Scroll label="List of marks">
        {marks.length === 0 && <p class="empty">Nothing happened in this span.</p>}
        <ul class="log">
          {[...marks].reverse().map(({ timeMs, text }, at) => (
            <li key={at}>
              <time class="figure">{momentText(timeMs).slice(0, SECONDS_END)}</time> {text}
            </li>
          ))}
        </ul>
      </Scroll>
    </Panel>
  )
}

function Refusals({ figures, chart }: ChartProps): JSX.Element {
  const { refusals } = figures
  if (refusals.length === 0) return <p class="empty">Nothing was refused.</p>
  const sorted = [...refusals].sort((a, b) => b[1] - a[1])
  return (
    <>
      <SeriesChart
        {...chart}
        title="Refusals a second by code"
        lines={keyLines(refusals, 'refusals')}
        text={RATE}
      />
      <Scroll label="Total refusals" className="codes">
        <table class="rows words-2">
          <tbody>
            {sorted.map(([code, count, message]) => (
              <tr key={code}>
                <td>{code}</td>
                <td class="words">{message}</td>
                <td>{countText(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  )
}
