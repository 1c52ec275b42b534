/**
 * The process of one attack. It receives its order from the siege, runs at the lowest priority, and
 * ends by itself: after its seconds, or with the siege. It connects to loopback addresses alone.
 */
import os from 'node:os'
import { attackNamed } from './attacks/table.ts'
import { Raid, type RaidOrder } from './raid.ts'

const LOWEST_PRIORITY = 19

os.setPriority(LOWEST_PRIORITY)
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
