/**
 * Operators' actions over HTTP, with a token (`Authorization: Bearer …`): `GET /actions` lists them,
 * `POST /actions/NAME` with a JSON object of arguments carries one out, once for each `Idempotency-Key`
 * (keyed-actions.ts). `POST /actions/NAME?preview` returns
 * what a dangerous action would do, or null, and `POST /actions/NAME?present` the values that a form begins with:
 * both change nothing. `POST /reference-prices` takes prices of a feed, by symbol (reference-feed.ts); so does a WebSocket
 * of that path (price-feed.ts). `GET /whoami`
 * returns the token's operator and the actions that it allows, `GET /figures` what
 * the operator's screen draws (figures.ts), and `GET /history?span=SECONDS` what its plots begin with. Responds 200 with the result, 400 with one sentence of refusal,
 * 401 without a token, 403 when the operator's role is too low, 503 while the exchange stops.
 */
import type { IncomingMessage } from 'node:http'
import { isTable, type Table } from '../base/cold-input.ts'
import { ActionError, actionGroups, RoleError, StoppingError } from '../control/action.ts'
import type { CommandExecutor } from '../control/command-executor.ts'
import { actions } from '../control/commands.ts'
import { mayAct, type Operator, OWNER } from '../control/operators.ts'
import { type OwnerToken, tokenOf } from '../control/token.ts'
import { SPAN_SECONDS_MAX } from '../telemetry/kept-figures.ts'

/** The largest body: far more than any arguments. */
const BODY_BYTES_MAX = 256 * 1024
const KEY = /^[\x21-\x7e]{1,64}$/

const SPAN = /^span=(\d{1,7})$/

/** What the operator's screen draws. */
export interface Readings {
  readonly figures: () => unknown
  /** Returns the figures of the last `spanSeconds` (telemetry/kept-figures.ts), undefined where none are kept. */
  readonly history: (spanSeconds: number) => unknown
}

export type Answer = readonly [status: number, answer: unknown]

const UNKNOWN: Answer = [
  401,
  {
    error: 'Enter a valid token: of the data folder (its file operator-token), or of an operator.',
  },
]

export class ActionRequests {
  private readonly executor: CommandExecutor
  private readonly token: Pick<OwnerToken, 'accepts'>
  private readonly read: Readings

  constructor(executor: CommandExecutor, token: Pick<OwnerToken, 'accepts'>, read: Readings) {
    this.executor = executor
    this.token = token
    this.read = read
  }

  /** Whether the request carries the token of the data folder or of an operator. */
  knows({ headers }: IncomingMessage): boolean {
    return this.operatorOf(headers.authorization) !== undefined
  }

  /** Returns why the request may open no feed of prices, if so. */
  feedRefusal({ headers }: IncomingMessage): Answer | undefined {
    const by = this.operatorOf(headers.authorization)
    if (by === undefined) return UNKNOWN
    return mayAct(by, 'admin')
      ? undefined
      : [403, { error: 'A feed of prices needs the role admin.' }]
  }

  /** Resolves to the answer to a message of a feed that the request opened; undefined once its token is not valid. */
  async feed({ headers }: IncomingMessage, text: string): Promise<unknown> {
    const by = this.operatorOf(headers.authorization)
    if (by === undefined) return undefined
    try {
      return await this.executor.feed(tableOf(text), by)
    } catch (error) {
      if (error instanceof ActionError || error instanceof RoleError)
        return { error: error.message }
      throw error
    }
  }

  /** Responds to a request for `/whoami`, `/figures`, `/history`, `/reference-prices`, `/actions` or below. */
  async answer(request: IncomingMessage): Promise<Answer> {
    const by = this.operatorOf(request.headers.authorization)
    if (by === undefined) return UNKNOWN
    const [path = '', query] = (request.url ?? '').split('?')
    const [, first, name = ''] = path.split('/')
    if (first === 'whoami') {
      const actions = listed(by)
      // `acts` is its name of before.
      return [200, { name: by.name, role: by.role, groups: actionGroups, actions, acts: actions }]
    }
    if (first === 'figures') return [200, this.read.figures()]
    if (first === 'history') return this.historyOf(query)
    const isFeed = first === 'reference-prices'
    if (name === '' && !isFeed) return [200, listed(OWNER)]
    if (request.method !== 'POST') return [405, { error: 'Use POST.' }]
    try {
      const given = await argumentsOf(request)
      if (isFeed) return [200, await this.executor.feed(given, by)]
      if (query === 'preview') {
        return [200, { preview: (await this.executor.preview(name, given, by)) ?? null }]
      }
      if (query === 'present') return [200, this.executor.present(name, given, by)]
      if (query !== undefined)
        throw new ActionError('An action is followed by ?preview, ?present or nothing.')
      return [200, await this.executor.act(name, given, by, keyOf(request))]
    } catch (error) {
      if (error instanceof StoppingError) return [503, { error: error.message }]
      if (error instanceof ActionError) return [400, { error: error.message }]
      if (error instanceof RoleError) return [403, { error: error.message }]
      throw error
    }
  }

  private historyOf(query = ''): Answer {
    const [, seconds = ''] = SPAN.exec(query) ?? []
    const isSpan = seconds !== '' && Number(seconds) >= 1 && Number(seconds) <= SPAN_SECONDS_MAX
    if (!isSpan) return [400, { error: `Ask for span=SECONDS, 1 to ${SPAN_SECONDS_MAX}.` }]
    const history = this.read.history(Number(seconds))
    return history === undefined ? [404, { error: 'No figures are kept.' }] : [200, history]
  }

  private operatorOf(header: string | undefined): Operator | undefined {
    if (this.token.accepts(header)) return OWNER
    const token = tokenOf(header)
    return token === undefined ? undefined : this.executor.operatorOf(token)
  }
}

/** Returns the key by which a client may send the action again. Throws ActionError for one that cannot be kept. */
function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || (typeof key === 'string' && KEY.test(key))) return key
  throw new ActionError('Idempotency-Key must be 1 to 64 printable characters of ASCII.')
}

/** Returns the rows of the actions that the operator may carry out. */
const listed = (by: Operator) =>
  actions
    .filter(({ role }) => mayAct(by, role))
    .map(({ run: _, previews, present: __, ...row }) => ({
      ...row,
      hasPreview: previews !== undefined,
    }))

async function argumentsOf(request: IncomingMessage): Promise<Table> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
  }
  if (bytes > BODY_BYTES_MAX) throw new ActionError('The arguments are too long.')
  return bytes === 0 ? {} : tableOf(Buffer.concat(chunks).toString('utf8'))
}

function tableOf(text: string): Table {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    given = undefined
  }
  if (isTable(given)) return given
  throw new ActionError('The arguments must be a JSON object.')
}
