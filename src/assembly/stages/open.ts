/** Opens the data folder, once it is as the quorum, if there is one, and creates all workers. */
import type { Ms } from '../../base/units.ts'
import type { Config } from '../../config/config.ts'
import { OwnerToken } from '../../control/token.ts'
import type { LiquidityPlan } from '../../liquidity/plan.ts'
import { readPlans } from '../../liquidity/read-plans.ts'
import { ClockWatch } from '../main/clock-watch.ts'
import type { Crew } from '../main/crew.ts'
import { type OpenedFolder, openFolder, openFollower } from '../main/open-folder.ts'
import { isMember, type Member, QuorumMember } from '../main/quorum-member.ts'
import type { Starting } from './starting.ts'

/** The data folder, and the workers for it. A follower has as many matchers as its leader. */
interface OpenedCrew {
  readonly config: Config
  readonly folder: OpenedFolder
  readonly crew: Crew
  /** Undefined without a quorum. */
  readonly member: Member | undefined
  /** Whether another member leads, at this start. */
  readonly follows: boolean
  /** Undefined where the machine's clock is not watched. */
  readonly machineClock: ClockWatch | undefined
}

export interface Opened extends OpenedCrew {
  /** What the market makers do. */
  readonly plans: readonly LiquidityPlan[]
  /** A spare's is the other exchange's, until the spare has its place. */
  readonly token: OwnerToken | undefined
}

export async function openExchange(starting: Starting): Promise<Opened> {
  starting.throwIfEnding()
  const { events, isSpare } = starting.parts
  const opened = await openCrew(starting)
  const { config, folder, follows } = opened
  events.opened?.(folder)
  const { symbols, isDemo } = folder.registry
  const names = symbols.map(({ name }) => name)
  const plans = follows ? [] : readPlans(config, names, isDemo)
  return { ...opened, plans, token: isSpare ? undefined : openToken(starting) }
}

export const openToken = ({ parts: { config, time } }: Starting): OwnerToken =>
  new OwnerToken(config.data, time.wall)

async function openCrew(starting: Starting): Promise<OpenedCrew> {
  const { config, log, time, hasPast } = starting.parts
  const machineClock = watchClock(starting)
  const begun = (lastMs: Ms) => machineClock?.opened(lastMs)
  const member = isMember(config) ? openMember(starting) : undefined
  // A member that leads loads its threads meanwhile; a follower learns first how many it has.
  const early = config.follow === '' ? starting.createCrew(config) : undefined
  const lead = await member?.start()
  starting.throwIfEnding()
  const follows = member?.isFollowing === true
  if (!follows) {
    const crew = early ?? starting.createCrew(config)
    const folder = await openFolder(config, time, log, begun, lead, hasPast)
    starting.claim(folder.control)
    return { config, folder, crew, member, follows, machineClock }
  }
  const folder = openFollower(config, log, begun)
  starting.claim(folder.control)
  const { matchers } = folder.registry
  member.reserve(matchers)
  const own = { ...config, matchers }
  const crew = starting.createCrew(own)
  return { config: own, folder, crew, member, follows, machineClock }
}

function watchClock(starting: Starting): ClockWatch | undefined {
  const { config, time, log } = starting.parts
  const watch = ClockWatch.begin(time, config.clockStepSeconds, {
    accepts: config.acceptClock === 'on',
    degrade: (part, why) => starting.degrade(part, why),
    log,
  })
  if (watch !== undefined) starting.claim({ close: () => watch.stop() })
  return watch
}

function openMember(starting: Starting): Member {
  const { config, time, openMember: openOther } = starting.parts
  const hire = (onFacts: () => void) => starting.hire('replica', 0, { onFacts })
  const member = openOther?.() ?? new QuorumMember(config, time.wall, hire)
  starting.roster.add(member)
  return member
}
