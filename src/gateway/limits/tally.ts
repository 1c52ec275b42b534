/** Amounts by key. A key whose amount is 0 takes no memory. */
export class Tally {
  private readonly amounts = new Map<string, number>()

  of(key: string): number {
    return this.amounts.get(key) ?? 0
  }

  add(key: string, amount: number): void {
    const sum = this.of(key) + amount
    if (sum === 0) this.amounts.delete(key)
    else this.amounts.set(key, sum)
  }

  clear(): void {
    this.amounts.clear()
  }
}
