// Prints what happens in a lesson, and ends the lesson when a claim is not true.

/** 50000.00000000 → 50000 */
export const plain = (decimal) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal)

export class Narrator {
  #steps = 0

  /** Begins a step. */
  step(text) {
    console.log(`${this.#steps === 0 ? '' : '\n'}${++this.#steps}. ${text}`)
  }

  /** Says who did what. */
  line(who, what) {
    console.log(`   ${who.padEnd(8)} ${what}`)
  }

  /** Says what was seen to be true. Throws when it is not. */
  claim(text, isTrue) {
    if (!isTrue) throw new Error(text)
    console.log(`   ✓ ${text}`)
  }
}
