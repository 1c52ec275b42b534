/** A histogram that prom-client shows and others count: in shared memory (shared/histograms.ts). */
import { Histogram, type MetricType } from 'prom-client'
import type { HistogramReading } from '../shared/histograms.ts'

const NS_PER_SECOND = 1e9

type Labels = Record<string, string | number>
interface Value {
  readonly metricName: string
  readonly labels: Labels
  readonly value: number
}

export class SharedHistogram extends Histogram {
  readonly #name: string
  readonly #help: string
  readonly #label: string
  readonly #read: () => readonly HistogramReading[]

  /** One series for each reading, told apart by `label`, or one alone when that is ''. */
  constructor(name: string, help: string, label: string, read: () => readonly HistogramReading[]) {
    super({ name, help, labelNames: label === '' ? [] : [label], registers: [] })
    this.#name = name
    this.#help = help
    this.#label = label
    this.#read = read
  }

  override async get(): ReturnType<Histogram['get']> {
    const values = this.#read().flatMap((reading) => this.#valuesOf(reading))
    return {
      name: this.#name,
      help: this.#help,
      // A word, where its type has a number.
      type: 'histogram' as unknown as MetricType,
      aggregator: 'sum',
      collect: () => {},
      values,
    }
  }

  /** What the registry asks for when there is one; the type does not say so. */
  getForPromString(): ReturnType<Histogram['get']> {
    return this.get()
  }

  #valuesOf({ name, unit, bounds, counts, sum }: HistogramReading): Value[] {
    const own: Labels = this.#label === '' ? {} : { [this.#label]: name }
    const scale = unit === 'ns' ? NS_PER_SECOND : 1
    const value = (suffix: string, labels: Labels, amount: number): Value => ({
      metricName: this.#name + suffix,
      labels,
      value: amount,
    })
    let count = 0
    const buckets = bounds.map((bound, bucket) => {
      count += counts[bucket]!
      return value('_bucket', { ...own, le: bound / scale }, count)
    })
    count += counts[bounds.length]!
    return [
      ...buckets,
      value('_bucket', { ...own, le: '+Inf' }, count),
      value('_sum', own, sum / scale),
      value('_count', own, count),
    ]
  }
}
