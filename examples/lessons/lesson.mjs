// Runs a lesson of docs/lessons in a separate exchange, on a temporary folder:
//   npm run lesson -- price-time-priority
// Ends with code 0 if everything that the lesson claims came true, else with code 1.
import { readdirSync } from 'node:fs'
import { Exchange } from './exchange.mjs'
import { Narrator } from './narrator.mjs'

const MACHINERY = ['lesson', 'exchange', 'narrator', 'trader']
const names = readdirSync(import.meta.dirname)
  .map((file) => file.replace(/\.mjs$/, ''))
  .filter((name) => !MACHINERY.includes(name))

const [name] = process.argv.slice(2)
if (!names.includes(name)) {
  console.error(`Give the name of a lesson: ${names.join(', ')}.`)
  process.exit(2)
}

const { teach, flags = [] } = await import(`./${name}.mjs`)
const narrator = new Narrator()
const exchange = new Exchange(flags, narrator)
process.once('SIGINT', () => process.exit(130))
try {
  await exchange.launch()
  await teach({ exchange, narrator })
  console.log('\nAll of it came true.')
} catch (error) {
  console.log(`\nThis lesson did not come true: ${error.message}`)
  process.exitCode = 1
} finally {
  await exchange.remove()
}
