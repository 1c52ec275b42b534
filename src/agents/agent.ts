/**
 * A named role with one method. Its own thread or the caller's event loop drives an agent in production
 * (agent-driver.ts), the simulator in tests. The driver idles, not the agent.
 */
export interface Agent {
  readonly name: string
  /** Runs one bounded duty cycle. Returns the amount of work; 0 lets the driver idle. */
  doWork(): number
  close(): void
}
