/** Sums of trades through a snapshot: what is read goes on as what was written. */
import { expect, test } from 'vitest'
import { Prng } from '../../../../src/base/prng.ts'
import { Lots, Ms, TickLots } from '../../../../src/base/units.ts'
import { TradeSums } from '../../../../src/core/views/trade-sums.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'

const WINDOW_MS = 500

test.each([1, 2, 3, 4, 5])('from seed %d', (seed) => {
  const prng = new Prng(seed)
  const written = new TradeSums(WINDOW_MS)
  let timeMs = 1_000
  const addTo = (...all: TradeSums[]) => {
    timeMs += prng.pick([0, 1, 7, 90])
    const [tickLots, lots] = [prng.between(1, 2 ** 50), prng.between(1, 2 ** 50)]
    for (const sums of all) sums.add(Ms(timeMs), TickLots(tickLots), Lots(lots))
  }
  for (let left = prng.pick([0, 1, 40, 400]); left > 0; left--) addTo(written)
  const image = new ImageWriter()
  written.write(image)
  const read = new TradeSums(WINDOW_MS)
  const reader = new ImageReader(image.bytes())
  read.read(reader)
  expect(reader.isRead).toBe(true)
  for (let step = 0; step < 100; step++) {
    for (let fromMs = timeMs - WINDOW_MS; fromMs <= timeMs + 1; fromMs += 50) {
      expect(read.since(Ms(fromMs))).toEqual(written.since(Ms(fromMs)))
    }
    addTo(written, read)
  }
})
