/** The bare sink of a control run: accepts connections, reads and discards, and sends nothing. */
import net from 'node:net'

const server = net.createServer((socket) => {
  socket.on('error', () => {})
  socket.resume()
})
process.once('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as net.AddressInfo).port)
})
