/** A gateway's thread. */
import { RealTime } from '../base/real-time.ts'
import { runOnEvents } from './agent-thread.ts'
import { gatewayOnThread } from './gateway-on-thread.ts'

await runOnEvents(gatewayOnThread, { time: new RealTime() })
