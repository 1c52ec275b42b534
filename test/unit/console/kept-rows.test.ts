/** Rows of the account's past: read once, then kept by events. */
import { expect, test } from 'vitest'
import { KeptRows } from '../../../src/console/trade/kept-rows.ts'

interface Row {
  readonly id: number
  readonly text: string
}

const rowOf = (id: number, text = 'read'): Row => ({ id, text })
const make = () =>
  new KeptRows<Row>(
    'all',
    ({ id }) => id,
    ({ id }) => id,
  )

/** A session whose reads wait until they are answered. */
function sessionOf() {
  const answers: ((rows: readonly Row[]) => void)[] = []
  const read = <Body>() =>
    new Promise<Body>((resolve) => answers.push((rows) => resolve(rows as Body)))
  return { answers, session: { isFollowing: true, read } }
}

test('a page is read once for each reading of the account, and events follow it', async () => {
  const kept = make()
  const { answers, session } = sessionOf()
  kept.take('A', rowOf(9, 'of a market that was never shown'))
  const reading = kept.read(session, 'A', 1)
  await kept.read(session, 'A', 1)
  expect(answers).toHaveLength(1)
  kept.take('A', rowOf(2, 'event'))
  answers[0]!([rowOf(1), rowOf(2)])
  await reading
  expect(kept.of('A')).toEqual([rowOf(2, 'event'), rowOf(1)])
  kept.take('A', rowOf(3, 'event'))
  expect(kept.of('A').map(({ id }) => id)).toEqual([3, 2, 1])
  void kept.read(session, 'A', 2)
  expect(answers).toHaveLength(2)
  kept.clear()
  expect(kept.of('A')).toEqual([])
})

test('a hundred rows of twenty markets are kept, the newest', () => {
  const kept = make()
  for (let i = 0; i <= 20; i++) kept.of(`M${i}`)
  for (let id = 1; id <= 250; id++) for (const market of ['M0', 'M20']) kept.take(market, rowOf(id))
  expect(kept.of('M0')).toEqual([])
  expect(kept.of('M20').map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, i) => 250 - i))
})

test('older rows are read on request, until there are none', async () => {
  const kept = make()
  const { answers, session } = sessionOf()
  const rows = (from: number, until: number) =>
    Array.from({ length: until - from }, (_, i) => rowOf(from + i))
  const reading = kept.read(session, 'A', 1)
  answers[0]!(rows(1_200, 1_300))
  await reading
  expect(kept.hasOlder('A')).toBe(true)
  const older = kept.readOlder(session, 'A')
  expect(await kept.readOlder(session, 'A')).toBe(false)
  // The page ends with the oldest row that is known.
  answers[1]!(rows(201, 1_201))
  expect(await older).toBe(true)
  expect([kept.of('A').length, kept.of('A').at(-1)?.id, kept.hasOlder('A')]).toEqual([
    ...[1_099, 201, true],
  ])
  kept.take('A', rowOf(1_300, 'event'))
  expect(kept.of('A').map(({ id }) => id)).toEqual(expect.arrayContaining([1_300, 201]))
  const rest = kept.readOlder(session, 'A')
  answers[2]!(rows(0, 202))
  await rest
  expect([kept.of('A').length, kept.hasOlder('A')]).toEqual([1_301, false])
})

test('rows before a gap in what is known are dropped', async () => {
  const kept = make()
  const { answers, session } = sessionOf()
  const page = (from: number) => Array.from({ length: 100 }, (_, i) => rowOf(from + i))
  const reading = kept.read(session, 'A', 1)
  answers[0]!(page(100))
  await reading
  const older = kept.readOlder(session, 'A')
  answers[1]!(page(1))
  await older
  for (const [at, from] of [150, 500].entries()) {
    const again = kept.read(session, 'A', at + 2)
    answers[at + 2]!(page(from))
    await again
    expect(kept.of('A')).toHaveLength(from === 150 ? 249 : 100)
  }
  expect(kept.of('A').at(-1)?.id).toBe(500)
  expect(kept.hasOlder('A')).toBe(true)
})

test('rows that give way to newer ones can be read again', async () => {
  const kept = make()
  const { answers, session } = sessionOf()
  const reading = kept.read(session, 'A', 1)
  answers[0]!([rowOf(0)])
  await reading
  expect(kept.hasOlder('A')).toBe(false)
  for (let id = 1; id <= 99; id++) kept.take('A', rowOf(id))
  expect(kept.hasOlder('A')).toBe(false)
  kept.take('A', rowOf(100))
  expect(kept.hasOlder('A')).toBe(true)
})
