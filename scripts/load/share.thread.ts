/** Carries one share of a load on its own thread (share-thread.ts has the other end). */
import { parentPort, workerData } from 'node:worker_threads'
import { UsageError } from '../command-line/usage-error.ts'
import { beginShare, type SharePlan } from './share.ts'
import type { FromShare, ToShare } from './share-thread.ts'

const port = parentPort!
const say = (message: FromShare) => port.postMessage(message)
try {
  const share = await beginShare(workerData as SharePlan, (shown) => say({ shown }))
  port.on('message', async ({ request }: ToShare) => {
    if (request === 'abort') share.abort()
    else say({ state: await share.state() })
  })
  say({ began: true })
  say({ ended: await share.ended })
} catch (error) {
  const { message, stack } = error as Error
  const isUsage = error instanceof UsageError
  say({ failed: isUsage ? message : (stack ?? message), isUsage })
}
port.close()
