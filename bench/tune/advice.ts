/** Which combination of gateways and matchers to use on a host, and why, by what was measured on it. */
import type { HostFigures } from './host.ts'
import { nameOf, type Trial } from './trials.ts'

export interface Advice {
  readonly chosen: Trial
  /** Sentences, the most important first. */
  readonly reasons: readonly string[]
}

/** What is not better by more than this is not worth another thread: loads differ as much by chance. */
const NOISE = 0.05
/** A matcher with so much more to give than comes is not what keeps orders waiting. */
const AMPLE = 3

/** `trials` holds at least one. */
export function advise(host: HostFigures, trials: readonly Trial[]): Advice {
  const fastest = trials.reduce((best, trial) => (trial.rate > best.rate ? trial : best))
  const near = trials.filter(({ rate }) => rate >= fastest.rate * (1 - NOISE))
  const chosen = near.reduce((best, trial) => (isLess(trial, best) ? trial : best))
  const reasons = [
    ...doubts(host),
    choiceReason(chosen, fastest),
    ...plainReason(chosen, trials),
    matchingReason(host, chosen),
    latencyReason(host, chosen),
    ...processorReasons(host, chosen),
    'A symbol belongs to one matcher: a second one helps where several symbols are busy (npx ' +
      'ringbook spread).',
  ]
  return { chosen, reasons }
}

/** Fewer threads, or as many and shorter waits. */
function isLess(one: Trial, other: Trial): boolean {
  const threads = ({ gateways, matchers }: Trial) => gateways + matchers
  return threads(one) === threads(other) ? one.p99Us < other.p99Us : threads(one) < threads(other)
}

function choiceReason(chosen: Trial, fastest: Trial): string {
  const rate = `${count(chosen.rate)} orders/s`
  if (chosen === fastest) return `${capital(nameOf(chosen))} took the most: ${rate}.`
  return (
    `${capital(nameOf(chosen))} took ${rate}, as many as ${nameOf(fastest)} ` +
    `(${count(fastest.rate)}) apart from chance, and need less.`
  )
}

/** Beside what an exchange has by default. */
function plainReason(chosen: Trial, trials: readonly Trial[]): readonly string[] {
  const plain = trials.find(({ gateways, matchers }) => gateways === 1 && matchers === 1)
  if (plain === undefined || plain === chosen) return []
  return [`That is ${times(chosen.rate / plain.rate)} what one of each took.`]
}

function matchingReason({ engineRate, twoEnginesRate }: HostFigures, chosen: Trial): string {
  const each = chosen.rate / chosen.matchers
  const alone =
    `One matcher executes ${count(engineRate)} commands/s by itself, two together ` +
    `${times(twoEnginesRate / engineRate)} that`
  return engineRate > AMPLE * each
    ? `${alone}: it is clients and the disk that orders wait for, not matching.`
    : `${alone}: with ${count(each)} orders/s each, matchers are near what they can do.`
}

function latencyReason({ flushUs, hopUs }: HostFigures, chosen: Trial): string {
  const { pacedRate, p50Us, p99Us } = chosen
  return (
    `At ${count(pacedRate)} orders/s half of the answers come within ${micros(p50Us)}, all ` +
    `but 1 % within ${micros(p99Us)}; a flush of this disk takes ${micros(flushUs)}, a word ` +
    `to another thread and back ${micros(hopUs)}.`
  )
}

/** What makes all that follows worth little. */
function doubts({ loadAverage, processors }: HostFigures): readonly string[] {
  if (loadAverage <= processors / 2) return []
  return [
    `Something else ran on this machine (load average ${loadAverage.toFixed(1)}): measure ` +
      'again when it is quiet.',
  ]
}

function processorReasons({ processors }: HostFigures, chosen: Trial): readonly string[] {
  if (chosen.generatorCores <= 0.2) return []
  return [
    `The load generator took ${chosen.generatorCores.toFixed(1)} of the ${processors} ` +
      'processors: clients on other machines leave that to the exchange.',
  ]
}

export const count = (value: number): string => Math.round(value).toLocaleString('en-US')
export const micros = (us: number): string =>
  us < 1000 ? `${Math.round(us)} µs` : `${(us / 1000).toFixed(us < 10_000 ? 2 : 1)} ms`
const times = (factor: number): string => `${factor.toFixed(2)} times`
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
