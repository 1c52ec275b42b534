/** What serves HTTP requests: operations, by the pipeline, and others. */
import type { SbeSwitch } from '../../api/sbe/sbe.ts'
import type { Pipeline, PipelineParts } from '../../pipeline/pipeline.ts'
import type { ClientAddresses } from '../limits/client-address.ts'
import type { ForwardingWatch } from '../limits/forwarding-watch.ts'
import type { MemoryGuard } from '../limits/memory-guard.ts'
import type { CrossOrigin } from './cross-origin.ts'

export interface HttpParts extends PipelineParts {
  readonly pipeline: Pipeline
  readonly clients: ClientAddresses
  readonly crossOrigin: CrossOrigin
  readonly forwarding: ForwardingWatch
  readonly memory: MemoryGuard
  readonly sbe: SbeSwitch
}
