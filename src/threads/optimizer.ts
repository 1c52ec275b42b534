/**
 * The settings of V8's optimizer that the process changes. A command's path through engine and book is many
 * small methods. With the usual budgets part of it stays calls, and which part depends on what happened to
 * be compiled first. With these all of it becomes the engine's own code (agents/own-code.ts): with three
 * quarters of them a command takes a third more instructions (`npm run bench -- instructions`). They hold for
 * gateways too, which compile longer with larger ones. Call it before the first thread starts; worker threads
 * share it.
 */
import v8 from 'node:v8'

/** Bytecodes inlined into one optimized function, of what it calls most first; V8's default is 920. */
const INLINED_BYTECODES_MAX = 45_000
/** The same with the small functions, which come before all others; V8's default is 4,600. */
const INLINED_BYTECODES_LIMIT = 65_000
/** The largest function that is inlined; V8's default is 460. */
const INLINED_FUNCTION_MAX = 1500
/** Calls for each call of the caller from which on a function is inlined; V8's default is 0.15. */
const INLINED_FREQUENCY_MIN = 0.03

export function raiseInliningBudget(): void {
  for (const flag of [
    `--max-inlined-bytecode-size-cumulative=${INLINED_BYTECODES_MAX}`,
    `--max-inlined-bytecode-size-absolute=${INLINED_BYTECODES_LIMIT}`,
    `--max-inlined-bytecode-size=${INLINED_FUNCTION_MAX}`,
    `--min-inlining-frequency=${INLINED_FREQUENCY_MIN}`,
  ]) {
    v8.setFlagsFromString(flag)
  }
}
