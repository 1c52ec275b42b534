/** Until when a member may lead, as gateways read it. */
import { expect, test } from 'vitest'
import { LeadLease } from '../../../src/agents/lead-lease.ts'
import { ROLE_BYTES, RoleCells } from '../../../src/shared/role.ts'

const LEASE_MS = 5_000

/** A leader's lease, and its cells at each time. */
function newLease() {
  const clock = { ms: 0 }
  const cells = new RoleCells(new SharedArrayBuffer(ROLE_BYTES), {
    elapsedNs: () => clock.ms * 1_000_000,
  })
  const leadsAt = (ms: number): boolean => {
    clock.ms = ms
    return cells.isLeading
  }
  return { cells, leadsAt, lease: new LeadLease(LEASE_MS) }
}

test('a confirmed member leads for the time of its lease, from when the quorum was asked', () => {
  const { cells, leadsAt, lease } = newLease()
  lease.deliver(cells)
  lease.confirmed(1_000)
  expect([1_000, 5_999, 6_000].map(leadsAt)).toEqual([true, true, false])
  lease.confirmed(6_500)
  expect([11_499, 11_500].map(leadsAt)).toEqual([true, false])
})

test('what was confirmed before the memory was there counts', () => {
  const { cells, leadsAt, lease } = newLease()
  lease.confirmed(1_000)
  lease.deliver(cells)
  expect(cells.isOfQuorum).toBe(true)
  expect([5_999, 6_000].map(leadsAt)).toEqual([true, false])
})

test.each([
  ['before', true],
  ['after', false],
])('a member that resigned leads no more, resigned %s its memory was there', (_, isBefore) => {
  const { cells, leadsAt, lease } = newLease()
  if (!isBefore) lease.deliver(cells)
  lease.confirmed(1_000)
  lease.resign()
  if (isBefore) lease.deliver(cells)
  expect(leadsAt(1_001)).toBe(false)
  // An answer that was under way.
  lease.confirmed(2_000)
  expect(leadsAt(2_001)).toBe(false)
  expect(cells.isOfQuorum).toBe(true)
})
