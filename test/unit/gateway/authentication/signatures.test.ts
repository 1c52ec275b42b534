import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AccountId } from '../../../../src/base/units.ts'
import { SignatureCheck, verifierOf } from '../../../../src/gateway/authentication/signatures.ts'
import { signingKey } from '../test-keys.ts'

const secretKey = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j'
const rights = { apiKey: 'k'.repeat(64), account: AccountId(1), canRead: true, canTrade: true }
const hmacOf = (secret: string) => verifierOf({ ...rights, kind: 'HMAC', secretKey: secret })

const check = new SignatureCheck()

/** Whether the signature is that of the request. */
function verifies(query: string, body: string, signature: string, key = hmacOf(secretKey)) {
  check.begin()
  check.addUnsigned(query)
  check.addUnsigned(body)
  return check.matches(key, signature)
}

const head = 'symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC'
const tail = 'quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559'
const wide = `symbol=%EF%BC%91%EF%BC%92%EF%BC%93%EF%BC%94%EF%BC%95%EF%BC%96${head.slice(13)}&${tail}`
const whole = 'c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71'
const split = '0fd168b8ddb4876a0358a8d14d0c9f3da0e9b20c5d52b2a00fcf7d1c602f9a77'

describe('by HMAC', () => {
  test.each([
    ['all in the query', `${head}&${tail}&signature=${whole}`, '', whole],
    ['all in the body', '', `${head}&${tail}&signature=${whole}`, whole],
    ['split', head, `${tail}&signature=${split}`, split],
    ['signature first', `signature=${whole}&${head}&${tail}`, '', whole],
    ['signature between', `${head}&signature=${whole}&${tail}`, '', whole],
    ['signature alone in the body', `${head}&${tail}`, `signature=${whole}`, whole],
    ['signature alone in the query', `signature=${whole}`, `${head}&${tail}`, whole],
    ['upper case', `${head}&${tail}`, '', whole.toUpperCase()],
    [
      'percent-encoded',
      wide,
      '',
      'e1353ec6b14d888f1164ae9af8228a3dbd508bc82eb867db8ab6046442f33ef3',
    ],
  ])('documented vector: %s', (_, query, body, signature) => {
    expect(verifies(query, body, signature)).toBe(true)
  })

  test.each([
    ['a bit off', `${head}&${tail}`, `${whole.slice(0, -1)}0`],
    ['too short', `${head}&${tail}`, whole.slice(1)],
    ['too long', `${head}&${tail}`, `${whole}0`],
    ['empty', `${head}&${tail}`, ''],
    ['not hexadecimal at the end', `${head}&${tail}`, `${whole.slice(0, -1)}g`],
    ['not hexadecimal', `${head}&${tail}`, 'x'.repeat(64)],
    ['with a letter of other bytes', `${head}&${tail}`, `${whole.slice(0, -1)}\u0131`],
    ['with a letter whose low byte fits', `${head}&${tail}`, `\u0163${whole.slice(1)}`],
    ['with a control character', `${head}&${tail}`, whole.replace('2', '\u0012')],
    ['of other text', `${head}&${tail}&x=1`, whole],
    ['a name that only ends like it', `${head}&xsignature=1&${tail}`, whole],
  ])('refused: %s', (_, query, signature) => {
    expect(verifies(query, '', signature)).toBe(false)
  })

  test('refused with any one digit changed', () => {
    for (let at = 0; at < whole.length; at++) {
      const digit = (Number.parseInt(whole[at]!, 16) ^ 1).toString(16)
      const other = whole.slice(0, at) + digit + whole.slice(at + 1)
      expect(verifies(`${head}&${tail}`, '', other)).toBe(false)
    }
  })

  test('refused with what the check before it was given', () => {
    expect(verifies(`${head}&${tail}`, '', whole)).toBe(true)
    expect(verifies(`${head}&${tail}`, '', 'x'.repeat(64))).toBe(false)
    expect(verifies(`${head}&${tail}`, '', `${whole.slice(0, 62)}xx`)).toBe(false)
  })

  test('agree with createHmac for any encoded text and any secret', () => {
    const text = fc.string({ unit: 'binary-ascii', maxLength: 300 })
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
          expect(verifies(query, body, signature, hmacOf(secret))).toBe(true)
          expect(verifies(query, `${body}x`, signature, hmacOf(secret))).toBe(false)
        },
      ),
    )
  })

  test('of a message that was not percent-encoded are refused', () => {
    const query = 'symbol=１２３４５６&timestamp=1499827319559'
    const signature = createHmac('sha256', secretKey).update(query).digest('hex')
    expect(verifies(query, '', signature)).toBe(false)
    expect(verifies(`${head}&${tail}`, '', whole)).toBe(true)
  })

  test('of a message that does not fit are refused', () => {
    expect(verifies('a'.repeat(10_000_000), '', whole)).toBe(false)
  })
})

