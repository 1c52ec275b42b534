/** A line of the log for people: time, level where it is above info, message, fields. */

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace ',
  20: 'debug ',
  40: 'warning: ',
  50: 'error: ',
  60: 'fatal: ',
}

/** Formats a JSON line of pino as text. A field of several lines, such as a stack, comes last. */
export function logText(json: string): string {
  const { level, time, pid: _, msg = '', ...fields } = JSON.parse(json)
  const texts = Object.entries(fields).map(([name, value]) => [name, textOf(value)] as const)
  const short = texts.filter(([, text]) => !text.includes('\n'))
  const long = texts.filter(([, text]) => text.includes('\n'))
  const clock = new Date(time).toISOString().slice('YYYY-MM-DDT'.length, -'.000Z'.length)
  const tail = short.map(([name, text]) => ` ${name}=${text}`).join('')
  const blocks = long.map(([name, text]) => `\n${name}: ${text}`).join('')
  return `${clock} UTC ${LEVELS[level] ?? ''}${msg}${tail}${blocks}\n`
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^[^\s="]+$|\n/.test(value) ? value : JSON.stringify(value)
}
