/** Every generated document as [path from the project's root, text]; test/tidy.test.ts compares. */
import { documentsOfBenches } from './benchmarks/documents.ts'
import { alertRules, watchPage } from './generate-alerts.ts'
import { apiPages } from './generate-api-docs.ts'
import { differencesMarkdown } from './generate-differences.ts'
import { postmanCollection } from './generate-postman.ts'
import { settingsMarkdown } from './generate-settings.ts'

export function generated(): readonly (readonly [path: string, text: string])[] {
  return [
    ...apiPages(),
    ['docs/api/differences.md', differencesMarkdown()],
    ['examples/postman_collection.json', postmanCollection()],
    ['docs/settings.md', settingsMarkdown()],
    ['scripts/deploy/alerts.yml', alertRules()],
    ['docs/watch.md', watchPage()],
    ...documentsOfBenches(),
  ]
}
