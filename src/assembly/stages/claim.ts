/** Takes the data folder and the ports. */
import { AdminServer } from '../../admin-api/admin-server.ts'
import { StartError } from '../../base/start-error.ts'
import { removeAdminPort, writeAdminPort } from '../../control/admin-address.ts'
import { ExchangeCounter } from '../../shared/counters.ts'
import { readScreen } from '../../workers/console-parts.ts'
import { checkProcessors } from '../../workers/placement.ts'
import { portSentence, probePort } from '../main/exclusive.ts'
import { openFilesMax, socketsWithin } from '../main/open-files.ts'
import type { Claimed } from '../main/running-exchange.ts'
import { checkTls } from '../main/tls-files.ts'
import type { Starting } from './starting.ts'

/** A spare takes the place of another exchange later. */
export async function claimFolderAndPorts(starting: Starting): Promise<Claimed> {
  const { claimed, isSpare } = starting.parts
  if (claimed === undefined) return claimNew(starting)
  if (!isSpare) starting.takeClaimed(claimed)
  return claimed
}

async function claimNew(starting: Starting): Promise<Claimed> {
  const { config, log, takeFolder } = starting.parts
  const folder = await takeFolder(config, log)
  const claim = {
    close: () => {
      removeAdminPort(config.data)
      folder.close()
    },
  }
  starting.claim(claim)
  const certificateEndMs = checkTls(config, (sentence) => log.warn(sentence))
  starting.reload.certificateEndMs = certificateEndMs
  const scheme = certificateEndMs === undefined ? 'http' : 'https'
  const filesMax = openFilesMax()
  const socketsInAll = socketsWithin(config, filesMax)
  await checkProcessors(config)
  await probePort(config.host, config.port)
  if (config.sbePort !== 0) await probePort(config.host, config.sbePort, 'sbe-port')
  const admin = new AdminServer(readScreen(), () =>
    starting.counts.add(ExchangeCounter.doorDisplaced, 1),
  )
  await admin.listen(config.adminPort).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(portSentence('admin-port', '127.0.0.1', config.adminPort, error))
  })
  starting.takeAdmin(admin)
  writeAdminPort(config.data, config.adminPort)
  return { claim, scheme, filesMax, socketsInAll, admin }
}
