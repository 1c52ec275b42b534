/** Defects of src/telemetry. */
import { inRoom } from '../defect.ts'

export const telemetry = inRoom('telemetry', [
  [
    'a warning more is kept than may be',
    'unit/telemetry/warning-log',
    'warning-log.ts',
    'this.lines.length > WARNINGS_KEPT',
    'this.lines.length > WARNINGS_KEPT + 1',
  ],
  [
    'a warning may be of any length',
    'unit/telemetry/warning-log',
    'warning-log.ts',
    'text.length > TEXT_CHARS_MAX',
    'text.length > json.length',
  ],
  [
    'a warning of the most characters is cut',
    'unit/telemetry/warning-log',
    'warning-log.ts',
    'text.length > TEXT_CHARS_MAX',
    'text.length >= TEXT_CHARS_MAX',
  ],
  [
    'warnings are not kept, errors are',
    'unit/telemetry/warning-log',
    'warning-log.ts',
    'if (level < WARN) return',
    'if (level <= WARN) return',
  ],
  [
    'samples of the last scrape stay',
    'unit/telemetry/metrics',
    'metrics.ts',
    '    this.samples.clear()\n',
    '',
  ],
  [
    'buckets of a histogram do not add up',
    'unit/telemetry/metrics',
    'metrics-histogram.ts',
    'count += counts[index]!',
    'count = counts[index]!',
  ],
  [
    'a growth of nothing is unknown',
    'unit/telemetry/metrics',
    'metrics.ts',
    'bytesAnHour < 0 ?',
    'bytesAnHour <= 0 ?',
  ],
])
