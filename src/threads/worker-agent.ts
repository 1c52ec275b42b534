/** A worker's work: an agent that reports to the main part, and takes its orders. */
import type { Agent } from '../agents/agent.ts'
import type { Time } from '../base/time.ts'
import type { ThreadOrder, ThreadReport } from './thread-messages.ts'

export interface WorkerAgent extends Agent {
  /** Takes an order, between two duty cycles. */
  take(order: ThreadOrder): void
  /** Called with the time that its thread has slept, where that is counted. */
  slept?(ns: number): void
}

/** What every agent is handed. */
export interface AgentWays {
  readonly time: Time
  readonly report: (message: ThreadReport) => void
}

/** Makes a worker's agent of what the worker starts with. */
export type MakeAgent<Start> = (start: Start, ways: AgentWays) => WorkerAgent
