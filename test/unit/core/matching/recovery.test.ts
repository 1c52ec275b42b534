/**
 * Whatever an engine executes, another that only applies its events comes to the same state after
 * every command, and their effects to the same balances.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Side, SymbolStatus } from '../../../../src/base/codes.ts'
import { Lots, Ms } from '../../../../src/base/units.ts'
import type { Book } from '../../../../src/core/book/book.ts'
import { checkBook } from '../../../../src/core/book/invariants.ts'
import { applyEffects } from '../../../../src/core/ledger/effects.ts'
import { readSymbol, writeSymbol } from '../../../../src/core/matching/symbol-image.ts'
import { stateHash } from '../../../../src/core/state-hash.ts'
import { ImageReader, ImageWriter } from '../../../../src/layout/image.ts'
import { RecordBuffer, recordLength } from '../../../../src/layout/record-buffer.ts'
import type { NamedRecord } from '../../../sim/records.ts'
import { Tape, tapeSymbol } from './tape.ts'

const account = fc.constantFrom(1, 2, 3, 4)
const side = fc.constantFrom('BUY', 'SELL')
const lots = fc.integer({ min: 1, max: 9 })
const price = fc.integer({ min: 95, max: 105 })
const mode = fc.constantFrom('', ' none', ' taker', ' maker', ' both', ' decrement', ' transfer')
const orderId = fc.integer({ min: 1, max: 60 })
const delta = fc.constantFrom(100, 300, 800)
const timeInForce = fc.constantFrom('', ' IOC', ' FOK')

const text = (parts: TemplateStringsArray, ...values: fc.Arbitrary<string | number>[]) =>
  fc.tuple(...values).map((chosen) => String.raw({ raw: parts }, ...chosen))

const plain = text`${side} ${lots} @ ${price}${timeInForce}${mode}`
const market = text`${side} ${lots}${mode}`
const byAmount = text`${side} for ${fc.integer({ min: 90, max: 900 })}${mode}`
const maker = text`${side} ${lots} @ ${price} MAKER${mode}`
const iceberg = text`${side} 9 @ ${price} show ${fc.integer({ min: 1, max: 8 })}${mode}`
const trigger = fc.oneof(text`stop ${price}`, text`profit ${price}`)
const stop = fc.oneof(
  text`${side} ${lots} ${trigger}${mode}`,
  text`${side} ${lots} @ ${price}${timeInForce} ${trigger}${mode}`,
  text`${side} 9 @ ${price} ${trigger} show 4${mode}`,
  text`${side} ${lots} ${trigger} trail ${delta}${mode}`,
  text`${side} ${lots} trail ${delta}${mode}`,
  text`${side} ${lots} @ ${price} profit trail ${delta}${mode}`,
)
const pair = fc.tuple(side, lots, price, price, mode).map(([of, n, low, high, how]) => {
  const [stopAt, limitAt] = of === 'SELL' ? [low - 6, high + 6] : [high + 6, low - 6]
  return `${of} ${n} stop ${stopAt}${how} | ${of} ${n} @ ${limitAt} MAKER${how}`
})
const strategy = text`${side} ${lots} @ ${price} strategy 7${mode}`
const pending = fc.oneof(plain, market, maker, iceberg, stop, strategy)
/** What sells what a working order buys has no quantity before. */
const unsized = fc.oneof(
  text`SELL 0 @ ${price}${timeInForce}${mode}`,
  text`SELL 0${mode}`,
  text`SELL 0 @ ${price} show 3${mode}`,
  text`SELL 0 ${trigger}${mode}`,
)
const unsizedPair = fc.tuple(price, price, mode).map(([low, high, how]) => {
  return `SELL 0 stop ${low - 6}${how} | SELL 0 @ ${high + 6} MAKER${how}`
})
const single = fc.oneof(plain, plain, byAmount, pending, pending)
const working = text`${side} ${lots} @ ${price}${timeInForce}${mode}`
const buying = text`BUY ${lots} @ ${price}${timeInForce}${mode}`
const line = fc.oneof(
  { weight: 12, arbitrary: text`${account} ${single}` },
  { weight: 2, arbitrary: text`${account} oco ${pair}` },
  { weight: 2, arbitrary: text`${account} oto ${working} | ${pending}` },
  { weight: 2, arbitrary: text`${account} otoco ${working} | ${pair}` },
  { weight: 2, arbitrary: text`${account} opo ${buying} | ${unsized}` },
  { weight: 2, arbitrary: text`${account} opoco ${buying} | ${unsizedPair}` },
  { weight: 2, arbitrary: text`${account} cancel ${orderId}` },
  { weight: 1, arbitrary: text`${account} replace ${orderId} anyway | ${single}` },
  { weight: 3, arbitrary: text`${account} amend ${orderId} to ${lots}` },
  { weight: 1, arbitrary: text`${account} amend ${orderId} to ${lots} as new${lots}` },
  { weight: 1, arbitrary: fc.constant('1 cancel all') },
)

