/** Listens and compares on its own thread, beside the one that sends (watch-thread.ts has the other end). */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { UsageError } from '../command-line/usage-error.ts'
import { keysOf } from './cast.ts'
import type { OrderNote } from './checks/order-check.ts'
import { readKeys } from './keys.ts'
import { Target } from './target.ts'
import { Watch, type WatchPlan } from './watch.ts'
import type { FromWatch, ToWatch, WatchState } from './watch-thread.ts'

const CONNECTIONS = 4

const { options, keysText, scenario, symbols } = workerData as WatchPlan
const port = parentPort!
const say = (message: FromWatch) => port.postMessage(message)
const target = new Target(options.url, CONNECTIONS, options.timeoutMs)
const watch = new Watch({
  target,
  symbols,
  wsApiUrl: options.wsApiUrl,
  streamsUrl: options.streamsUrl,
  keys: keysOf(scenario.actors, readKeys(options.keys, keysText)),
  subscribers: scenario.subscribers,
  prices: scenario.prices,
  beforeReport: takeNotes,
  onEnded: (account, { c, C, x, X }) => say({ account, ended: { c, C, x, X } }),
  onMiddle: (symbol, middle) => say({ symbol, middle }),
})

/** An order is noted before it is sent. So its note is here when its report is, though not received yet. */
function takeNotes(): void {
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
    take(next.message as ToWatch)
}

function take(message: ToWatch): void {
  if ('note' in message) apply(message.note)
  else if (message.request === 'state') say({ state: state() })
  else void watch.end().then(() => say({ compared: state() }), fail)
}

function apply([name, ...given]: OrderNote): void {
  Reflect.apply(watch.orders[name], watch.orders, given)
}

const state = (): WatchState => ({
  checks: watch.results(),
  orders: { ...watch.orders.counts },
  streams: watch.streams(),
  usage: target.usage,
  requests: watch.requests + target.requests,
})

function fail(error: unknown): void {
  const { message, stack } = error as Error
  const isUsage = error instanceof UsageError
  say({ failed: isUsage ? message : (stack ?? message), isUsage })
}

try {
  await target.readClock()
  await watch.open()
  port.on('message', take)
  say({ opened: true })
} catch (error) {
  fail(error)
}
