/** What the benches compare, in words: the rows of the tables that kept runs fill. */
import type { KeptRun } from './kept-runs.ts'

type Of = (run: Figures) => string

export interface Comparison {
  readonly bench: string
  readonly what: string
  /** Named in `ratios` or in `figures`; left out where nothing is divided. */
  readonly ratio?: string
  /** Text of the figures of one run. */
  readonly at?: Of
  /** The row in README.md, where it has one. */
  readonly inReadme?: Of
}

/** A run's figures by name. Throws for one that the run does not have. */
export class Figures {
  private readonly run: KeptRun

  constructor(run: KeptRun) {
    this.run = run
  }

  of(name: string): number {
    const value = this.run.figures[name] ?? this.run.ratios[name]
    if (typeof value !== 'number') throw new Error(`the kept run has no figure ${name}`)
    return value
  }

  count(name: string): string {
    return whole(this.of(name))
  }

  /** 4.7. */
  number(name: string): string {
    return digits(this.of(name))
  }

  /** 40,328/s. */
  rate(name: string): string {
    return `${whole(this.of(name))}/s`
  }

  /** 3.1 M. */
  millions(name: string): string {
    return `${digits(this.of(name) / 1e6)} M`
  }

  /** A figure in microseconds: 185 µs, 1.4 ms. */
  time(name: string): string {
    const us = this.of(name)
    return us < 1000 ? `${digits(us)} µs` : `${digits(us / 1000)} ms`
  }

