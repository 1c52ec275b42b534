/** Each patched defect is found by the test file of its row, in a copy of the checkout. */
import { availableParallelism } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import { Checkout } from './checkout.ts'
import { patches } from './patches.ts'

/** All of them wait for a copy; the usual run of one takes some seconds. */
const PATIENCE_MS = 1_800_000
const COPIES = availableParallelism()

const free: Checkout[] = []
const waiting: ((checkout: Checkout) => void)[] = []
let made = 0
afterAll(() => {
  for (const checkout of free) checkout.remove()
})

async function inCopy<Result>(use: (checkout: Checkout) => Promise<Result>): Promise<Result> {
  const checkout = await takeCopy()
  try {
    return await use(checkout)
  } finally {
    const next = waiting.shift()
    if (next === undefined) free.push(checkout)
    else next(checkout)
  }
}

function takeCopy(): Promise<Checkout> | Checkout {
  const known = free.pop()
  if (known !== undefined) return known
  if (made === COPIES) return new Promise((resolve) => waiting.push(resolve))
  made++
  return new Checkout()
}

test(
  'without a defect their tests pass',
  async () => {
    const run = await inCopy((checkout) => checkout.run([...new Set(patches.map((it) => it.test))]))
    expect(run, run?.output).toMatchObject({ failed: 0, output: '' })
    expect(run?.passed).toBeGreaterThan(0)
  },
  PATIENCE_MS,
)

for (const defect of patches) {
  test.concurrent(
    defect.name,
    async () => {
      const run = await inCopy((checkout) => checkout.find(defect))
      expect(run?.failed, run?.output).toBeGreaterThan(0)
    },
    PATIENCE_MS,
  )
}
