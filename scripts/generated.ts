/** Every generated file as [path from the project's root, text]; test/tidy.test.ts compares. */
import { documentsOfBenches } from './benchmarks/documents.ts'
import { accessorsModule } from './generate-accessors.ts'
import { alertRules, watchPage } from './generate-alerts.ts'
import { apiPages } from './generate-api-docs.ts'
import { bookColumnsModule, bookWordsModule, orderImageModule } from './generate-book.ts'
import { differencesMarkdown } from './generate-differences.ts'
import { imagesModule } from './generate-images.ts'
import { columnsModule, orderModule, orderRowModule } from './generate-order-columns.ts'
import { postmanCollection } from './generate-postman.ts'
import { codecsModule, recordsHeader, recordsModule } from './generate-records.ts'
import { cellsModule, keysModule, rowsModule } from './generate-rows.ts'
import { settingsMarkdown, settingsModule } from './generate-settings.ts'
import { module } from './generated-module.ts'

export function generated(): readonly (readonly [path: string, text: string])[] {
  return [
    module('src/layout/records.gen.ts', recordsModule()),
    module('scripts/layout/codecs.gen.ts', codecsModule()),
    module('src/layout/accessors.gen.ts', accessorsModule()),
    module('src/core/book/book-words.gen.ts', bookWordsModule()),
    module('src/core/book/book-columns.gen.ts', bookColumnsModule()),
    module('src/core/matching/order-image.gen.ts', orderImageModule()),
    module('src/layout/rows.gen.ts', rowsModule()),
    module('src/layout/keys.gen.ts', keysModule()),
    module('src/layout/cells.gen.ts', cellsModule()),
    module('src/layout/images.gen.ts', imagesModule()),
    module('src/layout/order.gen.ts', orderModule()),
    module('src/history/order-row.gen.ts', orderRowModule()),
    module('src/core/matching/order-columns.gen.ts', columnsModule()),
    ['src/assembly/settings.gen.ts', settingsModule()],
    ['native-bench/records.gen.h', recordsHeader()],
    ...apiPages(),
    ['docs/api/differences.md', differencesMarkdown()],
    ['examples/postman_collection.json', postmanCollection()],
    ['docs/settings.md', settingsMarkdown()],
    ['scripts/deploy/alerts.yml', alertRules()],
    ['docs/watch.md', watchPage()],
    ...documentsOfBenches(),
  ]
}
