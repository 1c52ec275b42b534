/** Evaluates the alerts every few seconds, on the main thread, and sends those that begin and end. */
import { elapsedMs, type Time } from '../../base/time.ts'
import { ExchangeCounter, ExchangeCounters } from '../../shared/counters.ts'
import { AlertEvaluator } from '../../telemetry/alert-evaluator.ts'
import { alerts } from '../../telemetry/alerts.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { AlertTargets } from './alert-file.ts'
import { AlertSender } from './alert-sender.ts'

const EVERY_MS = 5_000

interface AlertWatchParts {
  /** Targets in force. */
  readonly targets: () => AlertTargets
  readonly metrics: Pick<Metrics, 'samplesOf'>
  readonly counters: SharedArrayBuffer
  /** The machine's time. */
  readonly time: Time
  readonly log: ConstructorParameters<typeof AlertSender>[1]['log']
  readonly member: string
}

export function watchAlerts(parts: AlertWatchParts): { stop(): void } {
  const { targets, metrics, time, log, member } = parts
  const counters = new ExchangeCounters(parts.counters)
  const counts = {
    sent: () => counters.add(ExchangeCounter.alertsSent, 1),
    failed: () => counters.add(ExchangeCounter.alertFailures, 1),
  }
  const sender = new AlertSender(targets, { time, log, member, counts })
  const evaluator = new AlertEvaluator(
    alerts,
    (families) => metrics.samplesOf(families),
    (change) => sender.send(change),
  )
  const timer = time.every(EVERY_MS, () => evaluator.look(elapsedMs(time)))
  return {
    stop: () => {
      timer.cancel()
      sender.stop()
    },
  }
}
