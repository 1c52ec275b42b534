/** Ports for the servers of tests. */
import dgram from 'node:dgram'
import net from 'node:net'

const HOST = '127.0.0.1'
/**
 * Below those that the kernel gives to connections, so that no client ever takes one, and above 10,080,
 * the last that fetch() refuses to ask.
 */
const LOWEST = 10_100
const COUNT = 20_000

/** A claim stands as long as its process: a caller that starts the server again finds the port free. */
const claims: dgram.Socket[] = []

/**
 * A free TCP port that no other test on this machine is given. The sign of a claim is a UDP socket of
 * the same number: it leaves the port to the server, before its start and between two of them.
 */
export async function claimPort(): Promise<number> {
  const first = Math.floor(Math.random() * COUNT)
  for (let i = 0; i < COUNT; i++) {
    const port = LOWEST + ((first + i) % COUNT)
    const claim = await claimOf(port)
    if (claim === undefined) continue
    if (await isFree(port)) {
      claims.push(claim)
      return port
    }
    claim.close()
  }
  throw new Error('every port is taken')
}

function claimOf(port: number): Promise<dgram.Socket | undefined> {
  const socket = dgram.createSocket('udp4')
  return new Promise((resolve) => {
    socket.once('error', () => {
      socket.close()
      resolve(undefined)
    })
    socket.bind({ port, address: HOST, exclusive: true }, () => resolve(socket.unref()))
  })
}

function isFree(port: number): Promise<boolean> {
  const server = net.createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, HOST, () => server.close(() => resolve(true)))
  })
}
