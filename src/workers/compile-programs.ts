/**
 * `compile-programs.js [FILE ...]`, run by the build: has V8 compile programs before they run. `run` and the like are
 * loaded before a process sets V8's flags, its threads after.
 */
import { compileProgram } from '../base/compiled-program.ts'
import { raiseInliningBudget } from './optimizer.ts'
import { collectYoungAlone } from './v8-threads.ts'

const files = process.argv.slice(2)
const isThread = (file: string) => file.endsWith('.thread.cjs')
for (const file of files) if (!isThread(file)) compileProgram(file)
collectYoungAlone()
raiseInliningBudget()
for (const file of files) if (isThread(file)) compileProgram(file)
