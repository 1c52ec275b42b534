/** Tables of tapes: lines in, and what the last one came to. Money is conserved all along. */
import { expect, test } from 'vitest'
import { AssetId } from '../../../../src/base/units.ts'
import type { SymbolSpec } from '../../../../src/market/listing.ts'
import { Tape, type TapeLimits } from './tape.ts'

export type Case = readonly [name: string, lines: readonly string[], answer: readonly string[]]

export function check(
  cases: readonly Case[],
  spec: Partial<SymbolSpec> = {},
  limits: TapeLimits = {},
): void {
  test.each(cases)('%s', (_, lines, answer) => {
    const tape = new Tape(spec, limits)
    const before = [tape.balances.total(AssetId(0)), tape.balances.total(AssetId(1))]
    const answers = lines.map((line) => tape.run(line))
    expect(answers.at(-1)).toEqual(answer)
    expect([tape.balances.total(AssetId(0)), tape.balances.total(AssetId(1))]).toEqual(before)
  })
}
