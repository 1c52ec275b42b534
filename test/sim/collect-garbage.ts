/** What a seed or a batch leaves behind is mapped memory and files, which the engine counts as little. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Returns when all unreachable memory is freed. */
export const collectGarbage = runInNewContext('gc') as () => void
