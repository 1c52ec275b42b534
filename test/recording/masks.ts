/**
 * What two runs of the same build cannot have alike, replaced in the order of first appearance, so that a
 * text that comes again is still seen to come again. Times are not among it: the exchange's clock stands
 * still at one date, and only the recording moves it on.
 */

interface Mask {
  /** What stands for it, with a number. */
  readonly name: string
  /** Its one group is what is replaced. */
  readonly pattern: RegExp
}

/** Listen keys and API keys. */
const KEY = /(?<![A-Za-z0-9])([A-Za-z0-9]{64})(?![A-Za-z0-9])/g
/** Client order ids that the exchange made, by the fields that have them. */
const GENERATED_ID =
  /(?<="(?:clientOrderId|origClientOrderId|newClientOrderId|listClientOrderId|c|C)":")([A-Za-z0-9]{22})(?=")/g
/** What the operator's list of sessions shows of an API key. */
const SHOWN_KEY = /(?<="apiKey":")([A-Za-z0-9]{8})(?=")/g

const masks: readonly Mask[] = [
  { name: 'KEY', pattern: KEY },
  { name: 'ID', pattern: GENERATED_ID },
  { name: 'SHOWN-KEY', pattern: SHOWN_KEY },
]

/** Durations, which are measured by the machine's clock. */
const durations: readonly RegExp[] = [
  // The stages of a receipt, ns.
  /(?<="(?:parse|ring|match|journal|publish|answer|total)":)\d+/g,
  /(?<=\b(?:parse|ring|match|journal|publish|answer|total)=)\d+/g,
  // The age of a connection, s.
  /(?<="seconds":)\d+/g,
]

export class Masks {
  private readonly known = new Map<string, string>()
  private readonly counts = new Map<string, number>()

  of(text: string): string {
    let masked = text
    for (const { name, pattern } of masks) {
      masked = masked.replace(pattern, (found) => this.placeFor(name, found))
    }
    for (const pattern of durations) masked = masked.replace(pattern, '#')
    return masked
  }

  private placeFor(name: string, found: string): string {
    const known = this.known.get(found)
    if (known !== undefined) return known
    const count = (this.counts.get(name) ?? 0) + 1
    this.counts.set(name, count)
    const place = `<${name} ${count}>`
    this.known.set(found, place)
    return place
  }
}
