/** Members that take the lead one after another, over the plain quorum and real folders. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AccountId, Lots, Ms, OrderId, SymbolId, Ticks } from '../../../src/base/units.ts'
import { BlockWriter } from '../../../src/journal/block.ts'
import { recoverTail } from '../../../src/journal/carrier.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { readJournals } from '../../../src/journal/recovery.ts'
import { TailCells } from '../../../src/journal/tail-cells.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { writeOrderRested } from '../../../src/layout/records.gen.ts'
import { type Joined, join } from '../../../src/replica/join.ts'
import { QuorumRefusal } from '../../../src/replica/quorum.ts'
import { PlainQuorum } from '../../model/plain-quorum.ts'

let folder = ''
let servers: PlainQuorum
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-join-'))
  servers = new PlainQuorum()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A member's folder; each start takes the lead. */
class Member {
  readonly dataFolder: string
  #epoch = 0

  constructor(name: string) {
    this.dataFolder = path.join(folder, name)
    ControlStore.open(this.dataFolder).close()
  }

  async lead(sleep: (ms: number) => Promise<void> = async () => {}): Promise<Joined> {
    const quorum = servers.connect()
    const { dataFolder } = this
    const address = `http://${path.basename(dataFolder)}:8080`
    const joined = await join({ dataFolder, quorum, lastEpoch: this.#epoch, address, sleep })
    this.#epoch = joined.epoch
    return joined
  }

  /** Notes facts and writes blocks, on this machine alone. */
  write(facts: number, blocks: number, isCarried = true): void {
    const control = ControlStore.open(this.dataFolder)
    for (let i = 0; i < facts; i++) control.append({ epoch: this.#epoch, fact: i })
    control.close()
    // Without a carrier blocks stay in the tail.
    const parts = { cells: new TailCells(), segmentBegun: () => {}, makeRoom: () => {} }
    const journal = openJournal(this.dataFolder, 0, 'flushed', isCarried ? undefined : parts)
    const writer = new BlockWriter({
      ...{ matcher: 0, epoch: this.#epoch, previous: journal.lastChecksum },
    })
    const events = RecordBuffer.allocate(1024)
    for (let i = 0; i < blocks; i++) {
      const position = journal.lastPosition + 1
      const end = writeOrderRested(events, 0, {
        ...{ symbolId: SymbolId(0), gateway: 0, correlation: 0, timeMs: Ms(0), sequence: 1 },
        ...{ account: AccountId(1), terms: 0, orderId: OrderId(this.#epoch * 100 + position) },
        ...{ priceTicks: Ticks(1), restedLots: Lots(1), updateId: 1 },
      })
      journal.append(writer.seal(events, end, position, Ms(0)))
    }
    journal.close()
  }

  state() {
    recoverTail(this.dataFolder, 0)
    const control = ControlStore.open(this.dataFolder)
    const facts = [...control.texts()]
    control.close()
    const blocks = [...readJournals(this.dataFolder)].map(({ checksum }) => checksum)
    return { facts, blocks }
  }
}

test('a folder is sent, another one is loaded, and the first one loads what it missed', async () => {
  const [first, second] = [new Member('first'), new Member('second')]
  first.write(3, 5)
  expect(await first.lead()).toMatchObject({ epoch: 1, sent: 8, loaded: 0, succeeded: undefined })
  const joined = await second.lead()
  expect(joined).toMatchObject({ epoch: 2, sent: 0, loaded: 8 })
  expect(joined.succeeded).toMatch(/^[0-9a-f-]{36}$/)
  expect(second.state()).toEqual(first.state())
  second.write(1, 2)
  expect(await second.lead()).toMatchObject({ epoch: 3, sent: 3, loaded: 0, succeeded: undefined })
  expect(await first.lead()).toMatchObject({ epoch: 4, sent: 0, loaded: 3 })
  expect(first.state()).toEqual(second.state())
})

test('blocks of the tail are sent by the leader that returns, and dropped once another has led', async () => {
  const [first, second] = [new Member('first'), new Member('second')]
  first.write(1, 2)
  await first.lead()
  first.write(0, 1, false)
  expect(await first.lead()).toMatchObject({ sent: 1, loaded: 0 })
  first.write(0, 1, false)
  await second.lead()
  expect(await first.lead()).toMatchObject({ sent: 0, loaded: 0 })
  expect(first.state()).toEqual(second.state())
  expect(first.state().blocks.length).toBe(3)
})

test.each([
  ['facts', 1, 0],
  ['blocks', 0, 1],
])('a folder that went on by itself is refused while another leads: %s', async (_, facts, blocks) => {
  const [first, second] = [new Member('first'), new Member('second')]
  first.write(1, 2)
  await first.lead()
  await second.lead()
  first.write(facts, blocks)
  for (let tries = 0; tries < 2; tries++) {
    await expect(first.lead()).rejects.toThrow(/quorum lacks/)
  }
  second.write(2, 2)
  await second.lead()
  await expect(first.lead()).rejects.toThrow(/went on by itself/)
  expect(await second.lead()).toMatchObject({ succeeded: undefined })
})

test('a leader that beats keeps the lead', async () => {
  const [first, second] = [new Member('first'), new Member('second')]
  first.write(1, 0)
  const { epoch } = await first.lead()
  const leader = servers.connect()
  await leader.open()
  const beats = async () => {
    await leader.beat(epoch)
  }
  await expect(second.lead(beats)).rejects.toThrow(QuorumRefusal)
  await leader.beat(epoch)
  expect(await second.lead()).toMatchObject({ epoch: epoch + 1 })
  await expect(leader.beat(epoch)).rejects.toThrow(QuorumRefusal)
})
