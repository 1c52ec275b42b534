/** What the shards are compared with: one leader owns all accounts and symbols, in one journal. */
import { AccountShard } from './account-shard.ts'
import { type Block, type Command, postingsOf, type Row, type Shard } from './records.ts'
import { SymbolShard } from './symbol-shard.ts'

const all = () => true

export class OneLeader implements Shard {
  readonly accounts = new AccountShard(all)
  readonly symbols = new SymbolShard(all)

  /** Reserves, matches and settles at once; reservations and settlements follow from the other rows. */
  execute(command: Command): readonly Row[] {
    const rows = this.accounts.execute(command)
    const matched = [
      ...this.symbols.execute(command),
      ...this.symbols.take({ watermarks: [], rows }),
    ]
    this.accounts.take({ watermarks: [], rows: matched })
    return matched
  }

  /** There is no other kind of shard. */
  take(_: Block): readonly Row[] {
    return []
  }

  apply(row: Row): void {
    if (row.kind === 'opened') this.accounts.apply({ kind: 'reserved', order: row.order })
    for (const posting of postingsOf(row)) this.accounts.apply({ kind: 'settled', posting })
    this.accounts.apply(row)
    this.symbols.apply(row)
  }
}