  /** p50 1.4 ms, p99 5.1 ms. */
  times(prefix: string): string {
    return `p50 ${this.time(`${prefix}P50Us`)}, p99 ${this.time(`${prefix}P99Us`)}`
  }
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US')

/** Two digits that count, or all before the point. */
export const digits = (value: number): string =>
  Math.abs(value) >= 100 ? whole(value) : Number(value.toPrecision(2)).toString()

const tail = (name: string, what: string): Comparison => ({
  bench: 'tail',
  what: `p99 ${what}, open loop, over twice the sum of hello-world's and two flushes'`,
  ratio: `p99At${name}OverBudget`,
  at: (run) => `${run.times(`oursAt${name}`)}; hello-world p99 ${run.time(`helloAt${name}P99Us`)}`,
})

const overload = (name: string, what: string, row: string): Comparison => ({
  bench: 'overload',
  what: `p99 of accepted orders ${what}, over capacity`,
  ratio: row,
  at: (run) => `${run.rate(`${name}Accepted`)} accepted, ${run.rate(`${name}Busy`)} refused -1008`,
})

const gateways = (count: number, word: string): Comparison => ({
  bench: 'scale',
  what: `processor time of an order through ${word} gateways, over one gateway`,
  ratio: `cpuOf${count}OverOne`,
  at: (run) => `${run.time(`cpuUsOf${count}`)} over ${run.time('cpuUsOf1')}`,
})

const fanout = (readers: number): Comparison => ({
  bench: 'fanout',
  what: `the same for ${whole(readers)}`,
  ratio: `over${readers}`,
  at: (run) => run.rate(`oursPerSecond${readers}`),
})

export const comparisons: readonly Comparison[] = [
  {
    bench: 'book',
    what: 'place and cancel on one book, over its C++ twin',
    ratio: 'oursOverTwin',
    at: (run) =>
      `${run.millions('oursPerSecond')} over ${run.millions('twinPerSecond')} commands/s`,
    inReadme: (run) =>
      `${run.millions('oursPerSecond')} commands/s, ${digits(run.of('oursOverTwin'))} of C++`,
  },
  { bench: 'book', what: 'over the better of two books on npm', ratio: 'oursOverNpm' },
  {
    bench: 'engine',
    what: 'the same with holds, commissions and events, over the C++ book',
    ratio: 'oursOverTwin',
    at: (run) =>
      `${run.millions('oursPerSecond')} over ${run.millions('twinPerSecond')} commands/s`,
    inReadme: (run) => `${run.millions('oursPerSecond')} commands/s`,
  },
  {
    bench: 'scale',
    what: 'two matchers with a busy symbol each on one ledger, over one',
    ratio: 'togetherOverAlone',
    at: (run) => `${run.millions('togetherPerSecond')} commands/s`,
  },
  gateways(2, 'two'),
  gateways(3, 'three'),
  {
    bench: 'ring',
    what: 'commands between two threads, over postMessage',
    ratio: 'commandOverPostMessage',
    at: (run) => `${run.millions('commandsPerSecond')}/s`,
  },
  {
    bench: 'journal',
    what: 'blocks of 64 events flushed, over a bare write and fdatasync',
    ratio: 'flushedOverFdatasync',
    at: (run) => run.time('flushedMicroseconds'),
  },
  {
    bench: 'wire',
    what: 'signed LIMIT orders, flushed, over hello-world',
    ratio: 'flushedOverHello',
    at: (run) => `${run.rate('flushedRate')}; ${run.times('flushed')}`,
    inReadme: (run) => `${run.rate('flushedRate')}, ${run.times('flushed')}`,
  },
  {
    bench: 'wire',
    what: 'the same, committed',
    ratio: 'committedOverHello',
    at: (run) => run.rate('committedRate'),
  },
  {
    bench: 'wire',
    what: 'cancels, flushed',
    ratio: 'cancelOverHello',
    at: (run) => run.rate('cancelRate'),
  },
  {
    bench: 'wire',
    what: 'GET depth, 100 levels, while nothing trades',
    ratio: 'depthOverHello',
    at: (run) => run.rate('depthRate'),
  },
  {
    bench: 'wire',
    what: 'orders, flushed and signed, over Fastify and nodejs-order-book, neither',
    ratio: 'oursOverAssembled',
    at: (run) => `over ${run.rate('assembledRate')}`,
  },
  {
    bench: 'wire',
    what: "the server's processor time of an order over REST, over hello-world's",
    ratio: 'flushedCpuOverHello',
    at: (run) => `${run.time('flushedCpuUs')} over ${run.time('helloCpuUs')}`,
  },
  {
    bench: 'wire',
    what: 'the same of an order over WebSocket sessions',
    ratio: 'wsCpuOverHello',
    at: (run) => run.time('wsCpuUs'),
  },
  {
    bench: 'wsapi',
    what: 'LIMIT orders over logged-on sessions, 8 in flight each, over REST, both flushed',
    ratio: 'wsapiOverRest',
    at: (run) => run.rate('sessionRate'),
    inReadme: (run) => run.rate('sessionRate'),
  },
  {
    bench: 'latency',
    what: 'order to response, flushed, 200/s: p50 over hello-world and two bare fdatasyncs',
    ratio: 'p50OverBudget',
    at: (run) => run.times('ours'),
    inReadme: (run) => run.times('ours'),
  },
  {
    bench: 'latency',
    what: 'the same over hello-world and two LMDB transactions',
    ratio: 'p50OverLmdbBudget',
  },
  tail('2000', 'of orders at 2,000/s'),
  tail('8000', 'of orders at 8,000/s'),
  tail('Half', 'of orders at half of capacity'),
  {
    bench: 'metrics',
    what: 'orders with metrics on, over metrics off',
    ratio: 'onOverOff',
    at: (run) => `${run.rate('onRate')} over ${run.rate('offRate')}`,
  },
  overload('half', 'at 1.5 times capacity', 'p99OverCapacityAtHalfMore'),
  overload('most', 'at all that the generator can send', 'p99OverCapacityAtMost'),
  {
    bench: 'overload',
    what: 'orders accepted a second after it, over capacity',
    ratio: 'fullSpeedAfterMost',
    at: (run) => `${run.rate('capacityAccepted')} at capacity`,
  },
  {
    bench: 'fanout',
    what: 'frames of busy streams reaching 10,000 readers, over bare uWebSockets.js publishing them',
    ratio: 'deliveriesOverBare',
    at: (run) => run.rate('oursPerSecond10000'),
  },
  fanout(1000),
  fanout(100),
  fanout(1),
  {
    bench: 'fanout',
    what: 'p99 beside a reader that has stalled, over without it',
    ratio: 'stalledP99Ratio',
    at: (run) => `${run.time('besideP99Us')} over ${run.time('aloneP99Us')}`,
  },
  {
    bench: 'hmac',
    what: 'signatures checked by two digests over reused memory, over createHmac for each',
    ratio: 'checksOverCreateHmac',
    at: (run) =>
      `${whole(run.of('digestsNanoseconds'))} ns over ${whole(run.of('createHmacNanoseconds'))}`,
  },
  {
    bench: 'console',
    what: 'the page before 2,000 level changes and 500 trades a second, drawn in software',
    at: (run) => {
      const frames = `${run.number('framesPerSecond')} frames/s`
      const bare = `${run.number('helloFramesPerSecond')} of a bare page`
      const busy = `main thread ${whole(100 * run.of('mainThreadBusy'))} % busy`
      return `${frames} beside ${bare}; ${busy}, first screen ${run.number('firstScreenKB')} KB`
    },
  },
  {
    bench: 'archive',
    what: 'events archived, over events produced by 64 busy connections, flushed',
    ratio: 'archivedOverProduced',
    at: (run) =>
      `${run.rate('archivedEventsPerSecond')}; ${run.number('archivistUsPerOrder')} µs an order`,
  },
  {
    bench: 'queries',
    what: 'p99 of 2,000 orders/s beside 100 kline queries/s, over without',
    ratio: 'orderP99Slowdown',
    at: (run) => between(run, 'orderP99Slowdown'),
  },
  {
    bench: 'recovery',
    what: 'p99 of 1,000 orders/s while a snapshot is made, over without',
    ratio: 'orderP99WhileSnapshot',
    at: (run) => between(run, 'orderP99WhileSnapshot'),
  },
  {
    bench: 'recovery',
    what: 'events replayed on one core; start with a snapshot of all of them',
    at: (run) =>
      `${run.millions('replayedPerSecond')}/s; ${run.number('startSeconds')} s for ${run.millions('events')}`,
  },
]

/** The range that the median of the pairs lies in, 95 times in 100. */
function between(run: Figures, ratio: string): string {
  return `${digits(run.of(`${ratio}Low`))} to ${digits(run.of(`${ratio}High`))}`
}
