/** Runs of benches that were kept: one JSON file for each bench, oldest first. */
import fs from 'node:fs'

export interface KeptRun {
  /** UTC. */
  readonly day: string
  readonly machine: string
  /** As they were given. */
  readonly options: string
  readonly ratios: Readonly<Record<string, number>>
  readonly figures: Readonly<Record<string, number | string>>
}

export const keptFile = (bench: string): string => `bench/kept/${bench}.json`

/** Returns no run for a bench that has none. */
export function readKept(bench: string): readonly KeptRun[] {
  const file = keptFile(bench)
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : []
}
