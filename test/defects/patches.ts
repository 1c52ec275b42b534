/** All defects that are patches, by room. */
import type { PatchedDefect } from './defect.ts'
import { adminApi } from './rooms/admin-api.ts'
import { agents } from './rooms/agents.ts'
import { api } from './rooms/api.ts'
import { archive } from './rooms/archive.ts'
import { assembly } from './rooms/assembly.ts'
import { base } from './rooms/base.ts'
import { cli } from './rooms/cli.ts'
import { config } from './rooms/config.ts'
import { console } from './rooms/console.ts'
import { control } from './rooms/control.ts'
import { core } from './rooms/core.ts'
import { gateway } from './rooms/gateway.ts'
import { history } from './rooms/history.ts'
import { journal } from './rooms/journal.ts'
import { liquidity } from './rooms/liquidity.ts'
import { market } from './rooms/market.ts'
import { pipeline } from './rooms/pipeline.ts'
import { queries } from './rooms/queries.ts'
import { replica } from './rooms/replica.ts'
import { sandbox } from './rooms/sandbox.ts'
import { shared } from './rooms/shared.ts'
import { telemetry } from './rooms/telemetry.ts'
import { workers } from './rooms/workers.ts'

export const patches: readonly PatchedDefect[] = [
  ...adminApi,
  ...agents,
  ...api,
  ...archive,
  ...assembly,
  ...base,
  ...cli,
  ...config,
  ...console,
  ...control,
  ...core,
  ...gateway,
  ...history,
  ...journal,
  ...liquidity,
  ...market,
  ...pipeline,
  ...queries,
  ...replica,
  ...sandbox,
  ...shared,
  ...telemetry,
  ...workers,
]
