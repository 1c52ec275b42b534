/**
 * Bytes that readers of WebSockets have not read, which uWebSockets.js buffers. It bounds each
 * connection; this file bounds those of one address, and of a gateway.
 */
export interface Reader {
  /** Its address, as limits count it. */
  readonly peer: string
  /** Bytes that it was sent and has not read. */
  readonly unreadBytes: number
  /** Closes it as too slow. */
  drop(): void
}

/**
 * Drops readers that are furthest behind, until no address has more unread bytes than
 * `perAddressMax`, and all together no more than `max`. Returns the remaining unread bytes.
 */
export function dropSlowest(readers: Iterable<Reader>, perAddressMax: number, max: number): number {
  const behind: { reader: Reader; bytes: number }[] = []
  const byAddress = new Map<string, number>()
  let total = 0
  for (const reader of readers) {
    const bytes = reader.unreadBytes
    if (bytes === 0) continue
    behind.push({ reader, bytes })
    byAddress.set(reader.peer, (byAddress.get(reader.peer) ?? 0) + bytes)
    total += bytes
  }
  behind.sort((a, b) => b.bytes - a.bytes)
  for (const { reader, bytes } of behind) {
    const ofAddress = byAddress.get(reader.peer)!
    if (total <= max && ofAddress <= perAddressMax) continue
    reader.drop()
    total -= bytes
    byAddress.set(reader.peer, ofAddress - bytes)
  }
  return total
}
