import { describe, expect, test } from 'vitest'
import { Prng } from '../../../src/base/prng.ts'
import { AssetId, Atoms, ChainId, Ms, NetworkId } from '../../../src/base/units.ts'
import { addressPattern, PATTERN_CHARS_MAX } from '../../../src/market/address-pattern.ts'
import {
  type ChainSpec,
  checkChain,
  checkNetwork,
  type NetworkSpec,
} from '../../../src/market/network.ts'

const BITCOIN = '^[13][a-km-zA-HJ-NP-Z1-9]{25,34}$|^(bc1)[0-9A-Za-z]{39,59}$'
const ETHEREUM = '^(0x)[0-9A-Fa-f]{40}$'

describe('a pattern of addresses', () => {
  const hex = 'aB09'.repeat(10)

  test.each([
    [ETHEREUM, `0x${hex}`, true],
    [ETHEREUM, `0x${hex}0`, false],
    [ETHEREUM, hex, false],
    [BITCOIN, `bc1q${'x'.repeat(38)}`, true],
    [BITCOIN, `1${'a'.repeat(25)}`, true],
    [BITCOIN, `1${'a'.repeat(24)}`, false],
    ['^[0-9A-Za-z\\-_]{1,64}$', 'memo-1_b', true],
    ['^[0-9A-Za-z\\-_]{1,64}$', '', false],
    ['^.{0,999}$', 'a'.repeat(128), true],
    ['^.{0,999}$', 'a'.repeat(129), false],
  ])('%s judges %s: %s', (pattern, text, fits) => {
    expect(addressPattern(pattern)(text)).toBe(fits)
  })

  test.each([
    ['a', 'must begin with ^'],
    ['^a', 'must end with $'],
    ['^(a+)+$', 'repeats a group'],
    ['^(a$', 'has an open group'],
    ['^[a$', 'has an open class'],
    ['^a{2$', 'has a count that is none'],
    ['^a{3,2}$', 'has a count that is none'],
    ['^[z-a]$', 'has a range that is none'],
    ['^\\1$', 'has \\1, which is not known here'],
    ['^(?=a)$', 'has a ? out of place'],
    ['^a)$', 'must end with $'],
    ['^a$b', 'has a b out of place'],
    ['^a*?$', 'has a ? out of place'],
    ['^é$', 'has characters outside of ASCII'],
    [`^${'a'.repeat(PATTERN_CHARS_MAX)}$`, `has more than ${PATTERN_CHARS_MAX} characters`],
    [`^${'('.repeat(9)}${')'.repeat(9)}$`, 'has groups more than 8 deep'],
  ])('%s is refused: the pattern %s', (pattern, why) => {
    expect(() => addressPattern(pattern)).toThrow(new RangeError(`the pattern ${why}`))
  })

  test('judges as a regular expression does', () => {
    const prng = new Prng(58)
    const pick = (from: string) => from[prng.below(from.length)]!
    const atoms = ['a', 'b', '.', '[ab]', '[^a]', '\\d', '[0-2b]', '\\w', '\\.', '[a\\-]', '[-b]']
    const counts = ['', '', '?', '*', '+', '{2}', '{1,3}', '{2,}']
    const sequence = (depth: number): string =>
      Array.from({ length: prng.below(4) }, () =>
        depth < 2 && prng.below(4) === 0
          ? `(${sequence(depth + 1)}|${sequence(depth + 1)})${prng.below(2) === 0 ? '' : '?'}`
          : atoms[prng.below(atoms.length)]! + counts[prng.below(counts.length)]!,
      ).join('')
    let matched = 0
    for (let round = 0; round < 4000; round++) {
      const pattern = `^${sequence(0)}$${prng.below(3) === 0 ? `|^${sequence(0)}$` : ''}`
      if (pattern.length > PATTERN_CHARS_MAX) continue
      const text = Array.from({ length: prng.below(7) }, () => pick('aab12.-\n')).join('')
      const fits = new RegExp(pattern).test(text)
      if (fits) matched++
      expect(`${pattern} ${text} ${addressPattern(pattern)(text)}`).toBe(
        `${pattern} ${text} ${fits}`,
      )
    }
    expect(matched).toBeGreaterThan(400)
  })

  test('of an operator who means harm takes no time', () => {
    const pattern = `^${'a{0,99}'.repeat(35)}b$`
    const text = 'a'.repeat(128)
    let judged = 0
    const judge = addressPattern(pattern)
    for (; judged < 10; judged++) expect(judge(text)).toBe(false)
    // A regular expression would try each way to share 128 letters among 35 counts.
    expect(judged).toBe(10)
  })
})

