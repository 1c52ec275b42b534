/** Client order ids that all have one hash under a salt that is known. */
import { ClientIdHash } from '../../../src/base/client-id-hash.ts'
import { packClientOrderId, unpackClientOrderId } from '../../../src/base/client-order-id.ts'
import { AccountId } from '../../../src/base/units.ts'

const modularInverse = (odd: number): number => {
  let inverse = odd
  for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse))
  return inverse
}
const unfold = (value: number): number => value ^ (value >>> 15) ^ (value >>> 30)
const mix = (value: number): number => {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/** Runs the hash backwards over the last word: a client that knows the salt chooses the result. */
export function collidingIds(count: number, account: number, salt: number): Int32Array[] {
  const first = modularInverse(mix(salt + 0x9e3779b9) | 1)
  const second = modularInverse(mix(salt + 0x3c6ef372) | 1)
  const hash = new ClientIdHash(salt)
  const wanted = unfold(0x5eed)
  const ids: Int32Array[] = []
  for (let name = 0; ids.length < count; name++) {
    const words = new Int32Array(8)
    packClientOrderId(`id${String(name).padStart(8, '0')}`, words, 0)
    const turned = Math.imul(wanted, second)
    const last =
      Math.imul((turned << 16) | (turned >>> 16), first) ^ hash.of(AccountId(account), words, 0)
    words[2] = last
    const text = last > 0 ? unpackClientOrderId(words, 0) : ''
    if (text.length === 15 && !text.includes('undefined')) {
      if (packClientOrderId(text, words, 0) && words[2] === last) ids.push(words)
    }
  }
  return ids
}
