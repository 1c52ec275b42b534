import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BATCH_ORDERS, OrderBatch } from '../../../src/archive/order-batch.ts'
import { archiveOptions, OrderValue, OwnedKey, TableName } from '../../../src/archive/tables.ts'
import { Environment, Sync } from '../../../src/journal/environment.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-batch-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a block may touch more orders than a batch holds, and those before it again', () => {
  const environment = new Environment(archiveOptions(folder))
  const table = environment.table(TableName.ORDERS)
  const batch = new OrderBatch(table)
  const orders = BATCH_ORDERS * 3
  const lotsOf = (orderId: number) => {
    const place = batch.find(1, 2, orderId)
    return OrderBatch.double(place, OrderValue.lots)
  }
  environment.write(() => {
    for (let orderId = 1; orderId <= orders; orderId++) {
      const place = batch.add(1, 2, orderId)
      batch.values.f64[OrderBatch.double(place, OrderValue.lots)] = orderId
    }
    for (let orderId = 1; orderId <= orders; orderId++) {
      const at = lotsOf(orderId)
      batch.values.f64[at] = batch.values.f64[at]! * 2
    }
    batch.store()
  }, Sync.KERNEL)
  const key = new OwnedKey()
  for (let orderId = 1; orderId <= orders; orderId++) {
    const stored = table.get(key.of(1, 2, orderId))!
    const lots = new DataView(stored.buffer, stored.byteOffset).getFloat64(
      OrderValue.lots * 8,
      true,
    )
    if (lots !== orderId * 2) expect([orderId, lots]).toEqual([orderId, orderId * 2])
  }
  environment.close()
})
