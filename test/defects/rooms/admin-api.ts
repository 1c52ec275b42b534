/** Defects of src/admin-api. */
import { inRoom } from '../defect.ts'

export const adminApi = inRoom('admin-api', [
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
