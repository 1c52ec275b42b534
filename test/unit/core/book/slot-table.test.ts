import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Homes, SlotTable, slotTableBits } from '#core/book/slot-table.ts'

/** Finds a slot as the table's users do: from home until it stands there or a position is free. */
function finds(table: SlotTable, home: number, slot: number): boolean {
  let position = home
  while (table.slots[position] !== 0) {
    if (table.slots[position] === slot) return true
    position = table.next(position)
  }
  return false
}

const open = (bits: number): SlotTable => new SlotTable(new Int32Array(2 ** bits), bits)

describe('SlotTable', () => {
  test.each([
    [0, 4],
    [12, 4],
    [13, 5],
    [49_152, 16],
    [49_153, 17],
    [393_216, 19],
  ])('%i entries need 2^%i positions', (entries, bits) => {
    expect(slotTableBits(entries)).toBe(bits)
  })

  test.each([4, 5, 8, 16, 19])('a search in 2^%i positions visits each once', (bits) => {
    const table = open(bits)
    const visited = new Uint8Array(2 ** bits)
    let position = 3
    for (let step = 0; step < visited.length; step++) {
      visited[position] = 1
      position = table.next(position)
    }
    expect(position).toBe(3)
    expect(visited.every((once) => once === 1)).toBe(true)
  })

  test('finds what was added and not what was removed, whatever their homes', () => {
    const homes: Homes = { homeOf: (slot) => homeOf[slot]! }
    let homeOf: number[] = []
    const act = fc.record({ home: fc.integer({ min: 0, max: 7 }), pick: fc.nat() })
    fc.assert(
      fc.property(fc.array(act, { maxLength: 80, size: 'max' }), (acts) => {
        const table = open(4)
        const added: number[] = []
        homeOf = [0]
        for (const { home, pick } of acts) {
          if (added.length === 12 || (added.length > 0 && pick % 3 === 0)) {
            const [slot] = added.splice(pick % added.length, 1)
            table.remove(homeOf[slot!]!, slot!, homes)
            expect(finds(table, homeOf[slot!]!, slot!)).toBe(false)
          } else {
            const slot = homeOf.push(home) - 1
            table.add(home, slot)
            added.push(slot)
          }
          for (const slot of added) expect(finds(table, homeOf[slot]!, slot)).toBe(true)
          expect(table.slots.filter((slot) => slot !== 0).length).toBe(added.length)
        }
      }),
    )
  })

  test('a second run of keys on the same homes stays within short searches', () => {
    const bits = 12
    const table = open(bits)
    const half = 2 ** (bits - 1)
    for (let key = 0; key < half; key++) table.add(key, key + 1)
    let longest = 0
    for (let key = 0; key < half / 4; key++) {
      let steps = 1
      for (let at = key; table.slots[at] !== 0; at = table.next(at)) steps++
      longest = Math.max(longest, steps)
      table.add(key, half + key + 1)
    }
    expect(longest).toBeLessThan(32)
  })
})
