/** Block trades whose id the matcher may have forgotten: what the gateway makes of the archive's answer. */
import { expect, test } from 'vitest'
import { btcusdt } from '../../../bench/workloads/fake-context.ts'
import type { CommandSlot, Context } from '../../../src/api/context.ts'
import { RejectReason } from '../../../src/base/codes.ts'
import { AccountId, Atoms, Lots, Ms, QuoteAtoms, SymbolId, Ticks } from '../../../src/base/units.ts'
import { makeBlockTrade } from '../../../src/gateway/block-trade.ts'
import type { BlockTradeOfRequest } from '../../../src/history/market-history.ts'
import { TradeBlock } from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { blockTrade, rejected } from '../../protocol/records.ts'

const terms = { buyer: AccountId(1), seller: AccountId(2), priceTicks: Ticks(3), lots: Lots(4) }
const query = {
  ask: 'blockTrade' as const,
  symbolId: SymbolId(0),
  ...terms,
  rate: 0,
  requestId: 'a',
}
const made = {
  ...terms,
  blockTradeId: 7,
  quoteAtoms: QuoteAtoms(12),
  buyerCommissionAtoms: Atoms(0),
  sellerCommissionAtoms: Atoms(0),
  timeMs: Ms(5),
}

/** The answer, and what each command said that the archive has; the matcher has forgotten up to `forgottenId`. */
async function ask(forgottenId: number, past: () => Promise<BlockTradeOfRequest>) {
  const archived: number[] = []
  const command = (): CommandSlot => {
    const buffer = RecordBuffer.allocate(TradeBlock.bytes)
    const submit: CommandSlot['submit'] = (_type, _bytes, collector) => {
      archived.push(TradeBlock.archivedId(buffer, 0))
      const answer = RecordBuffer.allocate(256)
      const isNew = archived.at(-1)! >= forgottenId
      const write = isNew ? blockTrade : rejected(RejectReason.ID_FORGOTTEN)
      write(answer)
      collector.record(answer, 0)
      collector.done()
    }
    return { buffer, at: 0, submit }
  }
  const context = { symbols: [btcusdt], command, history: { blockTradeOf: past } }
  const answer = await makeBlockTrade(query, context as unknown as Context)
  return { answer, archived }
}

test('the archive is not asked where none was forgotten', async () => {
  const { answer, archived } = await ask(0, () => Promise.reject(new Error('no archive')))
  expect(answer).toMatchObject({ value: { blockTradeId: 582, isKnown: false } })
  expect(archived).toEqual([0])
})

test('one that the archive does not have is made', async () => {
  const { answer, archived } = await ask(9, async () => ({ made: undefined, lastId: 9 }))
  expect(answer).toMatchObject({ value: { blockTradeId: 582, isKnown: false } })
  expect(archived).toEqual([0, 9])
})

test('one that the archive has is not made again', async () => {
  const { answer, archived } = await ask(9, async () => ({ made, lastId: 9 }))
  expect(answer).toMatchObject({ value: { blockTradeId: 7, timeMs: 5, isKnown: true } })
  expect(archived).toEqual([0])
})

test.each(Object.keys(terms))('one whose %s differs in the archive is refused', async (name) => {
  const another = { ...made, [name]: 99 }
  const { answer } = await ask(9, async () => ({ made: another, lastId: 9 }))
  expect(answer).toEqual({ refused: 'Another block trade of the symbol has this id.' })
})

test.each([
  ['is behind', async () => ({ made: undefined, lastId: 8 })],
  ['fails', () => Promise.reject(new Error('It takes too long.'))],
])('none is made while the archive %s', async (_, past) => {
  const { answer } = await ask(9, past)
  expect(answer.refused).toContain('which is behind or fails. Send it again.')
})
