/** The dashboard for Grafana, from its panels: what each shows of the metrics (src/telemetry/metrics.ts). */

type Series = readonly [query: string, legend: string]
interface Panel {
  readonly title: string
  readonly about?: string
  readonly unit: string
  readonly of: readonly Series[]
  /** The last value as a number, instead of a plot. */
  readonly isNumber?: boolean
  readonly isStacked?: boolean
  readonly width?: number
}

const WIDTH = 24
const HEIGHT = 8
const INTERVAL = '[$__rate_interval]'
const DATASOURCE = { type: 'prometheus', uid: '$' + '{datasource}' }

const named = (name: string): string =>
  name.startsWith('process_') ? `${name}{job="ringbook"}` : `ringbook_${name}`
/** A counter is shown by its rate, a gauge by its value. */
const shown = (name: string): string =>
  /_(total|bucket|sum|count)$/.test(name) ? `rate(${named(name)}${INTERVAL})` : named(name)
const sum = (name: string, label = ''): string =>
  label === '' ? `sum(${shown(name)})` : `sum by (${label}) (${shown(name)})`
const top = (query: string): string => `topk(10, ${query})`
const grown = (name: string): string => `increase(${named(name)}${INTERVAL})`
const quantile = (share: number, name: string, labels = 'le'): string =>
  `histogram_quantile(${share}, ${sum(`${name}_bucket`, labels)})`
const quantiles = (name: string): readonly Series[] => [
  [quantile(0.5, name), 'p50'],
  [quantile(0.99, name), 'p99'],
]
const bySymbol = (name: string): readonly Series[] => [[top(shown(name)), '{{symbol}}']]
const byMatcher = (name: string, what = ''): Series => [shown(name), `${what}matcher {{matcher}}`]
const byGateway = (name: string, what = ''): Series => [
  /_total$/.test(name) ? sum(name, 'gateway') : shown(name),
  `${what}gateway {{gateway}}`,
]

const trading: readonly Panel[] = [
  {
    title: 'Orders, trades, events',
    about: 'Accepted, made and journaled, of all symbols.',
    unit: 'ops',
    of: ['orders', 'trades', 'events'].map((it) => [sum(`symbol_${it}_total`), it]),
  },
  { title: 'Orders by symbol', unit: 'ops', of: bySymbol('symbol_orders_total') },
  {
    title: 'Ready',
    about: 'Whether orders are accepted.',
    unit: 'bool_yes_no',
    of: [[`min(${shown('ready')})`, '']],
    isNumber: true,
    width: 4,
  },
  {
    title: 'Warnings in the log',
    about: 'In the range shown.',
    unit: 'none',
    of: [[`sum(increase(${named('warnings_total')}[$__range]))`, '']],
    isNumber: true,
    width: 4,
  },
  {
    title: 'Requests and commands',
    about: 'Received by gateways, and sent to matchers.',
    unit: 'reqps',
    of: [
      byGateway('gateway_requests_total', 'requests, '),
      byGateway('gateway_commands_total', 'commands, '),
    ],
  },
  {
    title: 'Answers by status',
    unit: 'reqps',
    of: [[`${shown('answers_total')} > 0`, '{{status}}']],
    isStacked: true,
  },
  {
    title: 'Refusals by code',
    unit: 'reqps',
    of: [[top(`${shown('rejects_total')} > 0`), '{{code}}']],
    isStacked: true,
  },
]

const STAGES = 'order_stage_seconds'
const stages = (name: string, share: number): Panel => ({
  title: `Stages of an order, ${name}`,
  about: 'Of one order in 16.',
  unit: 's',
  of: [[quantile(share, STAGES, 'le, stage'), '{{stage}}']],
})
const latency: readonly Panel[] = [
  stages('median', 0.5),
  stages('p99', 0.99),
  {
    title: 'Stages of an order, mean',
    about: 'Stacked: the whole time from arrival to answer.',
    unit: 's',
    of: [[`${sum(`${STAGES}_sum`, 'stage')} / ${sum(`${STAGES}_count`, 'stage')}`, '{{stage}}']],
    isStacked: true,
  },
  {
    title: 'Flush of a block',
    about: 'Appending and flushing one block of the journal.',
    unit: 's',
    of: [
      ...quantiles('flush_seconds'),
      [`max(${shown('matcher_flush_seconds_max')})`, 'longest ever'],
    ],
  },
  {
    title: 'Commands in a batch',
    unit: 'none',
    of: [
      ...quantiles('batch_commands'),
      [`${shown('batch_commands_sum')} / ${shown('batch_commands_count')}`, 'mean'],
    ],
  },
  {
    title: 'Event loop delay',
    about: 'How late gateways come round.',
    unit: 's',
    of: quantiles('event_loop_delay_seconds'),
  },
]

