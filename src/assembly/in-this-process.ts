/** An exchange on the event loop of this process: for tests and programs that trade with it. */
import { nextTick } from 'node:process'
import { dateNow } from '../base/real-date.ts'
import { RealTime } from '../base/real-time.ts'
import { StartError } from '../base/start-error.ts'
import type { Time } from '../base/time.ts'
import { openAccounts } from './embedded-accounts.ts'
import { checkOptions, embeddedConfig, momentOfStart } from './embedded-config.ts'
import { openEmbeddedFolder } from './embedded-folder.ts'
import { Exchange } from './exchange.ts'
import { Failures, onlyFirst } from './failures.ts'
import { claimFreePort } from './free-port.ts'
import { LoopGround } from './loop/loop-ground.ts'
import { openLog } from './main/log-output.ts'
import type { Claimed } from './main/running-exchange.ts'
import { seedFolder, takeFolder } from './main/take-folder.ts'
import { operateHere } from './operate.ts'
import type { EmbeddedExchange, ExchangeOptions } from './options.ts'
import type { SpareParts } from './spare.ts'
import { Succession } from './succession.ts'
import { venueOf } from './venue.ts'
import { outsidePort } from './venue-chain-port.ts'
import { VenueMarks } from './venue-marks.ts'
import { Networks } from './venue-network.ts'
import { forkOptions, type StartFork } from './venue-states.ts'

const HOST = '127.0.0.1'
const LATER =
  'The folder has an order that is later than the moment at which the clock shall begin.'

/** What a start has taken, given back in the opposite order. */
class Taken {
  private readonly toGiveBack: (() => unknown)[] = []

  add(giveBack: () => unknown): void {
    this.toGiveBack.push(giveBack)
  }

  async giveBack(): Promise<void> {
    for (const action of this.toGiveBack.splice(0).reverse()) await action()
  }
}

/** `time` is the machine's, unless a simulation hands in another. */
export async function startHere(
  options: ExchangeOptions = {},
  time: Time = new RealTime(),
): Promise<EmbeddedExchange> {
  const taken = new Taken()
  try {
    return await start(options, taken, time)
  } catch (error) {
    await taken.giveBack()
    throw error
  }
}

async function start(
  options: ExchangeOptions,
  taken: Taken,
  time: Time,
): Promise<EmbeddedExchange> {
  checkOptions(options)
  const folder = openEmbeddedFolder(options.folder, dateNow())
  taken.add(() => folder.remove())
  const [port, adminPort] = await Promise.all([portFor(options.port, taken), portFor(0, taken)])
  const config = embeddedConfig(options, { data: folder.path, port, adminPort })
  const networks = new Networks(port, time)
  taken.add(() => networks.close())
  const { log = () => {}, failed = throwLater } = options
  const output = openLog({ ...config, logFormat: 'json' }, false, { write: log })
  const failures = new Failures(onlyFirst(failed))
  const beginsMs = momentOfStart(options)
  let ground = new LoopGround({ config, time, begins: beginsMs })
  taken.add(() => ground.clock?.close())
  const assembledOn = (on: LoopGround, claimed?: Claimed, spare?: SpareParts) =>
    new Exchange({
      ...on.assembly,
      log: output.log,
      warnings: output.warnings,
      claimed,
      marks,
      networks,
      chainPort: options.chainPort && outsidePort(options.chainPort, (...it) => operate(...it)),
      ...(spare && { isSpare: true, memory: spare.memory }),
      events: {
        started: ({ fields }) => output.log.info(fields, 'started'),
        failed: (error) =>
          spare?.isPlaced() === false ? spare.failed(error) : failures.note(error),
        stopWanted: () => void close(),
        replaceWanted: (swap) => succession.replace(swap),
      },
      takeFolder: options.folder === undefined ? takeTemporary : takeFolder,
    })
  const marks = new VenueMarks({
    dataFolder: folder.path,
    time,
    assembled: assembledOn,
    ground: () => ground,
    succession: () => succession,
    stands: (on) => {
      if (ground !== on) ground.clock?.close()
      ground = on
    },
  })
  const succession = new Succession((claimed) => assembledOn(ground, claimed), failures)
  const operate = operateHere(succession)
  taken.add(() => marks.removeAll())
  taken.add(() => succession.end())
  taken.add(() => marks.close())
  await succession.start()
  if (beginsMs !== undefined && ground.clock!.state().nowMs > beginsMs) throw new StartError(LATER)
  const accounts = await failures.orFirst(openAccounts(operate, folder.path, options, succession))
  if (config.sandbox === 'on') succession.running.markFirst()
  failures.hasStarted()
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= taken.giveBack()
    return closing
  }
  const addresses = { ...addressesOf(port, adminPort), folder: folder.path, accounts }
  const startFork: StartFork = (fork) =>
    startHere(forkOptions(options, fork, ground.clock?.state().nowMs), time)
  const here = { gateway: () => ground.gateway, clock: () => ground.clock }
  return venueOf(addresses, operate, { close, startFork, networks, time }, here)
}

const addressesOf = (port: number, adminPort: number) => ({
  url: `http://${HOST}:${port}`,
  wsUrl: `ws://${HOST}:${port}`,
  wsApiUrl: `ws://${HOST}:${port}/ws-api/v3`,
  sbeUrl: `ws://${HOST}:${port}/sbe`,
  adminUrl: `http://${HOST}:${adminPort}`,
  port,
})

/** It has a name that no other process has. */
const takeTemporary: typeof takeFolder = async (config, log) => {
  seedFolder(config, log)
  return { close: () => {} }
}

async function portFor(given = 0, taken: Taken): Promise<number> {
  if (given !== 0) return given
  const claim = await claimFreePort()
  taken.add(() => claim.close())
  return claim.port
}

function throwLater(error: Error): void {
  nextTick(() => {
    throw error
  })
}
