import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  Background,
  type Scheduler,
  type SchedulingClass,
} from '../../../src/workers/background.ts'
import { FakedTime } from '../../fixtures/faked-time.ts'

const INDEXER = 11
const SNAPSHOTS = 12
const THREADS = [INDEXER, SNAPSHOTS]

/** A kernel that notes its calls, and may refuse. */
class Kernel implements Scheduler {
  readonly asked: string[] = []
  private readonly lets: boolean

  constructor(lets: boolean) {
    this.lets = lets
  }

  probe(): Promise<void> {
    return this.lets ? Promise.resolve() : Promise.reject(new Error('Operation not permitted'))
  }

  holdDiskClass(thread: number): Promise<void> {
    this.asked.push(`${thread} disk`)
    return thread === SNAPSHOTS ? Promise.reject(new Error('No such process')) : Promise.resolve()
  }

  give(thread: number, to: SchedulingClass): Promise<void> {
    this.asked.push(`${thread} ${to}`)
    // The snapshots' thread has ended.
    return thread === SNAPSHOTS ? Promise.reject(new Error('No such process')) : Promise.resolve()
  }

  take(): string[] {
    return this.asked.splice(0)
  }
}

const both = (to: SchedulingClass | 'disk') => [`${INDEXER} ${to}`, `${SNAPSHOTS} ${to}`]

let published: BigInt64Array
let archived: BigInt64Array
let hurries: number
let sentences: string[]

beforeEach(() => {
  vi.useFakeTimers()
  published = new BigInt64Array(2)
  archived = new BigInt64Array(2)
  hurries = 0
  sentences = []
})
afterEach(() => vi.useRealTimers())

