/** The benchmark's commands are what their options say, and the same for the same seed. */
import { expect, test } from 'vitest'
import {
  bookCommandsFile,
  COMMAND_WORDS,
  CommandKind,
  FILE_HEADER_WORDS,
  FILE_MAGIC,
  FileHeader,
  generateBookCommands,
} from '../../bench/workloads/book-commands.ts'

const shape = { priceTicksMax: 100_000_000, ordersMax: 2048, accountsMax: 64 }
const options = { count: 20_000, seed: 3, shape, accounts: 50, restingTarget: 500 }

test('the same seed gives the same bytes, another seed others', () => {
  const bytes = bookCommandsFile(generateBookCommands(options))
  expect(bookCommandsFile(generateBookCommands(options))).toEqual(bytes)
  expect(bookCommandsFile(generateBookCommands({ ...options, seed: 4 }))).not.toEqual(bytes)
})

test('the file says how it is to be read', () => {
  const commands = generateBookCommands(options)
  const file = new Int32Array(bookCommandsFile(commands).buffer)
  expect(file[FileHeader.MAGIC]).toBe(FILE_MAGIC)
  expect(file[FileHeader.COMMAND_COUNT]).toBe(options.count)
  expect(file[FileHeader.PRICE_TICKS_MAX]).toBe(shape.priceTicksMax)
  expect(file[FileHeader.ORDERS_MAX]).toBe(shape.ordersMax)
  expect(file[FileHeader.ACCOUNTS_MAX]).toBe(shape.accountsMax)
  expect(file.subarray(FILE_HEADER_WORDS)).toEqual(commands.words)
})

test('mix, depth and spread are as stated', () => {
  const { words, cancelShare, fills, restingOrders, restingLevels } = generateBookCommands(options)
  const prices: number[] = []
  for (let at = 0; at < words.length; at += COMMAND_WORDS) {
    if (words[at] !== CommandKind.CANCEL) prices.push(words[at + 1]!)
  }
  expect(cancelShare).toBeGreaterThan(0.4)
  expect(cancelShare).toBeLessThan(0.6)
  expect(1 - prices.length / options.count).toBeCloseTo(cancelShare)
  expect(fills).toBeGreaterThan(options.count * 0.05)
  expect(restingOrders).toBeGreaterThan(options.restingTarget * 0.6)
  expect(restingLevels).toBeGreaterThan(restingOrders * 0.5)
  expect(Math.min(...prices)).toBeLessThan(shape.priceTicksMax * 0.01)
  expect(Math.max(...prices)).toBeGreaterThan(shape.priceTicksMax * 0.95)
  expect(prices.every((price) => price >= 1 && price <= shape.priceTicksMax)).toBe(true)
})
