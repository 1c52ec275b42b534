/**
 * `npm run bench -- replicated [--blocks N]`: what a block costs on a quorum, on three servers of
 * PostgreSQL that share this machine and its disk: time of an insert with its fence, and the processor
 * time of this process and of the servers. Beside it, in turns, a flush of the same bytes to a file.
 */
import fs from 'node:fs'
import path from 'node:path'
import { PostgresServers } from '../../scripts/postgres/postgres-servers.ts'
import { PostgresQuorum } from '../../src/replica/postgres-quorum.ts'
import { NO_PLACE, type QuorumBlock, type QuorumPlace } from '../../src/replica/quorum.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, printTable, quantile } from '../harness/report.ts'

const BLOCK_BYTES = [256, 1_024, 4_096, 16_384]
/** Figures are of this size: some orders. */
const FIGURE_BYTES = 1_024
const EPOCH = 1

export const flags = { blocks: 1_000 } as const satisfies Flags

export async function run({ blocks }: SettingsOf<typeof flags>): Promise<BenchResult> {
  const servers = await PostgresServers.start(2)
  const file = path.join(process.cwd(), 'bench-replicated')
  const quorum = new PostgresQuorum({ url: servers.url(), answerMs: 10_000 })
  try {
    await quorum.open()
    await quorum.prepare()
    await quorum.takeLead(undefined, 'bench', EPOCH)
    return await measure(quorum, servers, file, blocks)
  } finally {
    await quorum.close()
    await servers.remove()
    fs.rmSync(file, { force: true })
  }
}

async function measure(
  quorum: PostgresQuorum,
  servers: PostgresServers,
  file: string,
  blocks: number,
): Promise<BenchResult> {
  const handle = fs.openSync(file, 'w')
  const rows: (string | number)[][] = [
    ['bytes', 'insert p50 ms', 'p99 ms', 'inserts/s', 'own µs', 'servers µs', 'flush p50 ms'],
  ]
  const figures: Record<string, number> = {}
  for (const [journal, size] of BLOCK_BYTES.entries()) {
    const inserts: number[] = []
    const flushes: number[] = []
    let end: QuorumPlace = NO_PLACE
    let ownUs = 0
    const serversBefore = servers.processorMs()
    for (let position = 1; position <= blocks; position++) {
      const block = blockOf(journal, position, end, size)
      flushes.push(timed(() => flush(handle, block.bytes)))
      const before = process.cpuUsage()
      const beganMs = performance.now()
      await quorum.append(EPOCH, [block])
      inserts.push(performance.now() - beganMs)
      const { user, system } = process.cpuUsage(before)
      ownUs += user + system
      end = { position, checksum: block.checksum }
    }
    const serverUs = ((servers.processorMs() - serversBefore) * 1_000) / blocks
    const perSecond = 1_000 / (inserts.reduce((sum, it) => sum + it, 0) / blocks)
    const p50 = quantile(inserts, 0.5)
    const p99 = quantile(inserts, 0.99)
    const flushMs = quantile(flushes, 0.5)
    rows.push([size, p50, p99, perSecond, ownUs / blocks, serverUs, flushMs])
    if (size !== FIGURE_BYTES) continue
    Object.assign(figures, { insertP50Ms: p50, insertP99Ms: p99, insertsPerSecond: perSecond })
    Object.assign(figures, { ownMicroseconds: ownUs / blocks, serverMicroseconds: serverUs })
    figures.flushP50Ms = flushMs
  }
  fs.closeSync(handle)
  printTable('Blocks on a quorum: three servers, one of two standbys confirms', rows)
  return { ratios: { insertOverFlush: figures.insertP50Ms! / figures.flushP50Ms! }, figures }
}

function blockOf(journal: number, position: number, end: QuorumPlace, size: number): QuorumBlock {
  const bytes = Buffer.alloc(size, position)
  return { journal, position, previous: end.checksum, checksum: position, bytes }
}

function timed(action: () => void): number {
  const beganMs = performance.now()
  action()
  return performance.now() - beganMs
}

function flush(file: number, bytes: Uint8Array): void {
  fs.writeSync(file, bytes, 0, bytes.length)
  fs.fdatasyncSync(file)
}