const chain: ChainSpec = {
  id: ChainId(0),
  name: 'ETH',
  addressForm: 'ethereum',
  hasMemo: false,
  blockMs: 12_000,
  genesisMs: Ms(0),
  seed: 'ab'.repeat(32),
}

const network: NetworkSpec = {
  id: NetworkId(0),
  chain: ChainId(0),
  asset: AssetId(0),
  title: 'Ethereum (ERC20)',
  addressRegex: ETHEREUM,
  memoRegex: '',
  isDefault: true,
  depositEnabled: true,
  withdrawEnabled: true,
  minConfirm: 6,
  unLockConfirm: 64,
  depositMin: Atoms(1),
  withdrawFee: Atoms(100_000),
  withdrawMin: Atoms(200_000),
  withdrawMax: Atoms(1_000_000_000_000),
  withdrawMultiple: Atoms(1),
  withdrawDayMax: Atoms(0),
  approvalAbove: Atoms(0),
  depositText: '',
  withdrawText: '',
}

describe('what can be listed', () => {
  test('a chain and a network', () => {
    checkChain(chain)
    checkNetwork(network)
    checkNetwork({ ...network, memoRegex: '^[0-9]{1,9}$', withdrawMax: network.withdrawMin })
  })

  test.each([
    [{ name: 'eth' }, 'its name is not one of capital letters and digits'],
    [{ addressForm: 'other' as 'tron' }, 'its form of addresses is not known'],
    [{ blockMs: 99 }, 'a block takes 100 to 86400000 ms'],
    [{ blockMs: 86_400_001 }, 'a block takes 100 to 86400000 ms'],
    [{ genesisMs: Ms(-1) }, 'its genesis is no time'],
    [{ seed: 'ab' }, 'its seed is not 64 hex digits'],
  ])('no chain with %o', (change, why) => {
    const changed = { ...chain, ...change }
    const refusal = new RangeError(`chain ${changed.name} is refused: ${why}`)
    expect(() => checkChain(changed)).toThrow(refusal)
  })

  test.each([
    [{ depositText: 'x'.repeat(129) }, 'a text has at most 128 characters'],
    [{ addressRegex: '' }, 'in addressRegex, the pattern must begin with ^'],
    [{ memoRegex: '^(a+)+$' }, 'in memoRegex, the pattern repeats a group'],
    [{ minConfirm: 0 }, 'it credits after 1 to 10000 confirmations'],
    [{ minConfirm: 10_001 }, 'it credits after 1 to 10000 confirmations'],
    [{ unLockConfirm: 5 }, 'it unlocks after 6 to 10000 confirmations'],
    [{ unLockConfirm: 10_001 }, 'it unlocks after 6 to 10000 confirmations'],
    [{ withdrawMultiple: Atoms(0) }, 'amounts are multiples of at least 0.00000001'],
    [
      { withdrawMin: Atoms(0) },
      'its largest withdrawal must be at least its least one, which is above 0',
    ],
    [
      { withdrawMax: Atoms(199_999) },
      'its largest withdrawal must be at least its least one, which is above 0',
    ],
    [{ withdrawFee: Atoms(-1) }, 'an amount is negative'],
    [{ approvalAbove: Atoms(-1) }, 'an amount is negative'],
  ])('no network with %o', (change, why) => {
    const refusal = new RangeError(`network Ethereum (ERC20) is refused: ${why}`)
    expect(() => checkNetwork({ ...network, ...change })).toThrow(refusal)
  })
})
