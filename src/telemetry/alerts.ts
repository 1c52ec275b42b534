/**
 * What an operator is alerted to: one table, from which the rules for Prometheus are generated
 * (scripts/generate-alerts.ts) and which the exchange evaluates itself (alert-evaluator.ts).
 */

/** `page` is for what loses orders now, `warn` for what will. */
export type Severity = 'page' | 'warn'
export const severities: readonly Severity[] = ['page', 'warn']

/** A condition on one series at a time, or on the sum of all series of these metrics. */
export interface Condition {
  /** Names of metrics, without their prefix; several are summed up. */
  readonly of: readonly string[]
  /** What is compared: the value, its growth a second or in all over a span, or a quantile over one. */
  readonly as: 'value' | 'rate' | 'increase' | 'p99'
  readonly spanSeconds: number
  readonly isSum: boolean
  readonly is: '>' | '<' | '=='
  readonly than: number
}

export interface AlertRow {
  readonly name: string
  readonly severity: Severity
  /** It holds when any of them does. */
  readonly when: readonly Condition[]
  /** How long it must hold before an alert is sent. */
  readonly forSeconds: number
  /**
   * A sentence. {value}, {count}, {duration} and {share} stand for the value, another word in braces for a label of the
   * series.
   */
  readonly text: string
  /** What to do, in Markdown. */
  readonly remedy: string
  /** Known to an observer of all members alone, so that no member evaluates it. */
  readonly isOutside?: true
}

const value = (of: string, is: Condition['is'], than: number): Condition => ({
  of: [of],
  as: 'value',
  spanSeconds: 0,
  isSum: false,
  is,
  than,
})
const over = (
  as: Condition['as'],
  spanSeconds: number,
  of: string,
  is: Condition['is'],
  than: number,
): Condition => ({ of: [of], as, spanSeconds, isSum: false, is, than })
const sum = (
  as: Condition['as'],
  spanSeconds: number,
  of: readonly string[],
  is: Condition['is'],
  than: number,
): Condition => ({ of, as, spanSeconds, isSum: true, is, than })

const MINUTE = 60
const DAY = 86_400

