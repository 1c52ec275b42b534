/**
 * The shape of chance, and one generator (xoshiro128**, by Blackman and Vigna) that returns the same
 * numbers for the same seed on every machine. For tests, simulation and benchmarks, not for secrets.
 */
export class Prng {
  private a: number
  private b: number
  private c: number
  private d: number

  constructor(seed: number) {
    // splitmix32 spreads the seed, so that neighbouring seeds give unrelated streams.
    let state = seed | 0
    const next = () => {
      state = (state + 0x9e3779b9) | 0
      let z = state
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
      return (z ^ (z >>> 16)) | 0
    }
    this.a = next()
    this.b = next()
    this.c = next()
    this.d = next() | 1
  }

  /** An integer in [0, 2^32). */
  uint32(): number {
    const result = Math.imul(rotateLeft(Math.imul(this.b, 5), 7), 9)
    const shifted = this.b << 9
    this.c ^= this.a
    this.d ^= this.b
    this.b ^= this.c
    this.a ^= this.d
    this.c ^= shifted
    this.d = rotateLeft(this.d, 11)
    return result >>> 0
  }

  /** A float in [0, 1). */
  unit(): number {
    return this.uint32() / 4294967296
  }

  /** An integer in [0, bound), bound at most 2^32. */
  below(bound: number): number {
    return Math.floor(this.unit() * bound)
  }

  /** An integer in [low, high]. */
  between(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1))
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.unit() < probability
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }
}

function rotateLeft(x: number, bits: number): number {
  return (x << bits) | (x >>> (32 - bits))
}
