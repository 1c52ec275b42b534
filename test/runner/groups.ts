/** How test files run. They say it by their folder, and by what they import. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/** Arithmetic, tables and twins: the quick part. */
export const pure = [
  'test/tidy.test.ts',
  'test/{contract,protocol}/**/*.test.ts',
  'test/unit/{base,market,history,layout,core,api,ring,shared}/**/*.test.ts',
]
/** Simulations, recoveries and threads under stress: a failure there is one of the code. */
export const long = ['test/{sim,replay,stress}/**/*.test.ts']

const IS_PURE = /^test\/unit\/(base|market|history|layout|core|api|ring|shared)\//
/** An import or a call by which a test gets a process, a socket or a thread. */
const GOES_OUTSIDE = [
  /from '(node:(child_process|http|https|net|worker_threads)|ws)'/,
  /from '[^']*\/(one-thread-exchange|exchange-process|ports|worker-handle)\.ts'/,
  /\bfetch\(|'dist\//,
]
/** Its inputs are others at each try: a second one would hide what the first has found. */
export const isRandom = (name: string): boolean =>
  readFileSync(path.join(root, name), 'utf8').includes("from 'fast-check'")

const units = readdirSync(path.join(root, 'test/unit'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/unit/${name}`)
  .filter((name) => name.endsWith('.test.ts') && !IS_PURE.test(name))
const goesOutside = (name: string): boolean => {
  if (isRandom(name)) return false
  const text = readFileSync(path.join(root, name), 'utf8')
  return GOES_OUTSIDE.some((sign) => sign.test(text))
}

/** Units of the gateway over real sockets, with engines on the test's own thread. */
export const wire = units.filter(
  (name) => name.startsWith('test/unit/gateway/') && goesOutside(name),
)
/** Units within one thread. */
export const rooms = units.filter((name) => !goesOutside(name))

const HAS_ONE_TRY = /^test\/(tidy\.test\.ts$|(contract|protocol|sim|replay|stress)\/)/
/** Every other test file, whose tests have a second try. */
export const again = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name}`)
  .filter((name) => name.endsWith('.test.ts') && !HAS_ONE_TRY.test(name) && !IS_PURE.test(name))
  .filter((name) => !rooms.includes(name))
