/** A report in a few lines of text. */
import { timeText } from './display.ts'
import type { Latency } from './measure.ts'
import type { LoadReport } from './report.ts'

/** Beyond which the generator's own processor may be what was measured. */
const BUSY_SHARE = 0.9

export function summaryOf(report: LoadReport): string {
  const { requests, latency, service, generator, orders, checks } = report
  const lines = [
    `${report.title}: ${requests.due} requests in ${report.seconds} s, ${requests.perSecond} answers/s`,
    `answered ${requests.answered}, refused ${requests.refused}, by limits ` +
      `${requests.limited}, failed ${requests.failed}, left out ${requests.withheld}`,
    `response time, from when due: ${timesText(latency)}`,
    `service time, from when sent: ${timesText(service)}`,
    `the generator was late, by itself: ${timesText(generator.lateness)}`,
    `and because all connections waited for answers: ${timesText(generator.queued)}`,
    ...warmUpLines(report),
    `orders accepted ${orders.accepted}, trades ${orders.tradesTaken} taken and ` +
      `${orders.tradesMade} made, canceled ${orders.canceled}`,
    ...rampLines(report),
    ...remarks(report),
    ...checks.map(
      ({ check, compared, failed }) =>
        `${failed === 0 ? 'holds' : 'FAILS'}: ${check} (${compared} compared, ${failed} differ)`,
    ),
    ...report.thresholds.map(
      ({ condition, found, isCrossed }) =>
        `${isCrossed ? 'FAILS' : 'holds'}: not ${condition} (${found})`,
    ),
    ...checks.flatMap(({ failures }) => failures.slice(0, 3)).map((failure) => `  ${failure}`),
  ]
  return `${lines.join('\n')}\n`
}

const timesText = ({ p50, p99, p999, max }: Latency): string =>
  `p50 ${timeText(p50)}, p99 ${timeText(p99)}, p99.9 ${timeText(p999)}, max ${timeText(max)}`

function warmUpLines({ warmUp }: LoadReport): readonly string[] {
  const { seconds, requests, latency, lateness } = warmUp
  if (seconds === 0) return []
  return [
    `warm-up, not counted: ${requests} requests in ${seconds} s, p99 ${timeText(latency.p99)}, of which the ` +
      `generator was late p99 ${timeText(lateness.p99)}`,
  ]
}

function rampLines({ settings, held, notHeld }: LoadReport): readonly string[] {
  if (!settings.isRamp) return []
  const broke = notHeld === 0 ? 'no rate was too high' : `${notHeld}/s was not held`
  return [`saturation: ${held === 0 ? 'no rate' : `${held}/s`} was held, ${broke}`]
}

/** What a reader of the numbers must know. */
export function remarks({ limits, orders, generator, requests }: LoadReport): readonly string[] {
  const said: string[] = []
  if (limits.refused + limits.banned > 0) {
    said.push(
      `The target limits this load: ${limits.refused} answers 429, ${limits.banned} answers ` +
        `418 ("${limits.said}").`,
    )
  }
  if (requests.withheld > 0) {
    said.push(`${requests.withheld} arrivals were left out: nothing could be sent for them.`)
  }
  if (orders.leftOpen > 0) said.push(`${orders.leftOpen} orders could not be canceled at the end.`)
  if (generator.busyShare > BUSY_SHARE) {
    said.push(
      `The generator took ${Math.round(100 * generator.busyShare)} % of a processor: it may be ` +
        'what was measured.',
    )
  }
  return said
}
