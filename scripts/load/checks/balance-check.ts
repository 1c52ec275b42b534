/** One account's balances: the last that its user data stream sent must be what the account has. */
import { parseInt64 } from '../../../src/base/fixed.ts'
import { WIRE_DECIMALS } from '../../../src/base/limits.ts'
import { Findings } from './findings.ts'

interface Balance {
  readonly free: string
  readonly locked: string
}
/** An outboundAccountPosition, as far as it is read here. */
export interface Position {
  readonly B: readonly { readonly a: string; readonly f: string; readonly l: string }[]
}
/** The answer to GET /api/v3/account, as far as it is read here. */
export interface AccountAnswer {
  readonly balances: readonly (Balance & { readonly asset: string })[]
}

const ATTEMPTS = 100
const PAUSE_MS = 100

export class BalanceCheck {
  private readonly account: string
  private readonly findings = new Findings('balances of the streams are those of the accounts')
  private readonly told = new Map<string, Balance>()

  constructor(account: string) {
    this.account = account
  }

  position({ B }: Position): void {
    for (const { a, f, l } of B) this.told.set(a, { free: f, locked: l })
  }

  /** The last events may still be on their way, so a difference is looked at again for a while. */
  async end(ask: () => Promise<AccountAnswer>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const wrong = this.differences(await ask())
      if (wrong.length > 0 && attempt < ATTEMPTS) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
        continue
      }
      for (const sentence of wrong) this.findings.failed(sentence)
      for (let agreed = wrong.length; agreed < this.told.size; agreed++) this.findings.agreed()
      return
    }
  }

  results() {
    return [this.findings.result()]
  }

  private differences({ balances }: AccountAnswer): string[] {
    const has = new Map(balances.map((row) => [row.asset, row]))
    const wrong: string[] = []
    for (const [asset, told] of this.told) {
      const { free = '0', locked = '0' } = has.get(asset) ?? {}
      if (isSame(free, told.free) && isSame(locked, told.locked)) continue
      wrong.push(
        `${this.account} has ${free} free and ${locked} locked ${asset}, ${told.free} and ` +
          `${told.locked} by its stream`,
      )
    }
    return wrong
  }
}

const isSame = (a: string, b: string): boolean =>
  parseInt64(a, WIRE_DECIMALS) === parseInt64(b, WIRE_DECIMALS)
