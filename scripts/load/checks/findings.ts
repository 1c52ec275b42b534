/** What checks found, in sentences; the first ones of each check are kept, all are counted. */

const KEPT = 20

export interface CheckResult {
  readonly check: string
  /** How many things were compared. */
  readonly compared: number
  readonly failed: number
  /** The first of them. */
  readonly failures: readonly string[]
}

export class Findings {
  private readonly check: string
  private readonly failures: string[] = []
  private comparedCount = 0
  private failedCount = 0

  constructor(check: string) {
    this.check = check
  }

  /** Something was compared and is as it should be. */
  agreed(): void {
    this.comparedCount++
  }

  /** Something was compared and is not. */
  failed(sentence: string): void {
    this.comparedCount++
    this.failedCount++
    if (this.failures.length < KEPT) this.failures.push(sentence)
  }

  /** `difference` is undefined when there is none. */
  compared(difference: string | undefined): void {
    if (difference === undefined) this.agreed()
    else this.failed(difference)
  }

  result(): CheckResult {
    return {
      check: this.check,
      compared: this.comparedCount,
      failed: this.failedCount,
      failures: this.failures,
    }
  }
}

/** Results of the same check added up. */
export function mergedChecks(results: readonly (readonly CheckResult[])[]): CheckResult[] {
  const byName = new Map<string, CheckResult>()
  for (const result of results.flat()) {
    const found = byName.get(result.check)
    byName.set(result.check, found === undefined ? result : sumOf(found, result))
  }
  return [...byName.values()]
}

const sumOf = (a: CheckResult, b: CheckResult): CheckResult => ({
  check: a.check,
  compared: a.compared + b.compared,
  failed: a.failed + b.failed,
  failures: [...a.failures, ...b.failures],
})
