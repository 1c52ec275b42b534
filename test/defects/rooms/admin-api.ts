/** Defects of src/admin-api. */
import { inRoom } from '../defect.ts'

export const adminApi = inRoom('admin-api', [
  [
    'a feed of prices is read on, however many have no answer',
    'unit/admin-api/price-feed',
    'price-feed.ts',
    'if (++unanswered >= UNANSWERED_MAX) socket?.pause()',
    '++unanswered',
  ],
  [
    'a feed of prices outlives its token',
    'unit/admin-api/price-feed',
    'action-requests.ts',
    'if (by === undefined) return undefined\n    try',
    'if (by === undefined) return {}\n    try',
  ],
  [
    'a feed of prices outlives the server',
    'unit/admin-api/price-feed',
    'admin-server.ts',
    '    this.feeds.close()\n',
    '',
  ],
  [
    'a feed of prices keeps its room busy',
    'unit/admin-api/price-feed',
    'price-feed.ts',
    '        end(connection)\n',
    '',
  ],
  [
    'a message of prices is a byte too long',
    'unit/admin-api/price-feed',
    'web-socket.ts',
    'this.partBytes + length > this.longest)',
    'this.partBytes + length > this.longest + 1)',
  ],
  [
    'a client that reads no pongs is answered for ever',
    'unit/admin-api/price-feed',
    'web-socket.ts',
    'this.connection.writableLength > UNREAD_BYTES_MAX',
    'false',
  ],
  [
    'what follows a frame that broke the protocol is read',
    'unit/admin-api/price-feed',
    'web-socket.ts',
    'while (!this.isOver && this.readFrame());',
    'while (this.readFrame());',
  ],
  [
    'arguments of one byte too many are read',
    'unit/admin-api/action-requests',
    'action-requests.ts',
    'if (bytes > BODY_BYTES_MAX) throw',
    'if (bytes > BODY_BYTES_MAX + 1) throw',
  ],
  [
    'arguments of the most bytes are refused',
    'unit/admin-api/action-requests',
    'action-requests.ts',
    'if (bytes > BODY_BYTES_MAX) throw',
    'if (bytes >= BODY_BYTES_MAX) throw',
  ],
  [
    'a connection that ended keeps its place',
    'unit/admin-api/connections: no longer counted',
    'connections.ts',
    "connection.once('close', () => this.guests.delete(connection))",
    "connection.once('close', () => {})",
  ],
  [
    'a room has a connection more than its size',
    'unit/admin-api/connections: no longer counted',
    'connections.ts',
    'if (guests.length <= ROOM_SIZES[room]) return true',
    'if (guests.length <= ROOM_SIZES[room] + 1) return true',
  ],
  [
    'a part that is whole again stays degraded',
    'unit/admin-api/health',
    'admin-server.ts',
    'if (why === undefined) this._degraded.delete(part)',
    'if (why === undefined) this._degraded.get(part)',
  ],
])
