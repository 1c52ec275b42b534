/** What the exchange tells of its wallet: read again when the wallet has changed, every few seconds, and on request. */
import { signal } from '@preact/signals'
import type { Figures } from '../../admin-api/readings.ts'
import type { ActionAnswer } from '../../control/listed-action.ts'

/** Readings of figures between two of a wallet that does not change: chains grow by themselves. */
const UNCHANGED_EVERY = 5
/** Withdrawals that are shown, the oldest. */
const SHOWN = 100

const nothing: ActionAnswer = { said: '', rows: [] }

export class WalletReadings {
  readonly chains = signal(nothing)
  readonly networks = signal(nothing)
  /** Those that an operator may decide. */
  readonly withdrawals = signal(nothing)
  /** Why there is no new reading; '' when there is. */
  readonly trouble = signal('')
  private readonly act: (
    name: string,
    given: Readonly<Record<string, string>>,
  ) => Promise<ActionAnswer>
  private events = -1
  private left = 0
  /** Undefined while nothing is being read. */
  private reading: object | undefined = undefined

  constructor(act: WalletReadings['act']) {
    this.act = act
  }

  /** What is being read is dropped. */
  clear(): void {
    this.reading = undefined
    this.events = -1
    for (const reading of [this.chains, this.networks, this.withdrawals]) reading.value = nothing
    this.trouble.value = ''
  }

  /** A wallet that does not answer holds up no figures. */
  follow({ wallet: { events = 0 } }: Figures): void {
    if (events === this.events && this.left > 0) this.left--
    else {
      this.events = events
      void this.read()
    }
  }

  async read(): Promise<void> {
    if (this.reading !== undefined) return
    const reading = {}
    this.reading = reading
    this.left = UNCHANGED_EVERY
    const isCurrent = () => this.reading === reading
    try {
      const chains = await this.act('chains', {})
      if (!isCurrent()) return
      this.chains.value = chains
      if (chains.rows.length > 0) {
        const networks = await this.act('coin-networks', {})
        if (!isCurrent()) return
        this.networks.value = networks
        const asked = { undecided: 'on', limit: String(SHOWN) }
        const withdrawals = await this.act('withdrawals', asked)
        if (!isCurrent()) return
        this.withdrawals.value = withdrawals
      }
      this.trouble.value = ''
    } catch (error) {
      if (!isCurrent()) return
      this.trouble.value = (error as Error).message
    }
    this.reading = undefined
  }
}
