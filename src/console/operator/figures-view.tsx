/** Everything that is measured: key figures, plots over time, and tables by symbol, code and thread. */
import type { ComponentChildren, JSX } from 'preact'
import { Scroll } from '../toolkit/scroll.tsx'
import { SymbolTable } from './by-symbol.tsx'
import { Clock } from './clock.tsx'
import { Faults } from './faults.tsx'
import type { Sample } from './figure-history.ts'
import { quantile } from './figure-history.ts'
import { type Figures, mostOf, sumOf, sumOfSymbols } from './figures.ts'
import { HeatMap } from './heat-map.tsx'
import type { OperatorSession } from './operator-session.ts'
import { Schedules } from './schedules.tsx'
import { LINES_MAX, type Line, SeriesChart } from './series-chart.tsx'
import { Snapshots } from './snapshots.tsx'
import { States } from './states.tsx'
import { bytesText, countText, durationText, shareText, timeText, uptimeText } from './texts.ts'

const RATE = (value: number): string => `${countText(value)}/s`

const orderLines: readonly Line[] = [
  { name: 'orders', of: ({ orders }) => orders },
  { name: 'trades', of: ({ trades }) => trades },
  { name: 'requests', of: ({ requests }) => requests },
]
const flushLines: readonly Line[] = [
  ['p50', 0.5],
  ['p99', 0.99],
  ['max', 1],
].map(([name, share]) => ({ name: String(name), of: (it) => flushTime(it, Number(share)) }))
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

const flushTime = ({ histograms }: Sample, share: number): number | undefined => {
  const flushes = histograms.get('flush')
  return flushes === undefined ? undefined : quantile(flushes, share)
}

interface ViewProps {
  readonly session: OperatorSession
  readonly figures: Figures
}

export function FiguresView({ session, figures }: ViewProps): JSX.Element {
  const { value: samples } = session.samples
  const chart = { samples }
  return (
    <Scroll label="Figures" className="board">
      <KeyFigures figures={figures} sample={samples.at(-1)} />
      <Panel title="Orders and trades">
        <SeriesChart {...chart} title="A second" lines={orderLines} text={RATE} />
      </Panel>
      <Panel title="Responses by status">
        <SeriesChart
          {...chart}
          title="Responses a second by status"
          lines={keyLines(figures.answers, 'answers')}
          text={RATE}
        />
      </Panel>
      <Panel title="Latency of orders by stage" className="large">
        {figures.isTimed ? (
          <HeatMap samples={samples} />
        ) : (
          <p class="empty">No order is timed: metrics are off (--metrics).</p>
        )}
      </Panel>
      <Panel title="Refusals by code">
        <Refusals figures={figures} samples={samples} />
      </Panel>
      <Panel title="Flushes">
        <SeriesChart {...chart} title="Time of a flush" lines={flushLines} text={durationText} />
      </Panel>
      <SymbolTable figures={figures} samples={samples} />
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
      <Schedules figures={figures} />
      <States session={session} figures={figures} />
      <Clock session={session} figures={figures} />
      <Faults session={session} figures={figures} />
      <Snapshots figures={figures} />
    </Scroll>
  )
}

interface PanelProps {
  readonly title: string
  readonly className?: string
  readonly children: ComponentChildren
}

const Panel = ({ title, className = '', children }: PanelProps): JSX.Element => (
  <section class={`panel ${className}`} aria-label={title}>
    <header class="panel-head">
      <h2>{title}</h2>
    </header>
    {children}
  </section>
)

interface KeyProps {
  readonly figures: Figures
  readonly sample: Sample | undefined
}

type Tile = readonly [id: string, name: string, value: string]

