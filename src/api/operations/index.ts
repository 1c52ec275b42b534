/** All operations. The gateway builds its routes and its methods from this list alone. */
import type { Operation } from './operation.ts'

export type { Handler, Operation } from './operation.ts'

export const operations: readonly Operation[] = []
