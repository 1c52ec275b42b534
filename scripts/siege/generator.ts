/**
 * The process of one attack. It receives its order from the siege, which starts it at the lowest
 * priority. It ends by itself: after its seconds, or with the siege. It connects to loopback addresses alone.
 */
import { attackNamed } from './attacks.ts'
import { Raid, type RaidOrder } from './raid.ts'

process.once('disconnect', () => process.exit(0))
process.once('message', (message) => {
  const order = message as RaidOrder
  const raid = new Raid(order)
  setTimeout(() => {
    process.send?.(raid.tally, () => process.exit(0))
  }, order.seconds * 1000)
  attackNamed(order.attack).run(raid)
})
// The siege may have ended in the meantime; then `disconnect` ends this process too.
const ignoreClosed = () => {}
process.send?.('ready', undefined, undefined, ignoreClosed)
