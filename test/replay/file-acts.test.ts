/**
 * The order of writes, flushes and names outside the write-ahead log, as the kernel gets it: what must
 * be on the disk is flushed before any reader learns of it, and before what replaces it goes.
 */
import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { folderPerTest } from '../fixtures/temporary-folder.ts'
import { hasTool } from '../runner/tools.ts'
import { traceFiles } from './strace.ts'

const root = folderPerTest()

/** Operations of one LMDB transaction that is on the disk when it returns. */
const transaction = (file: string) => [`write ${file}`, `flush ${file}`, `write! ${file}`]
const wals = [0, 1, 2, 3].map((segment) => `journal-0/wal-${segment}`)
const opened = (folder: string) => [`flush ${folder}/data.mdb`, `flush ${folder}`, 'flush .']
const created = (folder: string) => [`write ${folder}/data.mdb`, ...opened(folder)]
const segmentName = 'old-journals/journal-0/000000000001-000000000005'
const mark = 'archive/open'

describe.runIf(hasTool('strace'))('files, flushed in order', () => {
  test.each<[thing: string, deeds: readonly string[]]>([
    [
      'act',
      [
        ...['mark open', ...created('control'), ...transaction('control/data.mdb')],
        // The mark of the last value follows it, unflushed once the file has its name.
        ...['write control/last.partial', 'flush control/last.partial'],
        ...['rename control/last.partial to control/last', 'flush control', 'write control/last'],
        ...['mark begin', ...transaction('control/data.mdb'), 'write control/last'],
        ...['mark effect', 'mark told', 'mark end'],
      ],
    ],
    [
      'checkpoint',
      ['mark begin', ...transaction('journal-0/data.mdb'), 'mark checkpointed', 'mark end'],
    ],
    [
      'checkpoint what a start finds',
      [
        ...['mark begin', ...opened('journal-0')],
        ...opened('journal-0'),
        // The run leaves more than two transactions' bytes behind; then the log is noted to be empty.
        ...[1, 2, 3, 4].flatMap(() => transaction('journal-0/data.mdb')),
        'mark end',
      ],
    ],
    [
      'snapshot',
      [
        ...['mark begin', 'write snapshots/partial', 'flush snapshots/partial'],
        'rename snapshots/partial to snapshots/snapshot-000000000001',
        ...['flush snapshots', 'flush .', 'mark end'],
      ],
    ],
    [
      'seal',
      [
        ...['mark begin', 'write old-journals/journal-0/partial'],
        'flush old-journals/journal-0/partial',
        `rename old-journals/journal-0/partial to ${segmentName}`,
        ...['flush old-journals/journal-0', 'flush old-journals', 'flush .'],
        ...['mark sealed', 'mark end'],
      ],
    ],
    [
      'archive',
      [
        // Its tables are made before; all that it holds is written after.
        ...[`write ${mark}`, `flush ${mark}`, 'flush archive', 'write archive/data.mdb'],
        ...['mark apply', 'write archive/data.mdb', `write ${mark}`, `flush ${mark}`],
        ...['mark close', 'flush archive/data.mdb', `remove ${mark}`],
        ...['flush archive', 'mark end'],
      ],
    ],
    [
      'wal',
      [
        ...['mark begin', ...created('journal-0'), ...opened('journal-0')],
        ...transaction('journal-0/data.mdb'),
        ...['journal-0/wal-flushed', ...wals].flatMap((wal) => [`write ${wal}`, `flush ${wal}`]),
        ...['flush journal-0', ...transaction('journal-0/data.mdb')],
        ...[...opened('journal-0'), 'mark end'],
      ],
    ],
  ])('%s', (thing, deeds) => {
    const folder = root('data')
    fs.mkdirSync(folder)
    const traced = traceFiles('replay/file-acts.js', [thing, folder], folder)
    const begin = traced.indexOf(deeds[0]!)
    expect(traced.slice(begin, traced.indexOf('mark end') + 1)).toEqual(deeds)
  })
})
