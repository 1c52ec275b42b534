/** Amendments of a list whose legs differ (faqs/order_amend_keep_priority.md), as tapes. */
import { describe } from 'vitest'
import { check } from './check-tapes.ts'

const at100 = ['2 BUY 1 @ 100', '3 SELL 1 @ 100']
const oco = [...at100, '1 oco SELL 5 stop 90 | SELL 5 @ 110 MAKER']
/** The leg that rests loses two lots to self-trade prevention. */
const decremented = [...oco, '1 BUY 2 @ 110 decrement']

describe('amendments of a leg whose sibling lost lots to prevention', () => {
  check([
    [
      'both legs follow, and what was lost stays lost',
      [...decremented, '1 amend 3 to 4'],
      ['amended 3: 5 to 4, shown -0, released 1', 'amended 4: 5 to 4, shown -1, released 0'],
    ],
    [
      'not below what the sibling has left',
      [...decremented, '1 amend 3 to 2'],
      ['refused AMEND_CHANGES_NOTHING'],
    ],
    [
      'nor by the leg that lost them',
      [...decremented, '1 amend 4 to 2'],
      ['refused AMEND_CHANGES_NOTHING'],
    ],
    [
      'the last lot continues',
      [...decremented, '1 amend 3 to 3', '2 BUY 9 @ 110'],
      [
        'accepted 6: 9, held 990',
        'trade 6 with 4: 1 @ 110',
        'closed 3: EXPIRED OCO_TRIGGER, filled 0, released 2',
        'rested 6: 8 @ 110',
        'list 1: ALL_DONE',
      ],
    ],
    [
      'and the stop still sells its own',
      [...decremented, '1 amend 4 to 3', '2 BUY 9 @ 89', '3 SELL 1 @ 89'],
      [
        'accepted 7: 1, held 1',
        'trade 7 with 6: 1 @ 89',
        'then triggered 3: held 0',
        'closed 4: EXPIRED OCO_TRIGGER, filled 0, prevented 2, released 0',
        'trade 3 with 6: 3 @ 89',
        'list 1: ALL_DONE',
      ],
    ],
  ])
})