export const alerts: readonly AlertRow[] = [
  {
    name: 'RingbookDown',
    severity: 'page',
    forSeconds: 15,
    isOutside: true,
    when: [value('up{job="ringbook"}', '==', 0)],
    text: 'Ringbook does not answer its admin server.',
    remedy: 'start it; read the last lines of its log',
  },
  {
    name: 'RingbookNotReady',
    severity: 'page',
    forSeconds: MINUTE,
    when: [value('ready', '==', 0)],
    text: 'Ringbook runs, but accepts no orders.',
    remedy: 'ask `/readyz` for the reason',
  },
  {
    name: 'RingbookDegraded',
    severity: 'warn',
    forSeconds: 5 * MINUTE,
    when: [value('degraded', '>', 0)],
    text: 'Ringbook accepts orders, but archive or snapshots are not what they should be; see /readyz.',
    remedy: 'ask `/readyz` for the part: [what fails alone](what-fails-alone.md)',
  },
  {
    name: 'RingbookWithoutLeader',
    severity: 'page',
    forSeconds: 30,
    isOutside: true,
    when: [sum('value', 0, ['leading'], '==', 0)],
    text: 'No member leads, so orders are refused.',
    remedy: '[take over](past-one-machine.md#taking-over)',
  },
  {
    name: 'RingbookFollowerBehind',
    severity: 'page',
    forSeconds: MINUTE,
    when: [value('follower_lag_seconds', '>', 10)],
    text: 'A follower shows what was {duration} ago.',
    remedy: 'look at its disk, its processor and the network',
  },
  {
    name: 'RingbookFollowerSlow',
    severity: 'warn',
    forSeconds: 15,
    when: [value('follower_lag_seconds', '>', 5)],
    text: 'A follower is {duration} behind its leader.',
    remedy: 'likewise',
  },
  {
    name: 'RingbookCallWaits',
    severity: 'page',
    forSeconds: 0,
    when: [value('symbol_waits_for_operator', '>', 0)],
    text: 'The call of {symbol} lasts until an operator resumes it.',
    remedy: '[resume the symbol](phases.md#a-call-that-waits-for-an-operator)',
  },
  {
    name: 'RingbookWithdrawalWaits',
    severity: 'warn',
    forSeconds: 0,
    when: [value('wallet_waiting_seconds', '>', 3_600)],
    text: 'A withdrawal has waited for an operator for {duration}.',
    remedy: '[decide it](wallet.md#withdrawals)',
  },
  {
    name: 'RingbookWithdrawalSlow',
    severity: 'warn',
    forSeconds: 0,
    when: [value('wallet_processing_seconds', '>', 7_200)],
    text: 'A withdrawal has been PROCESSING for {duration}.',
    remedy: 'look at its chain: `npx ringbook withdrawals`, `npx ringbook chains`',
  },
  {
    name: 'RingbookFundsOwed',
    severity: 'warn',
    forSeconds: 0,
    when: [value('wallet_assets_owed', '>', 0)],
    text: 'Accounts owe deposits that were taken back, in {count} assets.',
    remedy: '[see which](wallet.md#proof-of-funds)',
  },
  {
    name: 'RingbookChainStopped',
    severity: 'warn',
    forSeconds: 5 * MINUTE,
    when: [value('wallet_chains_stopped', '>', 0)],
    text: '{count} chains make no blocks.',
    remedy: '`npx ringbook chains`, then [resume](wallet.md#a-chain-that-fails)',
  },
  {
    name: 'RingbookGatewayStuck',
    severity: 'page',
    forSeconds: MINUTE,
    when: [over('rate', MINUTE, 'event_loop_delay_seconds_count', '==', 0)],
    text: 'No gateway has come round its event loop for a minute.',
    remedy: 'look at the processors; a thread stands still',
  },
  {
    name: 'RingbookReaderHeld',
    severity: 'warn',
    forSeconds: MINUTE,
    when: [value('store_reader_age_ms', '>', 60_000)],
    text: 'A reader of {store} holds an old state, so its file grows.',
    remedy: 'end the query or the backup that holds it',
  },
  {
    name: 'RingbookDiskReserve',
    severity: 'page',
    forSeconds: 0,
    when: [value('disk_refuses_orders', '==', 1)],
    text: 'New orders are refused, because only the reserve of the disk is left.',
    remedy: '[make room](guides/disk-full.md#what-to-do)',
  },
  {
    name: 'RingbookDiskLow',
    severity: 'warn',
    forSeconds: MINUTE,
    when: [value('disk_level', '>', 0), value('disk_seconds_left', '<', DAY)],
    text: "Little of the data folder's disk is free, or it fills within a day.",
    remedy: '[make room](guides/disk-full.md#what-to-do)',
  },
  {
    name: 'RingbookJournalGrowth',
    severity: 'warn',
    forSeconds: 0,
    when: [value('journal_alarm', '==', 1)],
    text: 'The journals alone would fill the disk within three days; nothing prunes them.',
    remedy: '[prune journals](recovery-and-audit.md#old-journals)',
  },
  {
    name: 'RingbookBackupOld',
    severity: 'warn',
    forSeconds: 0,
    when: [value('backup_age_seconds', '>', 7 * DAY)],
    text: 'The newest backup is {duration} old.',
    remedy: '[make one](backup.md)',
  },
  {
    name: 'RingbookCertificateEnds',
    severity: 'warn',
    forSeconds: 0,
    when: [value('certificate_seconds_left', '<', 14 * DAY)],
    text: 'The TLS certificate ends in {duration}.',
    remedy: 'renew it, then [reload](deploy.md#tls)',
  },
  {
    name: 'RingbookOverloaded',
    severity: 'page',
    forSeconds: MINUTE,
    when: [
      sum(
        'rate',
        MINUTE,
        ['gateway_command_ring_full_total', 'gateway_pending_full_total'],
        '>',
        0,
      ),
    ],
    text: 'Requests are answered busy (-1008), {count} a second.',
    remedy: '[tune](tune.md), or [limit](guides/limits.md) clients',
  },
  {
    name: 'RingbookMatcherSaturated',
    severity: 'warn',
    forSeconds: 5 * MINUTE,
    when: [over('rate', MINUTE, 'matcher_idle_seconds_total', '<', 0.1)],
    text: 'Matcher {matcher} sleeps only {share} of its time.',
    remedy: '[add a matcher](tune.md#how-many-matchers)',
  },
  {
    name: 'RingbookFlushSlow',
    severity: 'warn',
    forSeconds: 5 * MINUTE,
    when: [over('p99', 5 * MINUTE, 'flush_seconds', '>', 0.05)],
    text: 'One flush of the journal in a hundred takes {duration}.',
    remedy: 'give the data folder a disk of its own',
  },
  {
    name: 'RingbookOrdersSlow',
    severity: 'warn',
    forSeconds: 5 * MINUTE,
    when: [over('p99', 5 * MINUTE, 'order_seconds', '>', 1)],
    text: 'One order in a hundred takes {duration}.',
    remedy: 'see which stage takes it, then [tune](tune.md)',
  },
  {
    name: 'RingbookWriteAheadLogFull',
    severity: 'warn',
    forSeconds: 0,
    when: [over('increase', 5 * MINUTE, 'matcher_wal_full_total', '>', 0)],
    text: 'Matcher {matcher} waited for the checkpointer; the disk does not keep up.',
    remedy: 'give the data folder a faster disk',
  },
  {
    name: 'RingbookArchiveBehind',
    severity: 'warn',
    forSeconds: 5 * MINUTE,
    when: [value('archive_lag_blocks', '>', 10_000)],
    text: 'The archive is {count} blocks behind matcher {matcher}.',
    remedy: 'give it processor time: [background threads](tune.md#background-threads)',
  },
  {
    name: 'RingbookReaderOverrun',
    severity: 'warn',
    forSeconds: 0,
    when: [over('increase', 5 * MINUTE, 'gateway_reader_overrun_total', '>', 0)],
    text: 'Gateway {gateway} missed events and closed its streams.',
    remedy: 'give the gateway a processor; a larger `--event-ring-bytes`',
  },
  {
    name: 'RingbookAnswersLate',
    severity: 'page',
    forSeconds: 0,
    when: [sum('increase', 5 * MINUTE, ['gateway_pending_timeouts_total'], '>', 0)],
    text: 'Requests were answered -1007, because no matcher answered them in time.',
    remedy: 'look at the disk and the processors',
  },
  {
    name: 'RingbookSlowReaders',
    severity: 'warn',
    forSeconds: 0,
    when: [sum('increase', 5 * MINUTE, ['gateway_slow_clients_closed_total'], '>', 10)],
    text: '{count} clients were closed because they read too slowly.',
    remedy: '[slow clients](guides/slow-clients.md)',
  },
  {
    name: 'RingbookWarnings',
    severity: 'warn',
    forSeconds: 0,
    when: [over('increase', 5 * MINUTE, 'warnings_total', '>', 0)],
    text: 'The log has new warnings.',
    remedy: '`npx ringbook warnings`',
  },
  {
    name: 'RingbookAlertsLost',
    severity: 'page',
    forSeconds: 0,
    when: [over('increase', 5 * MINUTE, 'alert_failures_total', '>', 0)],
    text: 'Alerts of the exchange itself did not arrive.',
    remedy: 'look at the receiver, and at the [file of alerts](#without-prometheus)',
    isOutside: true,
  },
  {
    name: 'RingbookQuorumSilent',
    severity: 'page',
    forSeconds: 0,
    when: [value('quorum_wait_seconds', '>', 2)],
    text: 'The quorum has not answered for {duration}.',
    remedy: 'look at PostgreSQL: [three machines](three-machines.md)',
  },
  {
    name: 'RingbookQueriesBusy',
    severity: 'warn',
    forSeconds: MINUTE,
    when: [
      sum(
        ...(['rate', MINUTE] as const),
        [
          'gateway_queries_full_total',
          'gateway_inquiries_full_total',
          'matcher_answers_without_room_total',
        ],
        ...(['>', 0] as const),
      ),
    ],
    text: 'Queries are answered busy (-1008), {count} a second.',
    remedy: 'look for clients that poll; [limit](guides/limits.md) them',
  },
  {
    name: 'RingbookClockBehind',
    severity: 'page',
    forSeconds: 0,
    when: [value('matcher_clock_lag_ms', '>', 1_000)],
    text: "The clock is {value} ms behind the journal's last time.",
    remedy: 'correct the clock: [clocks](recovery-and-audit.md#clocks)',
  },
  {
    name: 'RingbookMemoryShort',
    severity: 'page',
    forSeconds: 10,
    when: [value('gateway_memory_level', '>', 0)],
    text: 'Gateway {gateway} is short of memory and refuses what is new.',
    remedy: 'more memory, or lower `--unread-mb`',
  },
  {
    name: 'RingbookMemoryShed',
    severity: 'page',
    forSeconds: 0,
    when: [over('increase', 5 * MINUTE, 'gateway_memory_shed_total', '>', 0)],
    text: 'Gateway {gateway} closed connections under memory pressure.',
    remedy: 'more memory, or lower `--unread-mb`',
  },
  {
    name: 'RingbookStrangersRefused',
    severity: 'warn',
    forSeconds: 5 * MINUTE,
    when: [
      sum(
        ...(['increase', 5 * MINUTE] as const),
        [
          'gateway_sockets_refused_total',
          'gateway_addresses_shut_out_total',
          'gateway_signatures_unchecked_total',
          'gateway_unread_refused_total',
          'gateway_names_refused_total',
        ],
        ...(['>', 0] as const),
      ),
    ],
    text: 'Clients met the bounds on strangers {count} times in five minutes.',
    remedy: 'look who connects: `npx ringbook sessions`',
  },
]
