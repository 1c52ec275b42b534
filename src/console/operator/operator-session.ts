/** The signed-in operator: the token, kept in this page's memory alone, and readings once a second. */
import { signal } from '@preact/signals'
import type { Figures } from '../../admin-api/readings.ts'
import type { ActionAnswer, ActionPreview, TableRow } from '../../control/listed-action.ts'
import type { Identity } from './action-row.ts'
import { type AdminError, actOnce, askAdminServer, type Given } from './admin-server.ts'
import { FigureHistory, keptSamples, SAMPLES_MAX, type Sample } from './figure-history.ts'
import type { History, Mark } from './figures.ts'
import { WalletReadings } from './wallet-readings.ts'

const EVERY_MS = 1_000
const READ_TIMEOUT_MS = 10_000
/** A snapshot or a backup takes long. */
const ACT_TIMEOUT_MS = 3_600_000
const UNAUTHORIZED = 401
const NOT_FOUND = 404

/** How far plots may go back. The first is drawn second by second. */
export const SPANS = [
  { name: '10 minutes', seconds: SAMPLES_MAX },
  { name: '1 hour', seconds: 3_600 },
  { name: '6 hours', seconds: 21_600 },
  { name: '1 day', seconds: 86_400 },
  { name: '31 days', seconds: 2_678_400 },
] as const
/** Readings between two of what is kept. */
const HISTORY_EVERY = 10

export class OperatorSession {
  readonly identity = signal<Identity | undefined>(undefined)
  readonly figures = signal<Figures | undefined>(undefined)
  readonly samples = signal<readonly Sample[]>([])
  /** Seconds that plots go back, what they draw, and the marks among that. */
  readonly span = signal<number>(SAMPLES_MAX)
  readonly plotted = signal<readonly Sample[]>([])
  readonly marks = signal<readonly Mark[]>([])
  /** Whether the exchange keeps figures. */
  readonly hasHistory = signal(true)
  /** The newest first. */
  readonly warnings = signal<readonly TableRow[]>([])
  /** Why there is no new reading; '' when there is. */
  readonly trouble = signal('')
  readonly wallet = new WalletReadings((name, given) => this.act(name, given))
  private readonly history = new FigureHistory()
  private token = ''
  private warningsSeen = -1
  private uptimeSeconds = 0
  private readingsToHistory = 0
  private timer: number | undefined = undefined

  /** Throws AdminError when the token is refused. */
  async signIn(token: string): Promise<void> {
    const identity = await askAdminServer<Identity>(token, '/whoami', undefined, READ_TIMEOUT_MS)
    this.token = token
    this.identity.value = identity
    await this.read()
  }

  signOut(): void {
    clearTimeout(this.timer)
    this.token = ''
    this.warningsSeen = -1
    this.history.clear()
    this.wallet.clear()
    this.uptimeSeconds = 0
    this.readingsToHistory = 0
    this.span.value = SAMPLES_MAX
    this.plotted.value = []
    this.marks.value = []
    this.identity.value = undefined
    this.figures.value = undefined
    this.samples.value = []
    this.warnings.value = []
    this.trouble.value = ''
  }

  chooseSpan(seconds: number): void {
    this.span.value = seconds
    this.readingsToHistory = 0
    this.plotted.value = seconds === SAMPLES_MAX ? this.history.samples : []
    void this.readHistory(this.token).catch(() => {})
  }

  /** Carries an action out. Throws AdminError. */
  act(name: string, given: Given): Promise<ActionAnswer> {
    return actOnce(this.token, `/actions/${name}`, given, ACT_TIMEOUT_MS)
  }

  /** Returns the values that the action would change, as texts by parameter. Throws AdminError. */
  present(name: string, given: Given): Promise<Given> {
    return askAdminServer(this.token, `/actions/${name}?present`, given, READ_TIMEOUT_MS)
  }

  /** Returns what a dangerous action would do; undefined when there is nothing to confirm. Throws AdminError. */
  async previewOf(name: string, given: Given): Promise<ActionPreview | undefined> {
    const path = `/actions/${name}?preview`
    const { preview } = await askAdminServer<{ preview: ActionPreview | null }>(
      ...([this.token, path, given, READ_TIMEOUT_MS] as const),
    )
    return preview ?? undefined
  }

  private async read(): Promise<void> {
    const token = this.token
    const beganMs = performance.now()
    try {
      const figures = await askAdminServer<Figures>(token, '/figures', undefined, READ_TIMEOUT_MS)
      if (token !== this.token) return
      // Another start: the exchange kept what was before.
      if (figures.uptimeSeconds < this.uptimeSeconds) this.readingsToHistory = 0
      this.uptimeSeconds = figures.uptimeSeconds
      this.history.add(figures)
      if (this.readingsToHistory === 0) await this.readHistory(token)
      this.readingsToHistory = (this.readingsToHistory + 1) % HISTORY_EVERY
      if (token !== this.token) return
      this.samples.value = this.history.samples
      if (this.span.value === SAMPLES_MAX) this.plotted.value = this.history.samples
      this.figures.value = figures
      this.wallet.follow(figures)
      await this.readWarnings(figures)
      this.trouble.value = ''
    } catch (error) {
      if (token !== this.token) return
      if ((error as AdminError).status === UNAUTHORIZED) return this.signOut()
      this.trouble.value = (error as Error).message
    }
    const leftMs = Math.max(0, EVERY_MS - (performance.now() - beganMs))
    this.timer = setTimeout(() => void this.read(), leftMs)
  }

  /** Reads what the exchange kept: all of a long span; of the shortest what was before this page, and marks. */
  private async readHistory(token: string): Promise<void> {
    if (!this.hasHistory.value) return
    const { value: span } = this.span
    try {
      const path = `/history?span=${span}`
      const history = await askAdminServer<History>(token, path, undefined, READ_TIMEOUT_MS)
      if (token !== this.token || span !== this.span.value) return
      this.marks.value = history.marks
      if (span !== SAMPLES_MAX) this.plotted.value = keptSamples(history)
      else this.history.begin(history)
    } catch (error) {
      if ((error as AdminError).status !== NOT_FOUND) throw error
      this.hasHistory.value = false
    }
  }

  private async readWarnings({ warnings }: Figures): Promise<void> {
    if (warnings === this.warningsSeen) return
    this.warnings.value = (await this.act('warnings', {})).rows
    this.warningsSeen = warnings
  }
}
