/**
 * The handlers of one app of uWebSockets.js, which can be let go. The library keeps an app's handlers for the
 * life of the process, even once the app is closed. Whatever they reach would stay with them: in a program
 * that starts exchanges one after another, every one of them.
 */
import type { HttpRequest, HttpResponse, TemplatedApp, WebSocketBehavior } from 'uWebSockets.js'
import { assert } from '../../base/assert.ts'

type Serve = (response: HttpResponse, request: HttpRequest) => void | Promise<void>
type Handler = (...of: never[]) => unknown
const nothing: Handler = () => {}

interface Slot {
  handler: Handler
}

/** Returns what the library keeps. None of its handlers has more arguments. */
const through =
  (slots: Slot) =>
  (a: never, b: never, c: never): unknown =>
    slots.handler(a, b, c)

export class Routes {
  private readonly app: TemplatedApp
  private readonly slots: Slot[] = []
  /** By method and path; those of all methods by path alone. */
  private readonly served = new Map<string, Slot>()

  constructor(app: TemplatedApp) {
    this.app = app
  }

  filter(counted: (response: HttpResponse, change: number) => void): void {
    this.app.filter(this.hold(counted) as Parameters<TemplatedApp['filter']>[0])
  }

  add(method: 'get' | 'post' | 'put' | 'del' | 'head' | 'options', path: string, serve: Serve) {
    this.app[method](path, this.noted(`${method} ${path}`, serve))
  }

  any(path: string, serve: Serve): void {
    this.app.any(path, this.noted(path, serve))
  }

  /** Serves a request of this process, as one of the network. Returns false when nothing is served any more. */
  serve(response: HttpResponse, request: HttpRequest): boolean {
    const method = request.getMethod()
    const named = method === 'delete' ? 'del' : method
    const slots = this.served.get(`${named} ${request.getUrl()}`) ?? this.served.get('/*')
    if (slots === undefined) return false
    slots.handler(response as never, request as never)
    return true
  }

  ws<UserData>(path: string, behavior: WebSocketBehavior<UserData>): void {
    const entries = Object.entries(behavior).map(([name, value]) => [
      name,
      typeof value === 'function' ? this.hold(value) : value,
    ])
    this.app.ws<UserData>(path, Object.fromEntries(entries))
  }

  /** Handles what the app gets as other routes would, which were made by the same calls. */
  become(other: Routes): void {
    assert(this.slots.length === other.slots.length, 'both have the same routes')
    for (const [at, slots] of this.slots.entries()) slots.handler = other.slots[at]!.handler
  }

  /** Call it when the app is closed: nothing is handled any more. */
  letGo(): void {
    for (const slots of this.slots.splice(0)) slots.handler = nothing
    this.served.clear()
  }

  private noted(name: string, serve: Serve): Serve {
    const through = this.hold(serve)
    this.served.set(name, this.slots.at(-1)!)
    return through
  }

  private hold<H extends Handler>(handler: H): H {
    const slots: Slot = { handler }
    this.slots.push(slots)
    return through(slots) as H
  }
}
