/** The archive of a saved state: a copy of it as it is at one moment, or none. */
import fs from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { BackupAgent, copyArchive } from '../../../src/agents/backup-agent.ts'
import type { Regions } from '../../../src/agents/memory.ts'
import type { ArchiveCopyStart, ThreadReport } from '../../../src/agents/messages.ts'
import { RealTime } from '../../../src/base/real-time.ts'
import { Environment, Sync } from '../../../src/journal/environment.ts'
import { ARCHIVE_BYTES_MAX } from '../../../src/journal/states.ts'
import { BackupWorker } from '../../../src/workers/backup-worker.ts'
import type { Hire, WorkerStart } from '../../../src/workers/worker-handle.ts'
import { folderPerTest } from '../../fixtures/temporary-folder.ts'

const data = folderPerTest()
let target: string
beforeEach(() => {
  target = data('states', 'one.archive')
})

const key = Buffer.from('key')
const write = (environment: Environment, text: string) =>
  environment.write(() => environment.table().put(key, Buffer.from(text)), Sync.KERNEL)
const unsaid = (sentence: string) => expect.unreachable(sentence)

test('a copy has what was written before, in the newest folder, and nothing of later', async () => {
  new Environment({ folder: data('archive') }).close()
  const archive = new Environment({ folder: data('archive-2') })
  write(archive, 'before')
  fs.mkdirSync(target, { recursive: true })
  fs.writeFileSync(path.join(target, 'of before'), '')
  await copyArchive(data(), target, unsaid)
  write(archive, 'later')
  archive.close()
  expect(fs.readdirSync(target)).toEqual(['data.mdb'])
  const copy = new Environment({ folder: target })
  expect(Buffer.from(copy.table().get(key)!).toString()).toBe('before')
  copy.close()
})

test('a worker copies it: to open it is to wait for its writer, and the main thread does not wait', async () => {
  const archive = new Environment({ folder: data('archive') })
  write(archive, 'before')
  archive.close()
  const hired: WorkerStart[] = []
  const hire = ((kind: string) => {
    expect(kind).toBe('backup')
    const waitFor = async (report: string) => ({ report })
    return { begin: (start: WorkerStart) => hired.push(start), waitFor }
  }) as unknown as Hire
  const worker = new BackupWorker(data(), {} as Regions, new RealTime(), {} as Logger, hire)
  await worker.copyArchive(data('states', 'one'))
  expect(hired).toEqual([{ dataFolder: data(), archiveTo: target }])
  expect([fs.existsSync(target), worker.isBusy]).toEqual([false, false])
  const reports: ThreadReport[] = []
  const ways = { time: new RealTime(), report: (it: ThreadReport) => reports.push(it) }
  const agent = new BackupAgent(hired[0] as ArchiveCopyStart, ways)
  agent.start()
  await agent.waitsFor
  expect([reports, agent.isDone]).toEqual([[{ report: 'backedUp' }], true])
  expect(fs.readdirSync(target)).toEqual(['data.mdb'])
})

test('a large one, or none, makes no folder', async () => {
  await copyArchive(data(), target, unsaid)
  expect(fs.existsSync(target)).toBe(false)
  const folder = data('archive')
  const archive = new Environment({ folder })
  write(archive, 'x')
  archive.close()
  fs.truncateSync(path.join(folder, 'data.mdb'), ARCHIVE_BYTES_MAX + 1)
  await copyArchive(data(), target, unsaid)
  expect(fs.existsSync(target)).toBe(false)
})

test('one that cannot be read makes no folder, and says why', async () => {
  const said: string[] = []
  fs.mkdirSync(data('archive'))
  fs.writeFileSync(data('archive', 'data.mdb'), 'no file of LMDB')
  await copyArchive(data(), target, (sentence) => said.push(sentence))
  expect(fs.existsSync(target)).toBe(false)
  expect(said).toEqual([expect.stringMatching(/^The state is saved without the archive: /)])
})
