/** As unit/agents/payments, with as many kills as it takes to meet each step often. */
import { test } from 'vitest'
import { folderPerTest } from '../fixtures/temporary-folder.ts'
import { payBetweenKills } from '../unit/agents/payment-run.ts'

const KILLS = 200
const folder = folderPerTest()

test(`${KILLS} kills lose nothing, and pay nothing twice`, () => payBetweenKills(folder, 7, KILLS))
