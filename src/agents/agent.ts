/**
 * A named role with one method. The same agent is driven by its own thread in production and by the
 * simulator's hand in tests; idling is not its concern.
 */
export interface Agent {
  readonly name: string
  /** One bounded duty cycle. Answers how much work was done; 0 lets the driver idle. */
  doWork(): number
  close(): void
}