function KeyFigures({ figures, sample }: KeyProps): JSX.Element {
  const { gateways, matchers, process: memory } = figures
  const rate = (of: (it: Sample) => number) => (sample === undefined ? '–' : RATE(of(sample)))
  const open = sumOfSymbols(figures, 'restingOrders') + sumOfSymbols(figures, 'waitingOrders')
  const cells: readonly Tile[] = [
    ['orders', 'Orders', rate((it) => it.orders)],
    ['trades', 'Trades', rate((it) => it.trades)],
    ['requests', 'Requests', rate((it) => it.requests)],
    ['accepted', 'Total orders', countText(sumOfSymbols(figures, 'orders'))],
    ['open', 'Open orders', countText(open)],
    ['connections', 'Connections', countText(sumOf(gateways, 'connections'))],
    ['slow', 'Slow clients disconnected', countText(sumOf(gateways, 'slowClientsClosed'))],
    ['flush', 'Slowest flush', durationText(mostOf(matchers, 'flushNsMax'))],
    ['memory', 'Resident memory', bytesText(memory.residentBytes)],
    ['shared', 'Shared memory', bytesText(memory.sharedBytes)],
    ['stores', 'Stores', storesText(figures)],
    ['reader', 'Oldest reader', uptimeText(mostOf(figures.stores, 'readerAgeMs') / 1_000)],
    ['disk', `Disk free, ${freeShareText(figures)}`, bytesText(figures.disk.freeBytes)],
    ['disk-left', `Reserve reached in${growthText(figures)}`, leftText(figures)],
    ['pressure', 'Memory pressure', pressureText(mostOf(gateways, 'memoryLevel'))],
    ['up', 'Up for', uptimeText(Math.floor(figures.uptimeSeconds))],
    ['time', 'Time', `${timeText(figures.timeMs / 1_000)} UTC`],
    ...quorumTiles(figures),
  ]
  return (
    <dl class="tiles">
      {cells.map(([id, name, value]) => (
        <div key={id}>
          <dt>{name}</dt>
          <dd id={`figure-${id}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function quorumTiles({ quorum }: Figures): readonly Tile[] {
  if (quorum === undefined) return []
  const { blocks, bytes, losses, lostMs } = quorum
  return [
    ['quorum', 'Blocks on the quorum', countText(blocks)],
    ['quorum-bytes', 'Bytes on the quorum', bytesText(bytes)],
    ['quorum-lost', 'Quorum lost', `${countText(losses)} ×, ${uptimeText(lostMs / 1_000)}`],
  ]
}

const storesText = ({ stores }: Figures): string => bytesText(sumOf(stores, 'fileBytes'))

const freeShareText = ({ disk: { freeBytes, totalBytes } }: Figures): string =>
  shareText(freeBytes / Math.max(1, totalBytes))

/** The growth of the last day; '' before it is known. */
const growthText = ({ disk: { bytesAnHour } }: Figures): string =>
  bytesAnHour <= 0 ? '' : `, at +${bytesText(bytesAnHour)}/h`

/** At the growth of the last day. */
function leftText({ disk: { freeBytes, reserveBytes, bytesAnHour } }: Figures): string {
  if (bytesAnHour <= 0) return '–'
  const hours = Math.max(0, freeBytes - reserveBytes) / bytesAnHour
  return hours < 48 ? `${countText(hours)} h` : `${countText(hours / 24)} d`
}

const pressureText = (level: number): string =>
  ['none', 'no new connections', 'connections are closed'][level] ?? 'the gateway ends'

type Counted = readonly (readonly [key: number, count: number, ...rest: unknown[]])[]

/** The keys that were counted most. */
function keyLines(counted: Counted, of: 'answers' | 'refusals'): readonly Line[] {
  const most = [...counted].sort((a, b) => b[1] - a[1]).slice(0, LINES_MAX)
  const keys = most.map(([key]) => String(key)).sort()
  return keys.map((name) => ({ name, of: (sample) => sample[of].get(name) ?? 0 }))
}

function busyLines({ matchers, gateways }: Figures): readonly Line[] {
  const half = LINES_MAX / 2
  return [
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

const ringLines = ({ matchers }: Figures): readonly Line[] =>
  matchers.slice(0, LINES_MAX).map((_, index) => ({
    name: `to matcher ${index}`,
    of: ({ ringFill }: Sample) => ringFill[index],
  }))

function Refusals({ figures, samples }: { figures: Figures; samples: readonly Sample[] }) {
  const { refusals } = figures
  if (refusals.length === 0) return <p class="empty">Nothing was refused.</p>
  const sorted = [...refusals].sort((a, b) => b[1] - a[1])
  return (
    <>
      <SeriesChart
        samples={samples}
        title="Refusals a second by code"
        lines={keyLines(refusals, 'refusals')}
        text={RATE}
      />
      <Scroll label="Total refusals" className="codes">
        <table class="rows">
          <tbody>
            {sorted.map(([code, count, message]) => (
              <tr key={code}>
                <td class="figure">{code}</td>
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
