/** Has the indexer begin, then the gateways serve clients. */
import type { GatewayStart } from '../../agents/messages.ts'
import { raisePriorities } from '../../workers/foreground.ts'
import { keepOn } from '../../workers/placement.ts'
import type { WorkerHandle } from '../../workers/worker-handle.ts'
import type { Crew } from '../main/crew.ts'
import { acceptsWithin } from '../main/open-files.ts'
import type { Claimed } from '../main/running-exchange.ts'
import type { Opened } from './open.ts'
import type { Recovered } from './recover.ts'
import type { Reserved } from './reserve.ts'
import type { Starting } from './starting.ts'

/** Resolves when all gateways serve clients, on the processors and with the priorities of the settings. */
export async function serveClients(
  starting: Starting,
  claimed: Claimed,
  { folder, crew }: Opened,
  { regions }: Reserved,
  { start, startNow }: Recovered,
): Promise<void> {
  const { isSpare } = starting.parts
  const { socketsInAll } = claimed
  await crew.derived.beginIndexer(regions, startNow)
  await openGateways(starting, crew, {
    ...start,
    keys: folder.keys,
    socketsInAll,
    acceptsPerAddress: acceptsWithin(start.config, socketsInAll),
  })
  if (isSpare) starting.takeClaimed(claimed)
  await pinThreads(starting, crew)
  starting.throwIfEnding()
}

async function openGateways(
  starting: Starting,
  { gateways, faults }: Crew,
  start: Omit<GatewayStart, 'index'>,
): Promise<void> {
  starting.throwIfEnding()
  starting.isOpening = true
  for (const [index, gateway] of gateways.entries()) {
    const own: GatewayStart = { ...start, index }
    gateway.begin(own)
  }
  await faults?.begin(starting.parts.memory?.faults ?? [])
  await Promise.all(gateways.map((gateway) => gateway.waitFor('ready')))
}

/**
 * Places matchers and gateways on their processors, and raises their priorities, once they have created
 * all their threads, which would inherit both.
 */
async function pinThreads({ parts: { config, log } }: Starting, crew: Crew): Promise<void> {
  const threadsOf = (workers: readonly WorkerHandle[]) =>
    Promise.all(workers.map((worker) => worker.thread()))
  const gateways = await threadsOf(crew.gateways)
  const matchers = await threadsOf(crew.matchers)
  if ([...gateways, ...matchers].every((thread) => thread === undefined)) return
  await keepOn(gateways, config.gatewayProcessors)
  await keepOn(matchers, config.matcherProcessors)
  log.info(raisePriorities({ matchers, gateways }))
}
