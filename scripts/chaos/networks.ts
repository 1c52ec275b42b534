/**
 * How a member of the quorum reaches PostgreSQL, so that it can be cut off: a separate network namespace
 * where the system allows one (Linux, root, iproute2), else a proxy that takes bytes and passes none on.
 */
import { execFileSync } from 'node:child_process'
import net from 'node:net'
import type { ProcessPlace } from '../exchange/exchange-process.ts'

/** What of a member is cut off: its way to PostgreSQL, or every way. */
export type Reach = 'quorum' | 'machine'

export interface MemberNetwork {
  /** Where the member runs; undefined for loopback. */
  readonly place: ProcessPlace | undefined
  /** What can be cut. */
  readonly reaches: readonly Reach[]
  /** Returns hosts and ports of PostgreSQL's servers as the member sees them, given their ports. */
  reachServers(ports: readonly number[]): Promise<readonly string[]>
  cut(reach: Reach): void
  heal(): void
  remove(): void
}

export interface Networks {
  readonly kind: 'namespaces' | 'proxies'
  readonly members: readonly MemberNetwork[]
  /** Where PostgreSQL listens beside loopback. */
  readonly servers: { readonly addresses: readonly string[]; readonly range: string } | undefined
}

/** Makes networks for so many members. */
export function makeNetworks(count: number): Networks {
  const numbers = Array.from({ length: count }, (_, number) => number)
  const made: Namespace[] = []
  try {
    for (const number of numbers) made.push(new Namespace(number))
    const addresses = made.map(({ serversAddress }) => serversAddress)
    return { kind: 'namespaces', members: made, servers: { addresses, range: RANGE } }
  } catch {
    for (const namespace of made) namespace.remove()
    return { kind: 'proxies', members: numbers.map(() => new Proxies()), servers: undefined }
  }
}

/** Addresses for measurements (RFC 2544), which no other network uses. */
const RANGE = '198.18.0.0/15'
const PART = process.pid % 250

const ip = (command: string) => {
  execFileSync('ip', command.split(' '), { stdio: 'pipe' })
}

/**
 * Two ends of a cable: the member's in the namespace, the machine's with a second address, at which the
 * member finds PostgreSQL. So the way there is cut alone by a route.
 */
class Namespace implements MemberNetwork {
  readonly reaches: readonly Reach[] = ['quorum', 'machine']
  readonly serversAddress: string
  readonly place: ProcessPlace
  private readonly name: string
  private readonly cable: string

  constructor(number: number) {
    this.name = `ringbook-${process.pid}-${number}`
    this.cable = `rb${process.pid}-${number}`
    this.serversAddress = `198.19.${PART}.${number + 1}`
    const [machine, member] = [1, 2].map((end) => `198.18.${PART}.${4 * number + end}`)
    this.place = {
      host: member!,
      wrap: (words) => ['ip', 'netns', 'exec', this.name, ...words],
    }
    process.once('exit', () => this.remove())
    try {
      ip(`netns add ${this.name}`)
      ip(`link add ${this.cable} type veth peer name member netns ${this.name}`)
      ip(`addr add ${machine}/30 dev ${this.cable}`)
      ip(`addr add ${this.serversAddress}/32 dev ${this.cable}`)
      ip(`link set ${this.cable} up`)
      ip(`-n ${this.name} addr add ${member}/30 dev member`)
      ip(`-n ${this.name} link set lo up`)
      ip(`-n ${this.name} link set member up`)
      ip(`-n ${this.name} route add default via ${machine}`)
    } catch (error) {
      this.remove()
      throw error
    }
  }

  async reachServers(ports: readonly number[]): Promise<readonly string[]> {
    return ports.map((port) => `${this.serversAddress}:${port}`)
  }

  cut(reach: Reach): void {
    if (reach === 'machine') ip(`link set ${this.cable} down`)
    else ip(`-n ${this.name} route add blackhole ${this.serversAddress}/32`)
  }

  heal(): void {
    ip(`link set ${this.cable} up`)
    try {
      ip(`-n ${this.name} route del blackhole ${this.serversAddress}/32`)
    } catch {
      // The cable was cut, and not the route.
    }
  }

  remove(): void {
    try {
      ip(`netns del ${this.name}`)
    } catch {
      // It was never made, or is gone.
    }
  }
}

/** One proxy for each server. */
class Proxies implements MemberNetwork {
  readonly place = undefined
  readonly reaches: readonly Reach[] = ['quorum']
  private readonly servers: net.Server[] = []
  private readonly sockets = new Set<net.Socket>()
  private isCut = false

  async reachServers(ports: readonly number[]): Promise<readonly string[]> {
    return Promise.all(ports.map((port) => this.proxyTo(port)))
  }

  cut(): void {
    this.isCut = true
    for (const socket of this.sockets) socket.pause()
  }

  heal(): void {
    this.isCut = false
    for (const socket of this.sockets) socket.resume()
  }

  remove(): void {
    for (const server of this.servers) server.close()
    for (const socket of this.sockets) socket.destroy()
  }

  private async proxyTo(port: number): Promise<string> {
    const server = net.createServer((client) => {
      const upstream = net.connect(port, '127.0.0.1')
      this.pass(client, upstream)
      this.pass(upstream, client)
    })
    this.servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `127.0.0.1:${(server.address() as net.AddressInfo).port}`
  }

  private pass(from: net.Socket, to: net.Socket): void {
    this.sockets.add(from)
    from.on('data', (bytes) => to.write(bytes))
    from.on('error', () => {})
    from.once('close', () => {
      this.sockets.delete(from)
      // A peer beyond a cut does not see an end.
      if (!this.isCut) to.destroy()
    })
    if (this.isCut) from.pause()
  }
}
