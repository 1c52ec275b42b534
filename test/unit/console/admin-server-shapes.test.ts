/**
 * The kept figures that the admin server sends, and what the screen takes them for: each has its own type, since the server's
 * is among code that no page can import. A difference between them fails the check of types.
 */
import { expectTypeOf, test } from 'vitest'
import type { History } from '../../../src/console/operator/figures.ts'
import type { KeptReading } from '../../../src/telemetry/kept-figures.ts'

test('plots begin with the figures that the exchange kept', () => {
  expectTypeOf<KeptReading>().toExtend<History>()
})