const threads: readonly Panel[] = [
  {
    title: 'Matchers, busy',
    about: 'Share of their time awake: executing, flushing, publishing.',
    unit: 'percentunit',
    of: [[`1 - ${shown('matcher_idle_seconds_total')}`, 'matcher {{matcher}}']],
  },
  {
    title: 'Command rings, taken',
    unit: 'percentunit',
    of: [
      [
        `${shown('command_ring_slots_taken')} / ${shown('command_ring_slots')}`,
        'gateway {{gateway}} to matcher {{matcher}}',
      ],
    ],
  },
  {
    title: 'Refused as busy (-1008)',
    about: 'Because a ring was full, or too many requests were waiting.',
    unit: 'reqps',
    of: [
      byGateway('gateway_command_ring_full_total', 'ring full, '),
      byGateway('gateway_pending_full_total', 'too many waiting, '),
    ],
  },
  {
    title: 'Requests waiting for a matcher',
    unit: 'none',
    of: [byGateway('gateway_pending_requests')],
  },
  {
    title: 'Events waiting in rings',
    unit: 'bytes',
    of: [
      byGateway('gateway_event_bytes_waiting'),
      byGateway('gateway_event_bytes_waiting_max', 'most ever, '),
    ],
  },
  {
    title: 'Limits',
    about: 'Requests refused by a limit or a ban, and bans.',
    unit: 'reqps',
    of: [
      [sum('gateway_limits_reached_total'), 'refused'],
      [sum('gateway_addresses_banned_total'), 'bans'],
      [sum('gateway_bans_of_weight_total'), 'bans of weight'],
      [sum('gateway_bans_of_raw_requests_total'), 'bans of raw requests'],
      [sum('gateway_bans_of_orders_total'), 'bans of orders'],
    ],
  },
]

const books: readonly Panel[] = [
  { title: 'Resting orders', unit: 'none', of: bySymbol('symbol_resting_orders') },
  { title: 'Price levels', unit: 'none', of: bySymbol('symbol_levels') },
  {
    title: 'Orders beside the book',
    about: 'Stops, and pending legs of lists.',
    unit: 'none',
    of: bySymbol('symbol_waiting_orders'),
  },
]

const streams: readonly Panel[] = [
  {
    title: 'Connections and subscriptions',
    unit: 'none',
    of: [
      [sum('gateway_connections'), 'WebSockets'],
      [sum('gateway_stream_subscriptions'), 'to market streams'],
      [sum('gateway_user_subscriptions'), "to accounts' streams"],
    ],
  },
  {
    title: 'Frames published',
    about: 'Each once, however many read it.',
    unit: 'ops',
    of: [byGateway('gateway_stream_messages_total')],
  },
  {
    title: 'Readers closed',
    about: 'Slow clients, and overruns of a gateway that closed its streams.',
    unit: 'ops',
    of: [
      [sum('gateway_slow_clients_closed_total'), 'slow clients'],
      [sum('gateway_reader_overrun_total'), 'overruns'],
    ],
  },
]

const aDay = (name: string): string => `${shown(name)} * 86400`
const storage: readonly Panel[] = [
  {
    title: 'Blocks behind',
    about: 'What archive and checkpointer have still to read of the journals.',
    unit: 'none',
    of: [
      byMatcher('archive_lag_blocks', 'archive, '),
      byMatcher('checkpointer_lag_blocks', 'checkpointer, '),
    ],
  },
  {
    title: 'Waits for room in a write-ahead log',
    unit: 'ops',
    of: [byMatcher('matcher_wal_full_total')],
  },
  {
    title: 'Processors',
    about: 'Processors kept busy by the whole process.',
    unit: 'none',
    of: [[shown('process_cpu_seconds_total'), 'busy']],
  },
  {
    title: 'Memory',
    about: 'Resident memory counts file pages, which the kernel takes back.',
    unit: 'bytes',
    of: [
      [shown('process_resident_memory_bytes'), 'resident'],
      [shown('shared_bytes'), 'shared, reserved'],
      byGateway('gateway_heap_bytes', 'heap, '),
    ],
  },
  { title: 'Open files', unit: 'none', of: [[shown('process_open_fds'), 'open']] },
  {
    title: 'Disk',
    about: 'Of the data folder: new orders are refused once no more than the reserve is free.',
    unit: 'bytes',
    of: [
      [shown('disk_free_bytes'), 'free'],
      [shown('disk_reserve_bytes'), 'reserve'],
      [shown('journal_bytes'), 'journals'],
      [aDay('disk_growth_bytes_per_second'), 'growth a day'],
      [aDay('journal_growth_bytes_per_second'), 'journals, growth a day'],
    ],
  },
]

