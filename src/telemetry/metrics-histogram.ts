/** Histograms that threads count in shared memory (shared/histograms.ts), as Prometheus reads them. */
import type { HistogramReading } from '../shared/histograms.ts'
import type { Sample } from './exposition.ts'

const NS_PER_SECOND = 1e9

/** Returns one series for each reading, distinguished by `label`, or without a label when that is ''. */
export const histogramSamples = (
  label: string,
  readings: readonly HistogramReading[],
): readonly Sample[] =>
  readings.flatMap(({ name, unit, bounds, counts, sum }) => {
    const labels: Sample['labels'] = label === '' ? {} : { [label]: name }
    const scale = unit === 'ns' ? NS_PER_SECOND : 1
    const bucket = (le: string | number, value: number): Sample => ({
      labels: { ...labels, le },
      value,
      suffix: '_bucket',
    })
    let count = 0
    const buckets = bounds.map((bound, index) => {
      count += counts[index]!
      return bucket(bound / scale, count)
    })
    count += counts[bounds.length]!
    return [
      ...buckets,
      bucket('+Inf', count),
      { labels, value: sum / scale, suffix: '_sum' },
      { labels, value: count, suffix: '_count' },
    ]
  })
