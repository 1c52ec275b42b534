/** One process per data folder, also where processes do not see each other. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { claimDataFolder } from '../../../../src/assembly/main/exclusive.ts'
import { folderPerTest } from '../../../fixtures/temporary-folder.ts'

const folder = folderPerTest()
afterEach(() => {
  process.env.PATH = PATH
})
const { PATH } = process.env

const IN_USE = 'is in use by a running Ringbook. Stop it or pass --data.'

test('a folder is claimed once at a time', async () => {
  const claim = await claimDataFolder(folder())
  await expect(claimDataFolder(folder())).rejects.toThrow(IN_USE)
  claim.close()
  const again = await claimDataFolder(folder())
  again.close()
})

test('a lock alone keeps others off, like one of a process in another namespace', async () => {
  const holder = spawn('flock', ['-n', folder(), 'sh', '-c', 'echo held; exec cat'])
  await once(holder.stdout, 'data')
  await expect(claimDataFolder(folder())).rejects.toThrow(IN_USE)
  holder.stdin.end()
  await once(holder, 'close')
  const claim = await claimDataFolder(folder())
  claim.close()
})

test('the claim is a lock that other programs see until it is closed', async () => {
  const isFree = () => spawnSync('flock', ['-n', folder(), 'true']).status === 0
  const claim = await claimDataFolder(folder())
  expect(isFree()).toBe(false)
  // A program that this process starts does not keep it.
  const child = spawn('sleep', ['30'])
  claim.close()
  expect(isFree()).toBe(true)
  child.kill()
  await once(child, 'close')
})

test('without the program that locks there is a claim, and a warning', async () => {
  process.env.PATH = folder()
  const warnings: string[] = []
  const claim = await claimDataFolder(folder(), (sentence) => warnings.push(sentence))
  claim.close()
  expect(warnings).toEqual([
    `${folder()} is not kept from other containers: the program flock cannot be run, it does not exist.`,
  ])
})
