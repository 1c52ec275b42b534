/** Processors as the kernel and its tools write them: `0,2-4`. */

/** The largest number of a processor that Linux can be built for. */
const PROCESSOR_MAX = 8_191

/** Parses a list in its order, repetitions included; undefined for a text that is none. */
export function parseProcessors(text: string): readonly number[] | undefined {
  const processors: number[] = []
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue
    const ends = /^(?<first>[0-9]{1,4})(?:-(?<last>[0-9]{1,4}))?$/.exec(part)?.groups
    if (ends === undefined) return undefined
    const first = Number(ends.first)
    const last = Number(ends.last ?? ends.first)
    if (first > last || last > PROCESSOR_MAX) return undefined
    for (let processor = first; processor <= last; processor++) processors.push(processor)
  }
  return processors
}
