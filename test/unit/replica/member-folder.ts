/** Data folders of members of a quorum, which take the lead or follow. */
import path from 'node:path'
import { readOrderRested, writeOrderRested } from '../../../scripts/layout/codecs.gen.ts'
import { Ms, OrderId } from '../../../src/base/units.ts'
import { BlockWriter } from '../../../src/journal/block.ts'
import { recoverWal } from '../../../src/journal/checkpointer.ts'
import { ControlStore } from '../../../src/journal/control-store.ts'
import { openJournal } from '../../../src/journal/journal.ts'
import { journalsIn, readJournals } from '../../../src/journal/recovery.ts'
import { WalCells } from '../../../src/journal/wal-cells.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { type Joined, join } from '../../../src/replica/join.ts'
import { zeroRecord } from '../../fixtures/zero-record.ts'
import type { PlainQuorum } from '../../model/plain-quorum.ts'

/** A member's folder; each start takes the lead. */
export class MemberFolder {
  readonly dataFolder: string
  private readonly servers: PlainQuorum
  private epoch = 0
  /** What write-ahead logs lost. */
  readonly damages: string[] = []

  constructor(servers: PlainQuorum, dataFolder: string) {
    this.servers = servers
    this.dataFolder = dataFolder
    ControlStore.open(this.dataFolder).close()
  }

  async lead(sleep: (ms: number) => Promise<void> = async () => {}): Promise<Joined> {
    const quorum = this.servers.connect()
    const { dataFolder } = this
    const address = `http://${path.basename(dataFolder)}:8080`
    const joined = await join({
      dataFolder,
      quorum,
      lastEpoch: this.epoch,
      address,
      sleep,
      damaged: (sentence) => this.damages.push(sentence),
    })
    this.epoch = joined.epoch
    return joined
  }

  /** Notes facts and writes blocks, on this machine alone. */
  write(facts: number, blocks: number, isCheckpointed = true, matcher = 0): void {
    const control = ControlStore.open(this.dataFolder)
    for (let i = 0; i < facts; i++)
      control.append({ of: path.basename(this.dataFolder), epoch: this.epoch, fact: i })
    control.close()
    // Without a checkpointer blocks stay in the write-ahead log.
    const parts = { cells: new WalCells(), segmentBegun: () => {}, makeRoom: () => {} }
    const journal = openJournal(
      this.dataFolder,
      matcher,
      'replicated',
      isCheckpointed ? undefined : parts,
    )
    const writer = new BlockWriter({
      matcher,
      epoch: this.epoch,
      previous: journal.lastChecksum,
    })
    const events = RecordBuffer.allocate(1024)
    for (let i = 0; i < blocks; i++) {
      const position = journal.lastPosition + 1
      const end = writeOrderRested(events, 0, {
        ...zeroRecord(readOrderRested),
        orderId: OrderId(this.epoch * 100 + position),
      })
      journal.append(writer.seal(events, end, position, Ms(0)))
    }
    journal.close()
  }

  /** Appends a block as it is. */
  append(matcher: number, block: Uint8Array): void {
    const journal = openJournal(this.dataFolder, matcher, 'replicated')
    journal.append(block)
    journal.close()
  }

  state() {
    for (const matcher of journalsIn(this.dataFolder)) recoverWal(this.dataFolder, matcher)
    const control = ControlStore.open(this.dataFolder)
    const facts = [...control.texts()]
    control.close()
    const blocks = [...readJournals(this.dataFolder)].map(({ checksum }) => checksum)
    return { facts, blocks }
  }
}