const quorum: readonly Panel[] = [
  {
    title: 'Brought to the quorum',
    about: 'Blocks and facts of this leader, and their size.',
    unit: 'none',
    of: [
      [shown('quorum_blocks_total'), 'blocks/s'],
      [`${shown('quorum_bytes_total')} / ${shown('quorum_blocks_total')}`, 'bytes a block'],
    ],
  },
  {
    title: 'Without the quorum',
    about: 'Orders wait meanwhile.',
    unit: 's',
    of: [
      [shown('quorum_wait_seconds'), 'now'],
      [grown('quorum_lost_seconds_total'), 'of the interval'],
      [grown('quorum_losses_total'), 'losses'],
    ],
  },
  {
    title: 'Followers behind',
    about: 'A leader is behind by nothing.',
    unit: 'none',
    of: [
      [shown('follower_lag_positions'), 'blocks'],
      [shown('follower_lag_seconds'), 'seconds'],
    ],
  },
]

const sandbox: readonly Panel[] = [
  {
    title: 'Fault rules',
    about: 'What matched each rule, and what it touched.',
    unit: 'none',
    of: [
      [shown('fault_matches_total'), '{{rule}} matches/s'],
      [shown('fault_touched_total'), '{{rule}} touched/s'],
    ],
    width: 16,
  },
  {
    title: 'Faults by gateway',
    about: 'Requests and frames that rules touched.',
    unit: 'none',
    of: [[shown('gateway_faults_touched_total'), '{{gateway}}']],
  },
]

const rows: Readonly<Record<string, readonly Panel[]>> = {
  Trading: trading,
  Latency: latency,
  'Threads and rings': threads,
  Books: books,
  Streams: streams,
  'Storage and process': storage,
  Quorum: quorum,
  Sandbox: sandbox,
}

const lines = (isStacked: boolean) => ({
  custom: {
    drawStyle: 'line',
    lineWidth: 1,
    fillOpacity: 10,
    showPoints: 'never',
    ...(isStacked && { stacking: { mode: 'normal', group: 'A' } }),
  },
})

function panelOf({ title, about = '', unit, of, isNumber = false, isStacked = false }: Panel) {
  return {
    type: isNumber ? 'stat' : 'timeseries',
    title,
    description: about,
    datasource: DATASOURCE,
    fieldConfig: {
      defaults: { unit, min: 0, ...(!isNumber && lines(isStacked)) },
      overrides: [],
    },
    options: isNumber
      ? { reduceOptions: { calcs: ['lastNotNull'] } }
      : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: of.map(([expr, legendFormat], index) => ({
      refId: 'ABCDE'[index],
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
  }
}

/** Panels from left to right, below each other where a line is full; each row begins with its title. */
function placedPanels(): readonly object[] {
  const panels: object[] = []
  let [x, y, lineHeight] = [0, 0, 0]
  const place = (w: number, h: number, panel: object) => {
    if (x + w > WIDTH) [x, y] = [0, y + lineHeight]
    panels.push({ id: panels.length + 1, ...panel, gridPos: { h, w, x, y } })
    x += w
    lineHeight = h
  }
  for (const [title, own] of Object.entries(rows)) {
    place(WIDTH, 1, { type: 'row', title, collapsed: false, panels: [] })
    for (const panel of own) place(panel.width ?? WIDTH / 3, HEIGHT, panelOf(panel))
  }
  return panels
}

export function dashboard(): string {
  const variable = { name: 'datasource', type: 'datasource', query: 'prometheus' }
  const whole = {
    title: 'Ringbook',
    uid: 'ringbook',
    schemaVersion: 39,
    version: 1,
    editable: true,
    tags: ['ringbook'],
    timezone: '',
    refresh: '5s',
    time: { from: 'now-30m', to: 'now' },
    templating: { list: [{ ...variable, label: 'Data source', current: {} }] },
    annotations: { list: [] },
    panels: placedPanels(),
  }
  return `${JSON.stringify(whole, undefined, 2)}\n`
}
