/** The clock of Node.js, also where a program that an exchange is embedded in has replaced Date or its method. */
import { runInNewContext } from 'node:vm'

const isNative = (it: (...args: never[]) => unknown) =>
  Function.prototype.toString.call(it).includes('[native code]')

/**
 * As Date.now. Another context, whose Date is not replaced, takes a millisecond that only such programs spend. A
 * bound function looks native: by one a simulation of the whole process is the machine's clock.
 */
export const { now: dateNow }: Pick<DateConstructor, 'now'> =
  isNative(Date) && isNative(Date.now) ? Date : runInNewContext('Date')
