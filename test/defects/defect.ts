import type { Planting } from './planting.ts'

/** A deliberate defect, which a simulator must find. */
export interface SimulatedDefect {
  /** Begins with the room. */
  readonly name: string
  /** By its name in simulators.ts. */
  readonly simulator:
    | 'aggregates'
    | 'exchange'
    | 'faults'
    | 'phases'
    | 'pipeline'
    | 'routing'
    | 'simulation'
    | 'states'
    | 'venue'
  /** Steps over the seeds within which it is found. */
  readonly steps: number
  /** 1, 2, … when left out. */
  readonly seeds?: readonly number[]
  plant(planting: Planting): void
}

/** Defects that one simulator finds within so many steps, over these seeds where some are named. */
export function within(
  simulator: SimulatedDefect['simulator'],
  bound: number | readonly [steps: number, seeds: readonly number[]],
  plants: Readonly<Record<string, SimulatedDefect['plant']>>,
): SimulatedDefect[] {
  const [steps, seeds] = typeof bound === 'number' ? [bound] : bound
  return Object.entries(plants).map(([name, plant]) => {
    return { name, simulator, steps, plant, ...(seeds && { seeds }) }
  })
}

/** A deliberate defect, which one test file must find: text of a file is replaced before the file is loaded. */
export interface PatchedDefect {
  /** Begins with the room. */
  readonly name: string
  /** Below the checkout: a source, or a program of dist/ for a test of the built exchange. */
  readonly file: string
  /** Occurs once in the file. */
  readonly right: string
  readonly wrong: string
  /** Below test/, without `.test.ts`. */
  readonly test: string
  /** Only tests whose name has this run, where others of the file take long. */
  readonly only: string | undefined
}

/** The start of a name: the folder of src. */
export const roomOf = ({ name }: { readonly name: string }): string => /^[\w-]+/.exec(name)![0]
