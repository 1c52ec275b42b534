/** Writes every generated document that differs from the tables that define it. Run by `npm run generate`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { generated } from './generated.ts'

for (const [path, text] of generated()) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
  writeFileSync(path, text)
  process.stdout.write(`wrote ${path}\n`)
}