test.each([8, 64])('with room for %i orders', (ordersMax) => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 80, size: 'max' }), (lines) => {
      const live = new Tape({}, { ordersMax })
      const recovered = new Tape({}, { ordersMax })
      for (const [index, text] of lines.entries()) {
        live.nowMs = Ms(live.nowMs + (index % 3))
        live.records(text)
        const { events, eventsEnd } = live.output
        for (let at = 0; at < eventsEnd; at += recordLength(events, at)) {
          recovered.engine.recover(events, at)
          applyEffects(events, at, tapeSymbol, recovered.balances)
        }
        expect(stateHash([recovered.engine], recovered.balances), text).toBe(
          stateHash([live.engine], live.balances),
        )
        checkBook(live.engine.book as Book)
        for (const tape of [live, recovered]) checkLevelBound(tape)
      }
    }),
    { numRuns: 150 },
  )
})

/** No level shows more than the state takes for possible without a look at it. */
function checkLevelBound({ engine: { book, state } }: Tape): void {
  for (const side of [Side.BUY, Side.SELL]) {
    book.forEachLevel(side, (_, shownLots) => {
      expect(state.shown.mayExceed(shownLots - 1, book.orderCount, Lots(0))).toBe(true)
    })
  }
}

const near = fc.integer({ min: 97, max: 103 })
const crowded = fc.oneof(
  { weight: 6, arbitrary: text`${account} ${plain}` },
  { weight: 6, arbitrary: text`${account} ${side} ${lots} stop ${near}` },
  { weight: 2, arbitrary: text`${account} ${side} ${lots} @ ${price} profit ${near}` },
  { weight: 2, arbitrary: text`${account} ${side} ${lots} trail ${delta}` },
  { weight: 3, arbitrary: text`${account} otoco ${working} | ${pair}` },
  { weight: 2, arbitrary: text`${account} oto ${working} | ${pending}` },
  { weight: 2, arbitrary: text`${account} oco ${pair}` },
  { weight: 3, arbitrary: text`${account} opoco ${buying} | ${unsizedPair}` },
  { weight: 2, arbitrary: text`${account} opo ${buying} | ${unsized}` },
  { weight: 1, arbitrary: text`${account} replace ${orderId} anyway | ${single}` },
  { weight: 1, arbitrary: text`${account} cancel all` },
)

const isEvent = (record: NamedRecord) => record.sequence !== undefined

/** A tape that is killed now and then; another is recovered from its journal batch by batch. */
class KilledTape {
  live: Tape
  private recovered: Tape
  private readonly batchBytes: number
  private readonly journal: { readonly events: RecordBuffer; readonly end: number }[] = []

  constructor(batchBytes: number) {
    this.batchBytes = batchBytes
    this.live = this.empty()
    this.recovered = this.empty()
  }

