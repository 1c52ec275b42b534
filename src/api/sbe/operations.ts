/** Which operations SBE has messages for: those of Binance's spot API. */
import type { Operation } from '../operations/operation.ts'

export const hasMessages = ({ path, id }: Pick<Operation, 'path' | 'id'>): boolean =>
  path.startsWith('/api/v3/') && id !== 'auction'