describe.each([
  ['RSA of 2048 bits', signingKey('RSA')],
  ['RSA of 3072 bits', signingKey('RSA', {}, 3072)],
  ['RSA of 4096 bits', signingKey('RSA', {}, 4096)],
  ['Ed25519', signingKey('ED25519')],
])('by %s', (_, pair) => {
  const verifier = verifierOf(pair.spec)
  const encoded = (text: string) => encodeURIComponent(pair.sign(text))
  const both = `${head}&${tail}`

  test.each([
    ['all in the query', `${both}&signature=${encoded(both)}`, '', both],
    ['all in the body', '', `${both}&signature=${encoded(both)}`, both],
    ['split', head, `${tail}&signature=${encoded(head + tail)}`, head + tail],
    ['signature first', `signature=${encoded(both)}&${both}`, '', both],
    ['percent-encoded text', 'symbol=%EF%BC%91', '', 'symbol=%EF%BC%91'],
    ['no text', '', '', ''],
  ])('right: %s', (__, query, body, signed) => {
    expect(verifies(query, body, pair.sign(signed), verifier)).toBe(true)
  })

  test('over other text, or under another key, it is wrong', () => {
    expect(verifies(both, 'x', pair.sign(both), verifier)).toBe(false)
    const plain = decodeURIComponent('symbol=%EF%BC%91')
    expect(verifies('symbol=%EF%BC%91', '', pair.sign(plain), verifier)).toBe(false)
    for (const other of [signingKey('RSA'), signingKey('ED25519')]) {
      expect(verifies(both, '', other.sign(both), verifier)).toBe(false)
    }
    expect(verifies(both, '', whole, verifier)).toBe(false)
  })

  const right = pair.sign(both)
  const swapped = right.replace(/[a-zA-Z]/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  test.each([
    ['a letter in its other case', swapped],
    ['upper case', right.toUpperCase()],
    ['without padding', right.replaceAll('=', '')],
    ['with a line end', `${right}\n`],
    ['of another alphabet', right.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')],
    ['hexadecimal', Buffer.from(right, 'base64').toString('hex')],
    ['empty', ''],
    ['cut short', right.slice(0, -4)],
  ])('wrong: %s', (__, signature) => {
    expect(verifies(both, '', signature, verifier)).toBe(signature === right)
  })

  test('whatever is sent as one is refused, and never thrown over', () => {
    const bytes = fc.uint8Array({ maxLength: 600 })
    const base64 = bytes.map((it) => Buffer.from(it).toString('base64'))
    fc.assert(
      fc.property(fc.oneof(fc.string(), base64), (signature) => {
        expect(verifies(both, '', signature, verifier)).toBe(false)
      }),
    )
  })
})

test('Ed25519 as RFC 8032 shows it (7.1, test 2)', () => {
  const raw = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'
  const spki = Buffer.from(`302a300506032b6570032100${raw}`, 'hex').toString('base64')
  const publicKey = `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`
  const signature = Buffer.from(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
      '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    'hex',
  ).toString('base64')
  const verifier = verifierOf({ ...rights, kind: 'ED25519', publicKey })
  expect(verifies('r', '', signature, verifier)).toBe(true)
  expect(verifies('s', '', signature, verifier)).toBe(false)
})
