import fs from 'node:fs'
import { expect } from 'vitest'
import { Indexer, MISSING } from '../../src/agents/indexer.ts'
import { archiveFolder } from '../../src/archive/archive-folder.ts'
import { History } from '../../src/archive/history.ts'
import { RealTime } from '../../src/base/real-time.ts'
import { AssetId, type Ms } from '../../src/base/units.ts'
import { symbols } from '../sim/world.ts'
import { readAll } from '../unit/archive/archive-contents.ts'

/** Volumes are not counted. */
export const valuation = { symbols, assetId: AssetId(-1) }

/** Returns all that an archive has that is made of what the folder has now. */
export function newArchive(dataFolder: string, nowMs: Ms) {
  fs.rmSync(archiveFolder(dataFolder), { recursive: true, force: true })
  const logged: string[] = []
  const indexer = new Indexer({
    dataFolder,
    matchers: 1,
    valuation,
    time: new RealTime(),
    archived: new BigInt64Array(new SharedArrayBuffer(8)),
    log: (sentence) => logged.push(sentence),
  })
  while (indexer.doWork() > 0 || indexer.isProving);
  indexer.close()
  expect(logged.filter((it) => it !== MISSING)).toEqual([])
  const history = new History(archiveFolder(dataFolder))
  try {
    return symbols.map(({ id }) => readAll(history, id, nowMs))
  } finally {
    history.close()
  }
}
