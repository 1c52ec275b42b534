/**
 * The port of one gateway: an app of uWebSockets.js for each certificate, and the sockets that listen. It is made before
 * what is served on it, since frames of streams are published to all its apps.
 */
import uWS, {
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
} from 'uWebSockets.js'
import { Routes } from './http/routes.ts'

/** Certificates that connections may have at a time. */
const CERTIFICATES_MAX = 2
/**
 * Sockets on the port, of each gateway. The kernel keeps 512 connections for each until it is accepted;
 * it drops what comes beyond, and a client tries again after a second.
 */
const LISTEN_SOCKETS = 4

/** Opens and closes sockets: uWebSockets.js, or a fake in tests. */
export type Sockets = Pick<typeof uWS, 'App' | 'us_listen_socket_close'>

/** Sockets of uWebSockets.js. */
export const realSockets: Sockets = uWS

export interface TlsFiles {
  readonly certFile: string
  readonly keyFile: string
}

export interface PortOptions {
  readonly sockets: Sockets
  readonly host: string
  readonly port: number
  /** The setting that names it. */
  readonly flag: 'port' | 'sbe-port'
  /** Paths of PEM files; undefined for connections in the clear. */
  readonly tls: TlsFiles | undefined
}

interface RoutedApp {
  readonly app: TemplatedApp
  readonly routes: Routes
}

/** Another process took the port after the probe; uWebSockets.js gives no reason. */
export class ListenError extends Error {
  override readonly name = 'ListenError'

  constructor(host: string, port: number, flag: string) {
    super(`Port ${port} on ${host} cannot be listened on. Pass another --${flag}.`)
  }
}

/** Ends its connections, which are notified within the call. */
function closeApp({ app, routes }: RoutedApp): void {
  app.close()
  routes.letGo()
}

export class Port {
  private readonly options: PortOptions
  /** One for each certificate, the newest last: a connection keeps the one that it began with. */
  private readonly apps: RoutedApp[] = []
  private readonly listening: us_listen_socket[] = []

  constructor(options: PortOptions) {
    this.options = options
  }

  /** Makes an app with the certificate now in its file; `route` says what it serves. */
  add(route: (routes: Routes) => void): void {
    const { tls, sockets } = this.options
    const app =
      tls === undefined
        ? sockets.App()
        : uWS.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile })
    const routes = new Routes(app)
    route(routes)
    this.apps.push({ app, routes })
  }

  /** Resolves when the newest app listens; rejects with ListenError when it cannot. */
  async listen(): Promise<void> {
    while (this.listening.length < LISTEN_SOCKETS) {
      const socket = await this.listenOnce()
      // Those that were taken over meanwhile listen instead.
      if (this.listening.length < LISTEN_SOCKETS) this.listening.push(socket)
    }
  }

  private listenOnce(): Promise<us_listen_socket> {
    const { host, port, flag } = this.options
    return new Promise((resolve, reject) => {
      this.apps.at(-1)!.app.listen(host, port, (socket) => {
        if (socket === false) reject(new ListenError(host, port, flag))
        else resolve(socket)
      })
    })
  }

  /**
   * Resolves when new connections get the certificate now in its file. Connections of the last certificate
   * continue; those of the one before it end, so that certificates do not pile up.
   */
  async replace(route: (routes: Routes) => void): Promise<void> {
    const before = this.listening.splice(0)
    this.add(route)
    await this.listen()
    for (const socket of before) this.options.sockets.us_listen_socket_close(socket)
    if (this.apps.length > CERTIFICATES_MAX) closeApp(this.apps.shift()!)
  }

  /** Has all sockets of another port of the same settings, and serves them by its own routes. */
  takeOver(before: Port): void {
    const own = this.apps.pop()!
    for (const taken of before.apps.splice(0)) {
      taken.routes.become(own.routes)
      this.apps.push(taken)
    }
    closeApp(own)
    this.listening.push(...before.listening.splice(0))
  }

  /** Serves a request of this process. Returns false when the port is closed. */
  serve(response: HttpResponse, request: HttpRequest): boolean {
    return this.apps.at(-1)?.routes.serve(response, request) === true
  }

  /** Sends a frame to all subscribers of a topic. */
  publish(topic: string, frame: Uint8Array, isBinary = false): void {
    for (const { app } of this.apps) app.publish(topic, frame, isBinary)
  }

  /** Refuses new connections from now on; existing ones continue. */
  stopListening(): void {
    for (const socket of this.listening.splice(0))
      this.options.sockets.us_listen_socket_close(socket)
  }

  close(): void {
    this.apps.splice(0).forEach(closeApp)
  }
}
