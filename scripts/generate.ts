/** Writes every generated file, from the tables that define it. Run by `npm run generate`. */
import { writeFileSync } from 'node:fs'
import { generated } from './generated.ts'

for (const [path, text] of generated()) {
  writeFileSync(path, text)
  process.stdout.write(`wrote ${path}\n`)
}
