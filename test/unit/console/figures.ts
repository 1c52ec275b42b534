/** A reading of an exchange in which nothing happened. */
import type { Figures } from '../../../src/admin-api/readings.ts'

export const nothing: Figures = {
  disk: {
    ...{ isRefusing: false, level: 0, hasJournalAlarm: false, freeBytes: 9, totalBytes: 10 },
    ...{ reserveBytes: 1, journalBytes: 1, bytesAnHour: -1, journalBytesAnHour: -1 },
    ...{ storeBytes: 1, storeBytesAnHour: -1 },
  },
  role: { role: 'leader', epoch: 1, leader: '', lagPositions: 0, lagMs: 0 },
  ...{ timeMs: 0, uptimeSeconds: 0, isTimed: true, exchange: {} },
  state: { text: 'Accepts orders', level: 'good' },
  process: { cpuSeconds: 0, residentBytes: 5, sharedBytes: 0, heapBytes: 0 },
  ...{ matchers: [], gateways: [], stores: [], gatewayLoops: [], answers: [], refusals: [] },
  schedules: [],
  symbols: { names: [], statuses: [], counters: {}, refusals: [] },
  ...{ histograms: [], rings: [], journals: [], snapshotMinutes: 0, snapshots: [], warnings: 0 },
  ...{ settings: [], backupMs: 0 },
}
