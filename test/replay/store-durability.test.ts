/** What a killed process leaves of a journal, and how often the journal flushes. */
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readJournals, recoverWals } from '../../src/journal/recovery.ts'
import { folderPerTest } from '../fixtures/temporary-folder.ts'
import { hasTool } from '../runner/tools.ts'

const writerProgram = path.resolve('dist/test/replay/store-writer.js')

const folder = folderPerTest()

function readAll(dataFolder: string): number {
  let last = 0
  for (const block of readJournals(dataFolder)) last = block.position
  return last
}

describe.each(['flushed', 'committed'])('kill -9 while appending, %s', (durability) => {
  test('no position that was told is missing', async () => {
    let last = 0
    for (const appends of [1, 40, 400]) {
      const child = spawn(process.execPath, [writerProgram, folder(), durability])
      let told = ''
      child.stdout.on('data', (text) => {
        told += text
        if (told.split('\n').length > appends + 1) child.kill('SIGKILL')
      })
      await new Promise((resolve) => child.once('close', resolve))
      const acknowledged = Number(told.trimEnd().split('\n').at(-1))
      expect(acknowledged).toBeGreaterThanOrEqual(last + appends)
      recoverWals(folder())
      last = readAll(folder())
      expect(last).toBeGreaterThanOrEqual(acknowledged)
    }
  })
})

describe.runIf(hasTool('strace'))('flushes of the tail', () => {
  test.each([
    ['flushed', 40],
    ['committed', 0],
  ])('%s: %i for 40 blocks', (durability, expected) => {
    const trace = folder('trace')
    const filter = 'trace=fdatasync,fsync,msync,write'
    const data = folder('data')
    const program = [process.execPath, writerProgram, data, durability, '40']
    spawnSync('strace', ['-f', '-e', filter, '-o', trace, ...program])
    const lines = fs.readFileSync(trace, 'utf8').split('\n')
    const begin = lines.findIndex((line) => line.includes('write(1, "open'))
    expect(begin).toBeGreaterThan(0)
    const flushes = lines.slice(begin).filter((line) => /(fdata|f|m)sync\(/.test(line))
    expect(flushes).toHaveLength(expected)
  })
})
