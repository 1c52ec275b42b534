import type { Planting } from './planting.ts'

/** A deliberate defect of a room, which a simulator must find. */
export interface Defect {
  /** Begins with the room. */
  readonly name: string
  /** By its name in simulators.ts. */
  readonly simulator:
    | 'exchange'
    | 'faults'
    | 'phases'
    | 'pipeline'
    | 'simulation'
    | 'states'
    | 'venue'
  /** Steps over the seeds within which it is found. */
  readonly steps: number
  /** 1, 2, … when left out. */
  readonly seeds?: readonly number[]
  plant(planting: Planting): void
}
