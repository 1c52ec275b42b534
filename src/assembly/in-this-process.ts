/** An exchange on the event loop of this process: for tests and programs that trade with it. */
import { RealTime } from '../base/real-time.ts'
import type { Time } from '../base/time.ts'
import type { Ms } from '../base/units.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { realSockets } from '../gateway/server.ts'
import { openLog } from '../threads/log-output.ts'
import type { Place } from '../threads/running-exchange.ts'
import { takeFolder } from '../threads/take-folder.ts'
import { assemble } from './assemble.ts'
import { openAccounts } from './embedded-accounts.ts'
import { embeddedConfig } from './embedded-config.ts'
import { openEmbeddedFolder } from './embedded-folder.ts'
import { Failures } from './failures.ts'
import { claimFreePort } from './free-port.ts'
import type { LoopParts } from './loop/loop-parts.ts'
import { virtually } from './loop/loop-virtual.ts'
import { onOneLoop } from './loop/one-loop.ts'
import { operateHere } from './operate.ts'
import type { EmbeddedExchange, ExchangeOptions } from './options.ts'
import { Succession } from './succession.ts'
import { venueOf } from './venue.ts'
import { forkOptions, type StartFork } from './venue-states.ts'

const HOST = '127.0.0.1'
const nothing = { close: () => {} }

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

/** `time` is the machine's, unless a simulation hands in another; a virtual clock begins at `beginsMs`. */
export async function startHere(
  options: ExchangeOptions = {},
  time: Time = new RealTime(),
  beginsMs?: Ms,
): Promise<EmbeddedExchange> {
  const taken = new Taken()
  try {
    return await start(options, taken, time, beginsMs)
  } catch (error) {
    await taken.giveBack()
    throw error
  }
}

async function start(
  options: ExchangeOptions,
  taken: Taken,
  time: Time,
  beginsMs: Ms | undefined,
): Promise<EmbeddedExchange> {
  const folder = openEmbeddedFolder(options.folder)
  taken.add(() => folder.remove())
  const [port, adminPort] = await Promise.all([portFor(options.port, taken), portFor(0, taken)])
  const config = embeddedConfig(options, { data: folder.path, port, adminPort })
  const { log = () => {}, failed = throwLater } = options
  const output = openLog({ ...config, logFormat: 'json' }, false, { write: log })
  const failures = new Failures(failed)
  let gateway: Gateway | undefined
  const parts: LoopParts = {
    sockets: realSockets,
    flushesBeside: true,
    watch: {
      gateway: (made) => {
        gateway = made
      },
    },
  }
  const virtual = config.clock === 'virtual' ? virtually(time, parts, true, beginsMs) : undefined
  taken.add(() => virtual?.clock.close())
  const assembled = (place?: Place) =>
    assemble({
      ...{ config, time, log: output.log, warnings: output.warnings, place },
      events: {
        started: ({ fields }) => output.log.info(fields, 'started'),
        failed: (error) => failures.note(error),
        stopWanted: () => void close(),
        replaceWanted: (swap) => succession.replace(swap),
      },
      // Its temporary folder has a name that no other process has.
      takeFolder: options.folder === undefined ? async () => nothing : takeFolder,
      ...(virtual ?? { workers: onOneLoop(parts) }),
    })
  const succession = new Succession(assembled, failures)
  taken.add(() => succession.end())
  await succession.start()
  const operate = operateHere(succession)
  const accounts = await failures.orFirst(openAccounts(operate, folder.path, options))
  if (config.sandbox === 'on') succession.running.markFirst()
  failures.hasStarted()
  const closed = () => taken.giveBack()
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closed()
    return closing
  }
  const facts = {
    url: `http://${HOST}:${port}`,
    wsUrl: `ws://${HOST}:${port}`,
    wsApiUrl: `ws://${HOST}:${port}/ws-api/v3`,
    adminUrl: `http://${HOST}:${adminPort}`,
    ...{ port, folder: folder.path, accounts },
  }
  const startFork: StartFork = (fork) =>
    startHere(forkOptions(options, fork), time, virtual?.clock.state().nowMs)
  const here = { gateway: () => gateway!, clock: virtual?.clock }
  return venueOf(facts, operate, { close, startFork }, here)
}

async function portFor(given = 0, taken: Taken): Promise<number> {
  if (given !== 0) return given
  const claim = await claimFreePort()
  taken.add(() => claim.close())
  return claim.port
}

function throwLater(error: Error): void {
  queueMicrotask(() => {
    throw error
  })
}
