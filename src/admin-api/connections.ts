/**
 * How many connections the admin server keeps, by what they last asked for: a room each for strangers
 * (nothing yet, or a page), for monitors, for operators with a token, and for feeds of prices. So none of these takes the place
 * of another. A full room lets a new one in and closes the one that has been quiet longest, unless an action
 * of it is under way.
 */
import type { Duplex } from 'node:stream'

export type Room = 'stranger' | 'monitor' | 'operator' | 'feed'

export const ROOM_SIZES: Readonly<Record<Room, number>> = {
  stranger: 32,
  monitor: 8,
  operator: 32,
  feed: 4,
}

interface Guest {
  room: Room
  /** Requests that are not answered yet. */
  underWay: number
}

export class AdminConnections {
  private readonly displaced: () => void
  /** The one that was quiet longest comes first. */
  private readonly guests = new Map<Duplex, Guest>()

  /** Calls `displaced` for each connection closed to make room. */
  constructor(displaced: () => void) {
    this.displaced = displaced
  }

  /** Takes in a new connection, as a stranger. */
  enter(connection: Duplex): void {
    this.guests.set(connection, { room: 'stranger', underWay: 0 })
    connection.once('close', () => this.guests.delete(connection))
    this.makeRoom('stranger')
  }

  /** Moves a connection at the begin of a request. Returns false when requests of others fill the room. */
  begin(connection: Duplex, room: Room): boolean {
    const guest = this.guests.get(connection)
    if (guest === undefined) return false
    this.guests.delete(connection)
    this.guests.set(connection, guest)
    guest.room = room
    guest.underWay++
    return this.makeRoom(room)
  }

  /** Notes that a request is answered. */
  end(connection: Duplex): void {
    const guest = this.guests.get(connection)
    if (guest !== undefined) guest.underWay--
  }

  /** Returns whether the room holds no more than its size, after closing one that is idle. */
  private makeRoom(room: Room): boolean {
    const guests = [...this.guests].filter(([, guest]) => guest.room === room)
    if (guests.length <= ROOM_SIZES[room]) return true
    const idle = guests.find(([, { underWay }]) => underWay === 0 || room === 'stranger')
    if (idle === undefined) return false
    const [connection] = idle
    this.guests.delete(connection)
    connection.destroy()
    this.displaced()
    return true
  }
}
