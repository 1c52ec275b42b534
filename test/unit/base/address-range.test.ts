import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInRange, mappedAddress, parseAddressRanges } from '../../../src/base/address-range.ts'

/** The one address that the text names, as 16 bytes in hexadecimal. */
const hexOf = (text: string): string => {
  const [range] = parseAddressRanges(text)!
  return Buffer.from(range!.bytes).toString('hex')
}

describe('addresses', () => {
  test.each([
    ['1.2.3.4', '00000000000000000000ffff01020304'],
    ['::ffff:1.2.3.4', '00000000000000000000ffff01020304'],
    ['::', '00000000000000000000000000000000'],
    ['::1', '00000000000000000000000000000001'],
    ['2001:db8::', '20010db8000000000000000000000000'],
    ['2001:DB8::8:800:200c:417a', '20010db80000000000080800200c417a'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
  ])('%s is %s', (text, hex) => {
    expect(hexOf(text)).toBe(hex)
  })

  test('written in any of their forms are the same', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const url = new URL(`http://[${text}]/`)
        expect(hexOf(text)).toBe(hexOf(url.hostname.slice(1, -1)))
      }),
    )
  })
})

describe('ranges', () => {
  const bytesOf = (text: string) => parseAddressRanges(text)![0]!.bytes
  test.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/9', '10.127.0.1', true],
    ['10.0.0.0/9', '10.128.0.1', false],
    ['10.9.9.9/31', '10.9.9.8', true],
    ['10.9.9.9/32', '10.9.9.8', false],
    ['0.0.0.0/0', '200.1.2.3', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '::1', true],
    ['::ffff:10.0.0.0/104', '10.1.1.1', true],
    ['fe80::/10', 'febf::1', true],
    ['fe80::/10', 'fec0::1', false],
  ])('%s holds %s: %j', (range, address, holds) => {
    expect(isInRange(bytesOf(address), parseAddressRanges(range)![0]!)).toBe(holds)
  })

  test('an address as a socket reports it is the one written', () => {
    const range = parseAddressRanges('127.0.0.1')![0]!
    expect(isInRange(mappedAddress(Uint8Array.of(127, 0, 0, 1)), range)).toBe(true)
  })

  test.each([
    'x',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0/8',
    '::1/129',
    '::1/1/1',
    '::1/-1',
    'fe80::1%eth0',
    '1:2',
    '10.0.0.1 10.0.0.2',
  ])('"%s" is none', (text) => {
    expect(parseAddressRanges(text)).toBeUndefined()
  })

  test.each(['', ' ', ','])('"%s" is no address at all', (text) => {
    expect(parseAddressRanges(text)).toEqual([])
  })
})
