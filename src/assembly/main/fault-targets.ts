/** What rules of the sandbox may name. */
import { operationIds } from '../../api/operation-ids.ts'
import { paramNames } from '../../api/parameters.ts'
import { aliasesOf, streams } from '../../api/streams.ts'
import type { FaultTargets } from '../../control/fault-book.ts'

export const faultTargets: FaultTargets = {
  parameters: paramNames,
  operations: operationIds,
  streams: streams.flatMap((row) => [row.name, ...aliasesOf(row)]),
}
