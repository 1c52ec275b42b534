/**
 * The chaos script in small (scripts/chaos.ts): kills under load, of actions and of starts, and broken disks
 * lose nothing of what clients received. And it can fail: blocks that are taken away are missed.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  Chaos,
  type ChaosOptions,
  type ChaosReport,
  FAULT_FLAGS,
  type Fault,
} from '../../scripts/chaos/chaos.ts'
import { ExchangeProcess } from '../../scripts/exchange/exchange-process.ts'
import { Environment, Sync } from '../../src/journal/environment.ts'
import { flushMarkFile } from '../../src/journal/flush-mark.ts'
import { journalFolder } from '../../src/journal/lmdb-store.ts'
import { recoverWals } from '../../src/journal/recovery.ts'
import { snapshotFile, snapshotsIn } from '../../src/journal/snapshot.ts'
import { SEGMENT_COUNT } from '../../src/journal/wal-cells.ts'
import { SEGMENT_BYTES, segmentFile } from '../../src/journal/wal-writer.ts'
import { hasTool } from '../runner/tools.ts'

const SEED = 20_266
const ANSWERS_MAX = 150

let exchange: ExchangeProcess | undefined
let folder = ''
afterEach(async () => {
  await exchange?.remove()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function chaos(
  plan: readonly Fault[],
  more: Partial<ChaosOptions> = {},
): Promise<ChaosReport> {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ringbook-chaos-'))
  return new Chaos({
    exchange: exchange!,
    plan,
    kills: plan.length,
    seed: SEED,
    answersMax: ANSWERS_MAX,
    logFile: path.join(folder, 'clients.jsonl'),
    struck: () => {},
    verify,
    ...more,
  }).run()
}

/** Returns what the audit finds. */
function verify(data: string): readonly string[] {
  const script = 'dist/scripts/verify-journal.js'
  const { status, stdout } = spawnSync(process.execPath, [script, '--data', data])
  return status === 0 ? [] : [String(stdout)]
}

test('nothing that was acknowledged is lost by kill -9, and what was not is resolved', async () => {
  exchange = await ExchangeProcess.prepare(FAULT_FLAGS)
  const plan = ['kill', 'snapshot', 'backup', 'save', 'load', 'fork', 'reset', 'start'] as const
  const { findings, answers, kills } = await chaos(plan)
  expect(findings).toEqual([])
  expect(Object.values(kills).reduce((sum, count) => sum + count, 0)).toBe(plan.length)
  for (const count of [answers.orders, answers.fills, answers.cancels, answers.lists]) {
    expect(count).toBeGreaterThan(0)
  }
})

test.runIf(hasTool('strace'))('nor by a disk that is broken, or read-only', async () => {
  exchange = await ExchangeProcess.prepare(FAULT_FLAGS)
  const { findings } = await chaos(['broken', 'read-only'])
  expect(findings).toEqual([])
})

test('blocks that are gone are missed', async () => {
  exchange = await ExchangeProcess.prepare()
  const { findings } = await chaos(['kill'], { whileDown: () => takeBlocks(exchange!.data) })
  expect(findings.filter((sentence) => sentence.includes('is lost'))).not.toEqual([])
})

/**
 * Removes the later half of a journal, from LMDB and from the write-ahead log; and the snapshots and the archive,
 * beside which it would be missed by the start.
 */
function takeBlocks(data: string): void {
  recoverWals(data)
  for (const number of snapshotsIn(data)) fs.rmSync(snapshotFile(data, number))
  for (const name of fs.readdirSync(data).filter((it) => it.startsWith('archive'))) {
    fs.rmSync(path.join(data, name), { recursive: true })
  }
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
  fs.rmSync(flushMarkFile(folder))
}
