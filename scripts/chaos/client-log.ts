/**
 * What clients sent and what they received, in a file: a line before each request is sent, and a
 * line for its answer before the next one is. So a request without an answer is known to be one.
 */
import fs from 'node:fs'
import type { Answer, SignedClient } from '../exchange/signed-client.ts'

export type Json = Record<string, unknown>
export type Params = Readonly<Record<string, string | number>>

/** What a request is, beyond its parameters: it decides what its answer is compared with. */
export type RequestKind = 'place' | 'list' | 'cancel' | 'cancelList' | 'amend' | 'replace'

export interface ClientRequest {
  readonly kind: RequestKind
  readonly account: string
  readonly method: string
  readonly path: string
  readonly params: Params
}

/** A request, and its answer if there was one. */
export interface Exchanged {
  readonly request: ClientRequest
  readonly answer: { readonly status: number; readonly body: Json } | undefined
}

interface Line {
  /** Counts requests over the whole run. */
  readonly number: number
  readonly asked?: ClientRequest
  readonly answered?: { readonly status: number; readonly body: Json }
}

export class ClientLog {
  private readonly file: number
  private numbers = 0
  private readTo = 0

  constructor(file: string) {
    this.file = fs.openSync(file, 'a+')
  }

  /** Returns the request's number. */
  asked(asked: ClientRequest): number {
    const number = ++this.numbers
    this.write({ number, asked })
    return number
  }

  answered(number: number, status: number, body: Json): void {
    this.write({ number, answered: { status, body } })
  }

  /** What was written since the last time, read back from the file, in the order of the requests. */
  readNew(): readonly Exchanged[] {
    const { size } = fs.fstatSync(this.file)
    const bytes = Buffer.alloc(size - this.readTo)
    fs.readSync(this.file, bytes, 0, bytes.length, this.readTo)
    this.readTo = size
    const found = new Map<number, Exchanged>()
    for (const text of bytes.toString().split('\n').slice(0, -1)) {
      const { number, asked, answered }: Line = JSON.parse(text)
      if (asked !== undefined) found.set(number, { request: asked, answer: undefined })
      else found.set(number, { ...found.get(number)!, answer: answered })
    }
    return [...found.values()]
  }

  close(): void {
    fs.closeSync(this.file)
  }

  private write(line: Line): void {
    fs.writeSync(this.file, `${JSON.stringify(line)}\n`)
  }
}

/** Sends a request, in the log like its answer. Resolves to undefined when there is no answer. */
export async function sendLogged(
  log: ClientLog,
  client: SignedClient,
  request: ClientRequest,
  signal?: AbortSignal,
): Promise<Answer | undefined> {
  const number = log.asked(request)
  try {
    const answer = await client.send(request.method, request.path, request.params, signal)
    log.answered(number, answer.status, answer.body)
    return answer
  } catch (error) {
    // What fetch throws when the connection is refused or breaks, ends within the answer, or is given up.
    const { name } = error as Error
    if (['TypeError', 'SyntaxError', 'AbortError', 'TimeoutError'].includes(name)) return undefined
    throw error
  }
}
