import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usualAccount } from '../../../src/base/listing.ts'
import {
  type ApiKey,
  expiryOf,
  isApiKeyFormat,
  KeyRing,
  SignatureCheck,
  TimingFault,
} from '../../../src/gateway/auth.ts'

const secretKey = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j'
const apiKey = 'vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A'
const owner = {
  id: 1,
  name: 'owner',
  ...usualAccount,
}

function keyWith(secret: string): ApiKey {
  const spec = { apiKey, secretKey: secret, account: 1, canRead: true, canTrade: true }
  return new KeyRing([spec], [owner]).find(apiKey)!
}

const check = new SignatureCheck()

/** Whether the request's own signature is right under the key. */
function verifies(query: string, body: string, signature: string, key = keyWith(secretKey)) {
  check.begin()
  check.addUnsigned(query)
  check.addUnsigned(body)
  return check.matches(key, signature)
}

const head = 'symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC'
const tail = 'quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559'
const whole = 'c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71'
const split = '0fd168b8ddb4876a0358a8d14d0c9f3da0e9b20c5d52b2a00fcf7d1c602f9a77'

describe('signatures', () => {
  test.each([
    ['all in the query', `${head}&${tail}&signature=${whole}`, '', whole],
    ['all in the body', '', `${head}&${tail}&signature=${whole}`, whole],
    ['split', head, `${tail}&signature=${split}`, split],
    ['signature first', `signature=${whole}&${head}&${tail}`, '', whole],
    ['signature between', `${head}&signature=${whole}&${tail}`, '', whole],
    ['signature alone in the body', `${head}&${tail}`, `signature=${whole}`, whole],
    ['signature alone in the query', `signature=${whole}`, `${head}&${tail}`, whole],
    ['upper case', `${head}&${tail}`, '', whole.toUpperCase()],
  ])('documented vector: %s', (_, query, body, signature) => {
    expect(verifies(query, body, signature)).toBe(true)
  })

  test.each([
    ['a bit off', `${head}&${tail}`, `${whole.slice(0, -1)}0`],
    ['too short', `${head}&${tail}`, whole.slice(1)],
    ['too long', `${head}&${tail}`, `${whole}0`],
    ['empty', `${head}&${tail}`, ''],
    ['of other text', `${head}&${tail}&x=1`, whole],
    ['a name that only ends like it', `${head}&xsignature=1&${tail}`, whole],
  ])('refused: %s', (_, query, signature) => {
    expect(verifies(query, '', signature)).toBe(false)
  })

  test('agree with createHmac for any text and secret', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 })
    fc.assert(
      fc.property(
        text,
        text,
        fc.string({ minLength: 1, maxLength: 200 }),
        (query, body, secret) => {
          fc.pre(!query.includes('signature=') && !body.includes('signature='))
          const signature = createHmac('sha256', secret)
            .update(query + body)
            .digest('hex')
          expect(verifies(query, body, signature, keyWith(secret))).toBe(true)
          expect(verifies(query, `${body}x`, signature, keyWith(secret))).toBe(false)
        },
      ),
    )
  })

  test('of a message that does not fit are refused', () => {
    expect(verifies('a'.repeat(10_000_000), '', whole)).toBe(false)
  })
})

test.each([
  ['a'.repeat(64), true],
  [apiKey, true],
  ['a'.repeat(63), false],
  ['a'.repeat(65), false],
  [`${'a'.repeat(63)}-`, false],
  [`${'a'.repeat(63)}é`, false],
  ['', false],
])('%s is an API key: %s', (text, expected) => {
  expect(isApiKeyFormat(text)).toBe(expected)
})

describe('the window of time', () => {
  const now = 1_700_000_000_000
  const { TOO_OLD, AHEAD, RECV_WINDOW_TOO_LARGE } = TimingFault
  test.each([
    ['now', now, 5_000_000, now + 5_000],
    ['at its far end', now - 5_000, 5_000_000, now],
    ['past it', now - 5_001, 5_000_000, TOO_OLD],
    ['just ahead', now + 999, 5_000_000, now + 5_999],
    ['too far ahead', now + 1_000, 5_000_000, AHEAD],
    ['in microseconds', now * 1_000 + 999, 5_000_000, now + 5_000],
    ['a microsecond too old', now * 1_000 - 5_000_001, 5_000_000, TOO_OLD],
    ['with a window of decimals', now - 2, 2_500, now],
    ['with a window of none', now, 0, now],
    ['with the largest window', now - 60_000, 60_000_000, now],
    ['with a larger one', now, 60_000_001, RECV_WINDOW_TOO_LARGE],
    ['of zero', 0, 5_000_000, TOO_OLD],
  ])('a timestamp %s', (_, timestamp, recvWindow, expected) => {
    expect(expiryOf(timestamp, recvWindow, now)).toBe(expected)
  })
})
