/**
 * The ceiling of one gateway thread: a bare uWebSockets.js server that answers everything with the
 * same few bytes. Run as a separate process: `node hello.js PORT`; ends at SIGTERM.
 */
import uWebSockets from 'uWebSockets.js'

const port = Number(process.argv[2])

uWebSockets
  .App()
  .any('/*', (response) => {
    response.end('Hello, world!')
  })
  .listen('127.0.0.1', port, (socket) => {
    if (!socket) {
      process.stderr.write(`port ${port} is taken\n`)
      process.exit(1)
    }
  })

process.on('SIGTERM', () => process.exit(0))
