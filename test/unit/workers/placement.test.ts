import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { StartError } from '../../../src/base/start-error.ts'
import { checkProcessors, keepOn } from '../../../src/workers/placement.ts'
import { allowedProcessors } from '../../fixtures/processors.ts'

const NOWHERE = 8_191

const ours = allowedProcessors('/proc/self')

/** The number of a process, which is that of its one thread. */
async function sleeper(): Promise<number> {
  const child = spawn('sleep', ['60'])
  onTestFinished(() => void child.kill())
  await once(child, 'spawn')
  return child.pid!
}

test('threads are kept on processors in turn', async () => {
  const threads = await Promise.all([sleeper(), sleeper(), sleeper()])
  const list = [ours.at(-1)!, ours[0]!]
  await keepOn(threads, list.join(','))
  const allowed = threads.map((thread) => allowedProcessors(`/proc/${thread}`))
  expect(allowed).toEqual([[list[0]], [list[1]], [list[0]]])
})

test('without processors the system is not asked', async () => {
  await keepOn([undefined], '')
  await checkProcessors({ gatewayProcessors: '', matcherProcessors: '' })
})

test('what cannot be kept is said in a sentence', async () => {
  const places = { gatewayProcessors: String(ours[0]), matcherProcessors: String(NOWHERE) }
  await expect(checkProcessors(places)).rejects.toThrow(
    /^--matcher-processors has 8191, but this process may only use the processors [-,\d]+\.$/,
  )
  const refused = keepOn([await sleeper()], String(NOWHERE))
  await expect(refused).rejects.toThrow(StartError)
  await expect(refused).rejects.toThrow(/^Threads cannot be kept on the processors 8191: [^\n]+\.$/)
})
