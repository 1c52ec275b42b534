/** The signed-in operator: the token, kept in this page's memory alone, and readings once a second. */
import { signal } from '@preact/signals'
import type { ActionResult, Identity, Preview, ResultRow } from './action-row.ts'
import { type AdminError, askAdminServer, type Given } from './admin-server.ts'
import { FigureHistory, type Sample } from './figure-history.ts'
import type { Figures } from './figures.ts'

const EVERY_MS = 1_000
const READ_TIMEOUT_MS = 10_000
/** A snapshot or a backup takes long. */
const ACT_TIMEOUT_MS = 3_600_000
const UNAUTHORIZED = 401

export class OperatorSession {
  readonly identity = signal<Identity | undefined>(undefined)
  readonly figures = signal<Figures | undefined>(undefined)
  readonly samples = signal<readonly Sample[]>([])
  /** The newest first. */
  readonly warnings = signal<readonly ResultRow[]>([])
  /** Why there is no new reading; '' when there is. */
  readonly trouble = signal('')
  private readonly history = new FigureHistory()
  private token = ''
  private warningsSeen = -1
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
    this.identity.value = undefined
    this.figures.value = undefined
    this.samples.value = []
    this.warnings.value = []
    this.trouble.value = ''
  }

  /** Carries an action out. Throws AdminError. */
  act(name: string, given: Given): Promise<ActionResult> {
    return askAdminServer(this.token, `/actions/${name}`, given, ACT_TIMEOUT_MS)
  }

  /** Returns the values that the action would change, as texts by parameter. Throws AdminError. */
  present(name: string, given: Given): Promise<Given> {
    return askAdminServer(this.token, `/actions/${name}?present`, given, READ_TIMEOUT_MS)
  }

  /** Returns what a dangerous action would do; undefined when there is nothing to ask. Throws AdminError. */
  async previewOf(name: string, given: Given): Promise<Preview | undefined> {
    const path = `/actions/${name}?preview`
    const { preview } = await askAdminServer<{ preview: Preview | null }>(
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
      this.history.add(figures)
      this.samples.value = this.history.samples
      this.figures.value = figures
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

  private async readWarnings({ warnings }: Figures): Promise<void> {
    if (warnings === this.warningsSeen) return
    this.warnings.value = (await this.act('warnings', {})).rows
    this.warningsSeen = warnings
  }
}
