/**
 * Internet addresses as 16 bytes, IPv4 ones mapped into IPv6 (RFC 4291, 2.5.5.2), so that each
 * address has one form.
 */
import { isIPv4, isIPv6 } from 'node:net'

export const ADDRESS_BYTES = 16
const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
const IPV4_BITS = 32
const IPV6_BITS = 128

/** Addresses whose first `bits` bits are those of `bytes`. */
export interface AddressRange {
  readonly bytes: Uint8Array
  readonly bits: number
}

/** Returns 16 bytes for the 4 or 16 bytes that a socket reports. */
export function mappedAddress(bytes: Uint8Array): Uint8Array {
  return bytes.length === ADDRESS_BYTES ? bytes : Uint8Array.of(...MAPPED_PREFIX, ...bytes)
}

/** Whether the 16 bytes are an IPv4 address. */
export const isMapped = (bytes: Uint8Array): boolean =>
  MAPPED_PREFIX.every((byte, index) => bytes[index] === byte)

/** `bytes`: 4 or 16. */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length !== ADDRESS_BYTES) return bytes.join('.')
  if (isMapped(bytes)) return bytes.subarray(MAPPED_PREFIX.length).join('.')
  const groups = Array.from({ length: ADDRESS_BYTES / 2 }, (_, index) =>
    (bytes[2 * index]! * 256 + bytes[2 * index + 1]!).toString(16),
  )
  return groups.join(':').replace(/(^|:)0(:0)+(:|$)/, '::')
}

/** Parses addresses and ranges, as in `10.0.0.0/8, ::1, fd00::/8`. Undefined when one is neither. */
export function parseAddressRanges(text: string): readonly AddressRange[] | undefined {
  const ranges: AddressRange[] = []
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue
    const range = parseRange(part)
    if (range === undefined) return undefined
    ranges.push(range)
  }
  return ranges
}

/** Whether the 16 bytes lie in the range. */
export function isInRange(bytes: Uint8Array, range: AddressRange): boolean {
  const whole = range.bits >> 3
  for (let index = 0; index < whole; index++) {
    if (bytes[index] !== range.bytes[index]) return false
  }
  const rest = range.bits & 7
  return rest === 0 || ((bytes[whole]! ^ range.bytes[whole]!) & (0xff << (8 - rest)) & 0xff) === 0
}

function parseRange(text: string): AddressRange | undefined {
  const [address = '', length, ...more] = text.split('/')
  const bytes = parseAddress(address)
  if (bytes === undefined || more.length > 0) return undefined
  const widest = isIPv4(address) ? IPV4_BITS : IPV6_BITS
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined
  const bits = length === undefined ? widest : Number(length)
  return bits > widest ? undefined : { bytes, bits: IPV6_BITS - widest + bits }
}

/** Returns the 16 bytes of an address in text; undefined when the text is none. */
export function parseAddress(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return mappedAddress(Uint8Array.from(text.split('.'), Number))
  if (!isIPv6(text) || text.includes('%')) return undefined
  const [head = '', tail] = text.split('::')
  const before = bytesOfGroups(head)
  const after = tail === undefined ? [] : bytesOfGroups(tail)
  const zeros = new Array<number>(ADDRESS_BYTES - before.length - after.length).fill(0)
  return Uint8Array.of(...before, ...zeros, ...after)
}

/** Groups of up to four hexadecimal digits; the last may be an IPv4 address. */
function bytesOfGroups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number)
    const word = Number.parseInt(group, 16)
    return [word >> 8, word & 0xff]
  })
}
