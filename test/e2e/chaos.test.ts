/**
 * The chaos script in small (scripts/chaos.ts): kills under load, around snapshots and while starting
 * lose nothing of what clients were told. And it can fail: blocks that are taken away are missed.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { Chaos, type ChaosReport } from '../../scripts/chaos/chaos.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { Environment, Sync } from '../../src/journal/environment.ts'
import { journalFolder } from '../../src/journal/lmdb-store.ts'
import { recoverWals } from '../../src/journal/recovery.ts'
import { snapshotFile, snapshotsIn } from '../../src/journal/snapshot.ts'
import { SEGMENT_COUNT } from '../../src/journal/wal-cells.ts'
import { SEGMENT_BYTES, segmentFile } from '../../src/journal/wal-writer.ts'

const SEED = 20_266
const ANSWERS_MAX = 150

let exchange: ExchangeProcess | undefined
let folder = ''
afterEach(async () => {
  await exchange?.remove()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function chaos(kills: number, whileDown: () => void): Promise<ChaosReport> {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-chaos-'))
  const logFile = path.join(folder, 'clients.jsonl')
  const options = { exchange: exchange!, kills, seed: SEED, answersMax: ANSWERS_MAX, logFile }
  return new Chaos({ ...options, killed: () => {}, whileDown }).run()
}

test('nothing that was acknowledged is lost by kill -9, and what was not is resolved', async () => {
  exchange = await ExchangeProcess.prepare()
  const { findings, answers, kills } = await chaos(3, () => {})
  expect(findings).toEqual([])
  expect(kills.load + kills.snapshot + kills.start).toBe(3)
  for (const count of [answers.orders, answers.fills, answers.cancels, answers.lists]) {
    expect(count).toBeGreaterThan(0)
  }
})

test('blocks that are gone are missed', async () => {
  exchange = await ExchangeProcess.prepare()
  const { findings } = await chaos(1, () => takeBlocks(exchange!.data))
  expect(findings.filter((sentence) => sentence.includes('is lost'))).not.toEqual([])
})

/**
 * Removes the later half of a journal, from LMDB and from the write-ahead log; and the snapshots, beside
 * which it would be missed by the start.
 */
function takeBlocks(data: string): void {
  recoverWals(data)
  for (const number of snapshotsIn(data)) fs.rmSync(snapshotFile(data, number))
  const folder = journalFolder(data, 0)
  const environment = new Environment({ folder })
  const table = environment.table()
  const keys = [...table.keys({})]
  environment.write(() => {
    for (const key of keys.slice(keys.length / 2)) table.remove(key)
  }, Sync.DISK)
  environment.close()
  const zeros = Buffer.alloc(SEGMENT_BYTES)
  for (let i = 0; i < SEGMENT_COUNT; i++) fs.writeFileSync(segmentFile(folder, i), zeros)
}
