import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BATCH_ORDERS, OrderBatch } from '../../../src/archive/order-batch.ts'
import { archiveOptions, TableName } from '../../../src/archive/tables.ts'
import { AccountId, Lots, OrderId, SymbolId } from '../../../src/base/units.ts'
import { Environment, Sync } from '../../../src/journal/environment.ts'
import { OrderKey } from '../../../src/layout/keys.gen.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { OrderValue } from '../../../src/layout/rows.gen.ts'

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
  environment.write(() => {
    for (let orderId = 1; orderId <= orders; orderId++) {
      OrderValue.setLots(
        batch.values,
        batch.add(AccountId(1), SymbolId(2), OrderId(orderId)),
        Lots(orderId),
      )
    }
    for (let orderId = 1; orderId <= orders; orderId++) {
      const at = batch.find(AccountId(1), SymbolId(2), OrderId(orderId))
      OrderValue.setLots(batch.values, at, Lots(OrderValue.lots(batch.values, at) * 2))
    }
    batch.store()
  }, Sync.KERNEL)
  const key = new OrderKey()
  const row = RecordBuffer.allocate(OrderValue.bytes)
  for (let orderId = 1; orderId <= orders; orderId++) {
    row.bytes.set(table.get(key.of(AccountId(1), SymbolId(2), orderId))!)
    const lots = OrderValue.lots(row, 0)
    if (lots !== orderId * 2) expect([orderId, lots]).toEqual([orderId, orderId * 2])
  }
  environment.close()
})