  /** One batch: a line, or without one what the batch before had no room for. */
  run(line?: string): NamedRecord[] {
    const { live } = this
    const records = line === undefined ? live.goOn() : live.records(line)
    const end = live.output.eventsEnd
    const events = RecordBuffer.allocate(end)
    events.bytes.set(live.output.events.bytes.subarray(0, end))
    this.journal.push({ events, end })
    apply(this.recovered, events, end)
    const hash = stateHash([live.engine], live.balances)
    expect(stateHash([this.recovered.engine], this.recovered.balances)).toBe(hash)
    const imaged = this.imaged()
    expect(stateHash([imaged.engine], live.balances)).toBe(hash)
    checkLevelBound(imaged)
    return records
  }

  kill(): void {
    this.recovered.follow(this.live)
    this.live = this.recovered
    this.recovered = this.empty()
    for (const { events, end } of this.journal) apply(this.recovered, events, end)
  }

  private empty(): Tape {
    return new Tape({}, { ordersMax: 64, batchBytes: this.batchBytes })
  }

  /** Made of a snapshot of what was recovered. */
  private imaged(): Tape {
    const tape = this.empty()
    const writer = new ImageWriter()
    writeSymbol(this.recovered.engine.state, writer)
    const image = writer.bytes()
    readSymbol(tape.engine.state, new ImageReader(image))
    return tape
  }
}

function apply(tape: Tape, events: RecordBuffer, end: number): void {
  for (let at = 0; at < end; at += recordLength(events, at)) {
    tape.engine.recover(events, at)
    applyEffects(events, at, tapeSymbol, tape.balances)
  }
}

// Batches have room for one execution, or for some.
test.each([1, 1200])('what a batch of %i bytes leaves unfinished survives a kill', (batchBytes) => {
  let kills = 0
  fc.assert(
    fc.property(fc.array(crowded, { maxLength: 80, size: 'max' }), fc.nat(2), (lines, first) => {
      const whole = new Tape({}, { ordersMax: 64, batchBytes: Number.POSITIVE_INFINITY })
      const tape = new KilledTape(batchBytes)
      let batches = first
      for (const [index, line] of lines.entries()) {
        const isOfAll = line.endsWith('all')
        const told = tape.run(line)
        while (tape.live.engine.isUnfinished) {
          // What a cancel of all leaves is forgotten by a kill.
          if (!isOfAll && batches++ % 3 === 0) {
            tape.kill()
            kills++
          }
          expect(tape.live.engine.isUnfinished).toBe(true)
          told.push(...tape.run())
        }
        const all = whole.records(line)
        // Each piece of a cancel of all has its own lists.
        if (!isOfAll) expect(told.filter(isEvent), line).toEqual(all.filter(isEvent))
        else expect(told.length, line).toBe(all.length)
        tape.live.nowMs = Ms(tape.live.nowMs + (index % 3))
        whole.nowMs = tape.live.nowMs
      }
      expect(stateHash([tape.live.engine], tape.live.balances)).toBe(
        stateHash([whole.engine], whole.balances),
      )
    }),
    { numRuns: 60 },
  )
  expect(kills).toBeGreaterThan(10)
})

test.each([
  '2 SELL 6 @ 99 decrement',
  // Its result ends it, which no journal has.
  '2 replace 7 anyway | SELL 6 @ 99 decrement',
])('an order whose execution is over rests, whatever follows that concerns it: %s', (line2) => {
  const tape = new Tape({ status: SymbolStatus.AUCTION_MATCH })
  const next = new Tape({ status: SymbolStatus.AUCTION_MATCH })
  const run = (line: string) => {
    tape.nowMs = Ms(tape.nowMs + 1)
    const lines = tape.run(line)
    apply(next, tape.output.events, tape.output.eventsEnd)
    return lines
  }
  for (const line of ['1 BUY 5 @ 110', line2]) run(line)
  tape.join(1, 2)
  expect(run('1 amend 1 to 4').slice(1)).toEqual([
    'prevented 0 of 2 and 1: taker 4, maker 4, group 9',
    'closed 1: EXPIRED_IN_MATCH, filled 0, prevented 4, released 440',
    'decremented 2: prevented 4, released 4',
  ])
  expect(stateHash([next.engine], next.balances)).toBe(stateHash([tape.engine], tape.balances))
})
