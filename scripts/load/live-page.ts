/**
 * The load in a page while it runs: a server on the loopback address, for a browser of this machine.
 * The page asks for its body again every second, and keeps the last one when the load has ended.
 */
import { once } from 'node:events'
import http from 'node:http'
import { fileFault } from '../../src/base/file-fault.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { documentOf } from './page.ts'

const SCRIPT = `
const frame = document.querySelector('main')
const ask = async () => {
  try {
    frame.innerHTML = await (await fetch('body')).text()
    setTimeout(ask, 1000)
  } catch {
    document.title = 'ended: ' + document.title
  }
}
ask()
`

export class LivePage {
  private readonly server: http.Server
  readonly url: string

  private constructor(server: http.Server, url: string) {
    this.server = server
    this.url = url
  }

  /** Resolves when the page can be opened. Rejects with UsageError when the port is taken. */
  static async open(
    port: number,
    title: string,
    bodyNow: () => Promise<string>,
  ): Promise<LivePage> {
    const shell = documentOf(`${title}: live`, `<main></main>\n<script>${SCRIPT}</script>\n`)
    const server = http.createServer(async ({ url, method }, response) => {
      const text = url === '/' ? shell : url === '/body' ? await bodyNow() : undefined
      const isFound = text !== undefined && method === 'GET'
      response.writeHead(isFound ? 200 : 404, {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
      })
      response.end(isFound ? text : 'Not found')
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening').catch((error: Error) => {
      throw new UsageError(`--live cannot listen: ${fileFault(error)}.`)
    })
    return new LivePage(server, `http://127.0.0.1:${port}/`)
  }

  close(): void {
    this.server.close()
    this.server.closeAllConnections()
  }
}
