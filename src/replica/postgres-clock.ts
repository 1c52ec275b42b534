/** Returns the wall clock of a server of PostgreSQL, ms. Rejects with OutcomeUnknown when it does not answer. */
import type { PostgresOptions } from './postgres-quorum.ts'
import { PostgresSession } from './postgres-session.ts'

const CLOCK = 'SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS ms'

export async function readClock(options: PostgresOptions): Promise<number> {
  const faultOf = () => undefined
  const session = new PostgresSession({ ...options, purpose: 'tells the time', faultOf })
  try {
    await session.open()
    const { rows } = await session.ask('clock', CLOCK)
    return Number(rows[0]?.ms)
  } finally {
    session.drop()
  }
}
