/** The log on standard output: JSON lines for programs, or text and a banner for people. */
import pino, { type DestinationStream, type Logger } from 'pino'
import { dateNow } from '../../base/real-date.ts'
import type { Config } from '../../config/config.ts'
import { WarningLog } from '../../telemetry/warning-log.ts'
import { logText } from './log-text.ts'

/** Characters kept of lines that cannot be written yet; more are lost. */
const UNWRITTEN_MAX = 1 << 20

export interface LogOutput {
  readonly log: Logger
  /** Writes text for people; undefined when the log is for programs, or too quiet for it. */
  readonly print: ((text: string) => void) | undefined
  /** Keeps the last warnings of the log. */
  readonly warnings: WarningLog
}

/** `isTerminal` decides where the setting does not. */
export function openLog(
  { logLevel, logFormat }: Config,
  isTerminal: boolean,
  output: DestinationStream = standardOutput(),
): LogOutput {
  const isText = logFormat === 'text' || (logFormat === 'auto' && isTerminal)
  const warnings = new WarningLog()
  // Every line is written at once. The package would also flush fatal lines of a stream that can, and
  // retry forever when the disk refuses.
  const stream = {
    write(json: string) {
      warnings.read(json)
      output.write(isText ? logText(json) : json)
    },
  }
  const timestamp = () => `,"time":${dateNow()}`
  const log = pino({ level: logLevel, base: { pid: process.pid }, timestamp }, stream)
  const isPrinted = isText && log.isLevelEnabled('info')
  return { log, print: isPrinted ? (text) => output.write(text) : undefined, warnings }
}

/** The log's stream. A failed write ends nothing: the log may be a file on a full disk. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ sync: true, maxLength: UNWRITTEN_MAX })
  output.on('error', () => {})
  return output
}
