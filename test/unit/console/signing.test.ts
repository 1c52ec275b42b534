/** Signatures and receipts, beside what Node.js and the exchange make of them. */
import { createHmac, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  distribution,
  durationText,
  quantile,
  readReceipt,
} from '../../../src/console/trade/receipts.ts'
import { isPrivateKey, makeSigner, signingTrouble } from '../../../src/console/trade/signer.ts'

const PAYLOAD = 'symbol=BTCUSDT&side=BUY&timestamp=1'

test('an HMAC secret signs as the protocol says', async () => {
  const sign = await makeSigner('secret')
  expect(await sign(PAYLOAD)).toBe(createHmac('sha256', 'secret').update(PAYLOAD).digest('hex'))
  expect([isPrivateKey('secret'), signingTrouble()]).toEqual([false, ''])
})

test('an Ed25519 key signs so that its public half verifies', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  expect(isPrivateKey(pem)).toBe(true)
  const signature = Buffer.from(await (await makeSigner(pem))(PAYLOAD), 'base64')
  expect(verify(null, Buffer.from(PAYLOAD), publicKey, signature)).toBe(true)
})

test('a private key of another kind is refused in words', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  await expect(makeSigner(pem)).rejects.toThrow('The private key is no Ed25519 key')
})

test('receipts are put in order of size', () => {
  const receipt = readReceipt({ total: 21_000 }, 'BUY LIMIT', { orderId: 7 })
  const all = [100, 200, 10_000].map((us) => ({ ...receipt, totalNs: us * 1_000 }))
  expect(distribution(all).reduce((sum, { count }) => sum + count, 0)).toBe(3)
  expect(distribution(all)).toHaveLength(21)
  expect(distribution([])).toEqual([])
  expect([quantile(all, 0.5), quantile(all, 0.99), quantile([], 0.5)]).toEqual([2e5, 1e7, 0])
  expect([durationText(1_500), durationText(2_345_678)]).toEqual(['2 µs', '2.35 ms'])
})
