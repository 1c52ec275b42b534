/** A book that is smaller than what was once open reports it, from a journal and from a snapshot alike. */
import { expect, test } from 'vitest'
import { readSymbol, writeSymbol } from '../../../../src/core/matching/symbol-image.ts'
import { NoRoomError } from '../../../../src/core/matching/symbol-state.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'
import { recordLength } from '../../../../src/layout/record-buffer.ts'
import { Tape } from './tape.ts'

const orders = (prices: readonly number[]) => prices.map((price) => `1 BUY 1 @ ${price}`)

test.each([
  ['orders at one price', orders([5, 5, 5])],
  ['orders at several prices', orders([5, 6, 7])],
  ['stops', ['1 SELL 1 stop 9', '1 SELL 1 stop 8', '1 SELL 1 stop 7']],
  ['orders that rest and wait', ['1 SELL 1 stop 2', ...orders([5, 5])]],
  ['icebergs', ['1 BUY 3 @ 5 show 1', ...orders([5, 5])]],
])('%s', (_, lines) => {
  const tape = new Tape({}, { ordersMax: 4 })
  const small = new Tape({}, { ordersMax: 2 })
  const view = () => {
    for (const line of lines) {
      tape.run(line)
      const { events, eventsEnd } = tape.output
      for (let at = 0; at < eventsEnd; at += recordLength(events, at)) {
        small.engine.recover(events, at)
      }
    }
  }
  expect(view).toThrow(NoRoomError)
  const writer = new ImageWriter()
  writeSymbol(tape.engine.state, writer)
  const image = new ImageReader(writer.bytes())
  expect(() => readSymbol(new Tape({}, { ordersMax: 2 }).engine.state, image)).toThrow(
    'The book of REDBLUE has no room for what was open on it.',
  )
})
