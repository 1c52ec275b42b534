/** 100,000 random books against brute force. `RINGBOOK_AUCTIONS=1000000` tries as many. */
import { test } from 'vitest'
import { expectBruteForce } from '../model/random-auctions.ts'

const BOOKS = Number(process.env.RINGBOOK_AUCTIONS ?? 100_000)

test(
  'the price of an auction is that of brute force over all prices',
  () => expectBruteForce(BOOKS),
  60_000 + BOOKS * 2,
)
