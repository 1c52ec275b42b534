/**
 * What readers of WebSockets have not read, as uWebSockets.js buffers it for them. Each connection has
 * a bound of its own there; here those of one address, and all of a gateway, are held to theirs.
 */
export interface Reader {
  /** Where it comes from. */
  readonly peer: string
  /** Bytes that it has not read. */
  readonly unreadBytes: number
  /** Closes it, since it reads too slowly. */
  drop(): void
}

/**
 * Drops readers that are furthest behind, until no address has more unread bytes than
 * `perAddressMax`, and all together no more than `max`. Returns what is left unread.
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
