/**
 * `npm run bench -- hmac [--rounds N]`: signatures checked per second by two plain digests over reused
 * memory (gateway/authentication/signatures.ts), over createHmac for each message, in turns. Messages are
 * orders as clients send them, each with its own signature.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { AccountId } from '../../src/base/units.ts'
import { SignatureCheck, verifierOf } from '../../src/gateway/authentication/signatures.ts'
import type { Flags, SettingsOf } from '../harness/flags.ts'
import { type BenchResult, median, pairedRatio, printTable } from '../harness/report.ts'

const MESSAGES = 4_096
const PASSES = 8
const secretKey = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j'

interface Signed {
  readonly message: string
  readonly signature: string
}

export const flags = { rounds: 15 } as const satisfies Flags

const signed: readonly Signed[] = Array.from({ length: MESSAGES }, (_, index) => {
  const message =
    `symbol=BTCUSDT&side=BUY&type=LIMIT&timeInForce=GTC&quantity=0.00${1000 + index}` +
    `&price=50${100 + (index % 800)}.25&newClientOrderId=bench-${index}&recvWindow=5000` +
    `&timestamp=${1_700_000_000_000 + index}`
  return { message, signature: createHmac('sha256', secretKey).update(message).digest('hex') }
})

const rights = { apiKey: 'k'.repeat(64), account: AccountId(1), canRead: true, canTrade: true }
const verifier = verifierOf({ ...rights, kind: 'HMAC', secretKey })
const check = new SignatureCheck()

function byDigests({ message, signature }: Signed): boolean {
  check.begin()
  check.add(message)
  return check.matches(verifier, signature)
}

const keyObject = createSecretKey(Buffer.from(secretKey))

function byCreateHmac({ message, signature }: Signed): boolean {
  const digest = createHmac('sha256', keyObject).update(message).digest()
  return timingSafeEqual(digest, Buffer.from(signature, 'hex'))
}

/** Nanoseconds of one check. Throws when a signature does not match, or a false one does. */
function measure(matches: (each: Signed) => boolean): number {
  let matching = 0
  const begun = process.hrtime.bigint()
  for (let pass = 0; pass < PASSES; pass++) {
    for (const each of signed) if (matches(each)) matching++
  }
  const elapsed = Number(process.hrtime.bigint() - begun)
  const { message, signature } = signed[0]!
  if (matching !== PASSES * MESSAGES || matches({ message: `${message}&x=1`, signature })) {
    throw new Error('a signature is judged wrongly')
  }
  return elapsed / matching
}

export async function run({ rounds }: SettingsOf<typeof flags>): Promise<BenchResult> {
  measure(byDigests)
  measure(byCreateHmac)
  const digests: number[] = []
  const created: number[] = []
  for (let round = 0; round < rounds; round++) {
    digests.push(measure(byDigests))
    created.push(measure(byCreateHmac))
  }
  const { ratio, low, high } = pairedRatio(created, digests)
  printTable('One signature', [
    ['by', 'ns'],
    ['two digests', median(digests)],
    ['createHmac', median(created)],
  ])
  return {
    ratios: { checksOverCreateHmac: ratio },
    figures: {
      rounds,
      low,
      high,
      digestsNanoseconds: median(digests),
      createHmacNanoseconds: median(created),
    },
  }
}