function backgroundOn(scheduler: Scheduler, isPaused?: () => boolean): Background {
  const log = (sentence: string) => sentences.push(sentence)
  return new Background({
    time: new FakedTime(),
    published,
    archived,
    log,
    scheduler,
    hurries: () => hurries,
    ...(isPaused && { isPaused }),
  })
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(1000 * count)

test('they are of the idle class while the exchange runs, and of the normal one when it stops', async () => {
  const kernel = new Kernel(true)
  const background = backgroundOn(kernel)
  await background.start(THREADS)
  expect(kernel.take()).toEqual([...both('disk'), ...both('idle')])
  await background.stop()
  expect(kernel.take()).toEqual(both('normal'))
  await seconds(100)
  expect(kernel.take()).toEqual([])
})

test('who could not leave the idle class does not enter it', async () => {
  const kernel = new Kernel(false)
  const background = backgroundOn(kernel)
  await background.start(THREADS)
  published[0] = 1n
  await seconds(100)
  await background.stop()
  expect(kernel.take()).toEqual([])
})

test('where threads have no numbers, nothing is asked for', async () => {
  const kernel = new Kernel(true)
  const background = backgroundOn(kernel)
  await background.start([])
  await background.stop()
  expect(kernel.take()).toEqual([])
})

test('a start that is stopped meanwhile leaves them in the normal class', async () => {
  const kernel = new Kernel(true)
  const background = backgroundOn(kernel)
  const started = background.start(THREADS)
  await background.stop()
  await started
  await seconds(100)
  expect(kernel.take()).toEqual([])
})

test('a stop waits for no answer, and what starts after it changes nothing', async () => {
  const kernel = new Kernel(true)
  const probe = () => new Promise<void>(() => {})
  const silent = backgroundOn(Object.assign(new Kernel(true), { probe }))
  void silent.start(THREADS)
  await silent.stop()
  const late = backgroundOn(kernel)
  await late.stop()
  await late.start(THREADS)
  expect(kernel.take()).toEqual([])
})

test('an indexer that gets no processor is given one until it has kept up for ten seconds', async () => {
  const kernel = new Kernel(true)
  const background = backgroundOn(kernel)
  await background.start(THREADS)
  kernel.take()
  published[1] = 5n
  await seconds(1)
  expect(kernel.take()).toEqual([])
  await seconds(1)
  expect(kernel.take()).toEqual(both('normal'))
  expect(sentences).toHaveLength(1)
  expect(sentences[0]).toContain('the archive falls behind')
  await seconds(5)
  archived[1] = 5n
  await seconds(9)
  expect(kernel.take()).toEqual([])
  await seconds(1)
  expect(kernel.take()).toEqual(both('idle'))
  expect(sentences[1]).toContain('The archive keeps up')
  await background.stop()
})

test('one that starves again soon waits twice as long, up to ten minutes, until it was well for as long', async () => {
  const kernel = new Kernel(true)
  const background = backgroundOn(kernel)
  await background.start(THREADS)
  kernel.take()
  const starve = async () => {
    published[0] += 5n
    await seconds(2)
    expect(kernel.take()).toEqual(both('normal'))
    archived[0] = published[0]!
  }
  const comeBack = async (after: number) => {
    await seconds(after - 1)
    expect(kernel.take()).toEqual([])
    await seconds(1)
    expect(kernel.take()).toEqual(both('idle'))
  }
  for (const after of [10, 20, 40, 80, 160, 320, 640, 640]) {
    await starve()
    await comeBack(after)
  }
  await seconds(637)
  await starve()
  await comeBack(640)
  await seconds(638)
  await starve()
  await comeBack(10)
  await background.stop()
})

test('one that is behind but continues is left alone, and so is one with nothing to do', async () => {
  const kernel = new Kernel(true)
  const background = backgroundOn(kernel)
  await background.start(THREADS)
  kernel.take()
  await seconds(10)
  for (let second = 1; second < 20; second++) {
    published[0] = BigInt(100 + second)
    if (second % 2 === 0) archived[0] = BigInt(second)
    await seconds(1)
  }
  expect(kernel.take()).toEqual([])
  await background.stop()
})

test('a thread in place of another one is of its class', async () => {
  const kernel = new Kernel(true)
  const background = backgroundOn(kernel)
  await background.start([INDEXER])
  kernel.take()
  background.replace(INDEXER, 13)
  await seconds(0)
  expect(kernel.take()).toEqual(['13 disk', '13 idle'])
  await background.stop()
  expect(kernel.take()).toEqual(['13 normal'])
  background.replace(13, 14)
  await seconds(0)
  expect(kernel.take()).toEqual([])
})

test('an indexer that pauses is not short of a processor', async () => {
  const kernel = new Kernel(true)
  let isPaused = true
  const background = backgroundOn(kernel, () => isPaused)
  await background.start(THREADS)
  published[0] = 5n
  await seconds(10)
  expect(sentences).toEqual([])
  isPaused = false
  await seconds(10)
  expect(sentences).toHaveLength(1)
  await background.stop()
})

test('a query that waits for the archive has it in the normal class within 100 ms, until it keeps up', async () => {
  const kernel = new Kernel(true)
  const background = backgroundOn(kernel)
  await background.start(THREADS)
  kernel.take()
  // The archive has all that there is: the query waits for something else.
  hurries++
  await seconds(0.1)
  expect(kernel.take()).toEqual([])
  published[0] = 100n
  await seconds(0.1)
  expect(kernel.take()).toEqual([])
  hurries++
  await seconds(0.1)
  expect(kernel.take()).toEqual(both('normal'))
  expect(sentences).toEqual([expect.stringContaining('queries wait for the archive')])
  await seconds(0.7)
  for (let second = 1; second <= 20; second++) {
    // It moves, but not enough.
    archived[0] = BigInt(second)
    hurries++
    await seconds(1)
  }
  archived[0] = 100n
  await seconds(8)
  expect(kernel.take()).toEqual([])
  await seconds(1)
  expect(kernel.take()).toEqual(both('idle'))
  await background.stop()
  expect(kernel.take()).toEqual(both('normal'))
  published[0] = 101n
  hurries++
  await seconds(1)
  expect(kernel.take()).toEqual([])
})
