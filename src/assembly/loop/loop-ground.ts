/**
 * What one exchange of a program stands on: its folder, its time and its sockets. Those of an exchange that is put in
 * the place of another listen when its door opens.
 */
import { ManualClock } from '../../base/manual-time.ts'
import type { Time } from '../../base/time.ts'
import type { Ms } from '../../base/units.ts'
import type { VirtualClock } from '../../base/virtual-clock.ts'
import type { Config } from '../../config/config.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { realSockets, type Sockets } from '../../gateway/port.ts'
import type { Assembly } from '../stages/starting.ts'
import type { LoopParts } from './loop-parts.ts'
import { virtually } from './loop-virtual.ts'
import { onOneLoop } from './one-loop.ts'

/** A virtual clock at one moment. */
export interface MarkedClock {
  readonly wallMs: Ms
  /** Monotonic: what is due at such a time, as the end of a listen key, is due after a revert, too. */
  readonly passedMs: number
  readonly isPaused: boolean
  readonly speed: number
}

export interface GroundParts {
  readonly config: Config
  /** The machine's. */
  readonly time: Time
  /** When a virtual clock begins: at this moment, or as at a mark; at the machine's time when left out. */
  readonly begins?: Ms | MarkedClock | undefined
  /** Left out where sockets listen at once. */
  readonly door?: Door
}

export class LoopGround {
  readonly config: Config
  /** Undefined where the time is the machine's. */
  readonly clock: VirtualClock | undefined
  /** What an exchange is assembled of. */
  readonly assembly: Pick<Assembly, 'config' | 'time' | 'clock' | 'workers'>
  private made: Gateway | undefined = undefined

  constructor({ config, time, begins, door }: GroundParts) {
    const parts: LoopParts = {
      sockets: door === undefined ? realSockets : door.held(realSockets),
      flushesBeside: true,
      watch: {
        gateway: (gateway) => {
          this.made = gateway
        },
      },
    }
    const isVirtual = config.clock === 'virtual'
    const virtual = isVirtual ? virtually(time, parts, true, clockAt(begins)) : undefined
    this.config = config
    this.clock = virtual?.clock
    this.assembly = { config, ...(virtual ?? { time, workers: onOneLoop(parts) }) }
  }

  /** The newest one. */
  get gateway(): Gateway {
    return this.made!
  }

  /** Returns undefined where the time is the machine's, which continues after a revert. */
  readClock(): MarkedClock | undefined {
    if (this.clock === undefined) return undefined
    const { wallMs, passedMs } = this.clock.time.clock
    const { isPaused, speed } = this.clock.state()
    return { wallMs, passedMs, isPaused, speed }
  }

  /** Has a virtual clock follow the machine's as it did at the mark. */
  goOn({ isPaused, speed }: MarkedClock): void {
    this.clock!.setSpeed(speed)
    if (!isPaused) this.clock!.resume()
  }
}

function clockAt(begins: Ms | MarkedClock | undefined): ManualClock | undefined {
  if (typeof begins !== 'object') return begins === undefined ? undefined : new ManualClock(begins)
  const clock = new ManualClock(begins.wallMs)
  clock.passedMs = begins.passedMs
  return clock
}

type Listening = Parameters<Sockets['us_listen_socket_close']>[0]
/** Stands for a socket that need not listen. */
const NONE = {} as Listening

/** Holds listening back until it opens. */
export class Door {
  /** Resolves when a socket wants to listen. */
  readonly knocked: Promise<void>
  private knock = () => {}
  private state: 'held' | 'open' | 'kept' | 'shut' = 'held'
  private waiting: (() => void)[] = []

  constructor() {
    this.knocked = new Promise((resolve) => {
      this.knock = resolve
    })
  }

  held({ App: open, us_listen_socket_close }: Sockets): Sockets {
    const App: Sockets['App'] = (...options) => {
      const app = open(...options)
      const listen = app.listen.bind(app) as (...given: unknown[]) => unknown
      const enter = (...given: unknown[]) => {
        const called = given.at(-1) as (socket: Listening | false) => void
        this.enter(() => {
          if (this.state === 'open') listen(...given)
          else called(this.state === 'kept' ? NONE : false)
        })
        return app
      }
      return Object.assign(app, { listen: enter })
    }
    return { App, us_listen_socket_close }
  }

  /** All that wants to listen does so from now on. */
  open(): void {
    this.leave('open')
  }

  /** What waits has taken over sockets that listen. All that comes later listens. */
  keep(): void {
    this.leave('kept')
    this.state = 'open'
  }

  /** Nothing listens any more. */
  shut(): void {
    this.leave('shut')
  }

  private enter(run: () => void): void {
    this.knock()
    if (this.state === 'held') this.waiting.push(run)
    else run()
  }

  private leave(state: 'open' | 'kept' | 'shut'): void {
    this.state = state
    for (const run of this.waiting.splice(0)) run()
  }
}
