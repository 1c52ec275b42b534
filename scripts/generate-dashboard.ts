/** The dashboard for Grafana, from its panels: what each shows of the metrics (src/telemetry/metrics.ts). */

type Series = readonly [query: string, legend: string]
interface Panel {
  readonly title: string
  readonly about: string
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

const panel = (title: string, about: string, unit: string, of: readonly Series[]): Panel => ({
  title,
  about,
  unit,
  of,
})

const trading: readonly Panel[] = [
  panel(
    'Orders, trades, events',
    'Accepted, made and journaled, of all symbols.',
    'ops',
    ['orders', 'trades', 'events'].map((it) => [sum(`symbol_${it}_total`), it]),
  ),
  panel('Orders by symbol', '', 'ops', bySymbol('symbol_orders_total')),
  {
    ...panel('Ready', 'Whether orders are accepted.', 'bool_yes_no', [
      [`min(${shown('ready')})`, ''],
    ]),
    isNumber: true,
    width: 4,
  },
  {
    ...panel('Warnings in the log', 'In the range shown.', 'none', [
      [`sum(increase(${named('warnings_total')}[$__range]))`, ''],
    ]),
    isNumber: true,
    width: 4,
  },
  panel('Requests and commands', 'Received by gateways, and sent to matchers.', 'reqps', [
    byGateway('gateway_requests_total', 'requests, '),
    byGateway('gateway_commands_total', 'commands, '),
  ]),
  {
    ...panel('Answers by status', '', 'reqps', [[`${shown('answers_total')} > 0`, '{{status}}']]),
    isStacked: true,
  },
  {
    ...panel('Refusals by code', '', 'reqps', [[top(`${shown('rejects_total')} > 0`), '{{code}}']]),
    isStacked: true,
  },
]

const STAGES = 'order_stage_seconds'
const stages = (name: string, share: number): Panel =>
  panel(`Stages of an order, ${name}`, 'Of one order in 16.', 's', [
    [quantile(share, STAGES, 'le, stage'), '{{stage}}'],
  ])
const latency: readonly Panel[] = [
  stages('median', 0.5),
  stages('p99', 0.99),
  {
    ...panel('Stages of an order, mean', 'Stacked: the whole time from arrival to answer.', 's', [
      [`${sum(`${STAGES}_sum`, 'stage')} / ${sum(`${STAGES}_count`, 'stage')}`, '{{stage}}'],
    ]),
    isStacked: true,
  },
  panel('Flush of a block', 'Appending and flushing one block of the journal.', 's', [
    ...quantiles('flush_seconds'),
    [`max(${shown('matcher_flush_seconds_max')})`, 'longest ever'],
  ]),
  panel('Commands in a batch', '', 'none', [
    ...quantiles('batch_commands'),
    [`${shown('batch_commands_sum')} / ${shown('batch_commands_count')}`, 'mean'],
  ]),
  panel(
    'Event loop delay',
    'How late gateways come round.',
    's',
    quantiles('event_loop_delay_seconds'),
  ),
]

const threads: readonly Panel[] = [
  panel(
    'Matchers, busy',
    'Share of their time awake: executing, flushing, publishing.',
    'percentunit',
    [[`1 - ${shown('matcher_idle_seconds_total')}`, 'matcher {{matcher}}']],
  ),
  panel('Command rings, taken', '', 'percentunit', [
    [
      `${shown('command_ring_slots_taken')} / ${shown('command_ring_slots')}`,
      'gateway {{gateway}} to matcher {{matcher}}',
    ],
  ]),
  panel(
    'Refused as busy (-1008)',
    'Because a ring was full, or too many requests were waiting.',
    'reqps',
    [
      byGateway('gateway_command_ring_full_total', 'ring full, '),
      byGateway('gateway_pending_full_total', 'too many waiting, '),
    ],
  ),
  panel('Requests waiting for a matcher', '', 'none', [byGateway('gateway_pending_requests')]),
  panel('Events waiting in rings', '', 'bytes', [
    byGateway('gateway_event_bytes_waiting'),
    byGateway('gateway_event_bytes_waiting_max', 'most ever, '),
  ]),
  panel('Limits', 'Requests refused by a limit or a ban, and bans.', 'reqps', [
    [sum('gateway_limits_reached_total'), 'refused'],
    [sum('gateway_addresses_banned_total'), 'bans'],
    [sum('gateway_bans_of_weight_total'), 'bans of weight'],
    [sum('gateway_bans_of_raw_requests_total'), 'bans of raw requests'],
    [sum('gateway_bans_of_orders_total'), 'bans of orders'],
  ]),
]

const books: readonly Panel[] = [
  panel('Resting orders', '', 'none', bySymbol('symbol_resting_orders')),
  panel('Price levels', '', 'none', bySymbol('symbol_levels')),
  panel(
    'Orders beside the book',
    'Stops, and pending legs of lists.',
    'none',
    bySymbol('symbol_waiting_orders'),
  ),
]

const streams: readonly Panel[] = [
  panel('Connections and subscriptions', '', 'none', [
    [sum('gateway_connections'), 'WebSockets'],
    [sum('gateway_stream_subscriptions'), 'to market streams'],
    [sum('gateway_user_subscriptions'), "to accounts' streams"],
  ]),
  panel('Frames published', 'Each once, however many read it.', 'ops', [
    byGateway('gateway_stream_messages_total'),
  ]),
  panel(
    'Readers closed',
    'Slow clients, and overruns of a gateway that closed its streams.',
    'ops',
    [
      [sum('gateway_slow_clients_closed_total'), 'slow clients'],
      [sum('gateway_reader_overrun_total'), 'overruns'],
    ],
  ),
]

const aDay = (name: string): string => `${shown(name)} * 86400`
const storage: readonly Panel[] = [
  panel(
    'Blocks behind',
    'What archive and checkpointer have still to read of the journals.',
    'none',
    [
      byMatcher('archive_lag_blocks', 'archive, '),
      byMatcher('checkpointer_lag_blocks', 'checkpointer, '),
    ],
  ),
  panel('Waits for room in a write-ahead log', '', 'ops', [byMatcher('matcher_wal_full_total')]),
  panel('Processors', 'Processors kept busy by the whole process.', 'none', [
    [shown('process_cpu_seconds_total'), 'busy'],
  ]),
  panel('Memory', 'Resident memory counts file pages, which the kernel takes back.', 'bytes', [
    [shown('process_resident_memory_bytes'), 'resident'],
    [shown('shared_bytes'), 'shared, reserved'],
    byGateway('gateway_heap_bytes', 'heap, '),
  ]),
  panel('Open files', '', 'none', [[shown('process_open_fds'), 'open']]),
  panel(
    'Disk',
    'Of the data folder: new orders are refused once no more than the reserve is free.',
    'bytes',
    [
      [shown('disk_free_bytes'), 'free'],
      [shown('disk_reserve_bytes'), 'reserve'],
      [shown('journal_bytes'), 'journals'],
      [aDay('disk_growth_bytes_per_second'), 'growth a day'],
      [aDay('journal_growth_bytes_per_second'), 'journals, growth a day'],
    ],
  ),
]

const wallet: readonly Panel[] = [
  panel('Withdrawals', 'That wait for an operator, and those that are PROCESSING.', 'none', [
    [shown('wallet_withdrawals_waiting'), 'waiting'],
    [shown('wallet_withdrawals_processing'), 'processing'],
  ]),
  panel('The oldest of them', '', 's', [
    [shown('wallet_waiting_seconds'), 'waiting'],
    [shown('wallet_processing_seconds'), 'processing'],
  ]),
  panel('Chains and debts', 'Chains that make no blocks, and assets that are owed.', 'none', [
    [shown('wallet_chains_stopped'), 'chains stopped'],
    [shown('wallet_assets_owed'), 'assets owed'],
  ]),
]

const quorum: readonly Panel[] = [
  panel('Brought to the quorum', 'Blocks and facts of this leader, and their size.', 'none', [
    [shown('quorum_blocks_total'), 'blocks/s'],
    [`${shown('quorum_bytes_total')} / ${shown('quorum_blocks_total')}`, 'bytes a block'],
  ]),
  panel('Without the quorum', 'Orders wait meanwhile.', 's', [
    [shown('quorum_wait_seconds'), 'now'],
    [grown('quorum_lost_seconds_total'), 'of the interval'],
    [grown('quorum_losses_total'), 'losses'],
  ]),
  panel('Followers behind', 'A leader is behind by nothing.', 'none', [
    [shown('follower_lag_positions'), 'blocks'],
    [shown('follower_lag_seconds'), 'seconds'],
  ]),
]

const sandbox: readonly Panel[] = [
  {
    ...panel('Fault rules', 'What matched each rule, and what it touched.', 'none', [
      [shown('fault_matches_total'), '{{rule}} matches/s'],
      [shown('fault_touched_total'), '{{rule}} touched/s'],
    ]),
    width: 16,
  },
  panel('Faults by gateway', 'Requests and frames that rules touched.', 'none', [
    [shown('gateway_faults_touched_total'), '{{gateway}}'],
  ]),
]

const rows: Readonly<Record<string, readonly Panel[]>> = {
  Trading: trading,
  Latency: latency,
  'Threads and rings': threads,
  Books: books,
  Streams: streams,
  'Storage and process': storage,
  Wallet: wallet,
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

function panelOf({ title, about, unit, of, isNumber = false, isStacked = false }: Panel) {
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
