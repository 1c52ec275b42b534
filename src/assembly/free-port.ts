/**
 * A free port for an exchange without a given one. Gateways share a port (SO_REUSEPORT), so two exchanges that
 * picked the same one would share it unnoticed. A name in the kernel's abstract namespace (Linux) claims the
 * port until the claim is closed.
 */
import * as net from 'node:net'

const HOST = '127.0.0.1'
const TRIES = 100

export interface PortClaim {
  readonly port: number
  close(): void
}

/** Resolves to a port on which no program listens, and that no other claim has. */
export async function claimFreePort(): Promise<PortClaim> {
  for (let tries = 0; tries < TRIES; tries++) {
    const probe = await listening(net.createServer(), { host: HOST, port: 0 })
    if (probe === undefined) continue
    const { port } = probe.address() as net.AddressInfo
    const claim = await claimOf(port)
    await new Promise((resolve) => probe.close(resolve))
    if (claim !== undefined) return { port, close: () => claim.close() }
  }
  throw new Error('There is no free port.')
}

/** Resolves to undefined when another claim has the port. */
async function claimOf(port: number): Promise<{ close(): void } | undefined> {
  if (process.platform !== 'linux') return { close: () => {} }
  const server = net.createServer((socket) => socket.destroy())
  const claim = await listening(server, { path: `\0ringbook-port-${port}` })
  return claim?.unref()
}

function listening(server: net.Server, where: net.ListenOptions): Promise<net.Server | undefined> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(where, () => resolve(server))
  })
}
