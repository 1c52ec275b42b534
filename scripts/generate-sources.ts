/**
 * Every generated source as [path from the project's root, text]. The build writes them before anything that imports them,
 * so what makes them, from the schema and the settings alone, imports none of them.
 */
import { accessorsModule } from './generate-accessors.ts'
import { bookColumnsModule, bookWordsModule, orderImageModule } from './generate-book.ts'
import { dashboard } from './generate-dashboard.ts'
import { imagesModule } from './generate-images.ts'
import { columnsModule, orderModule, orderRowModule } from './generate-order-columns.ts'
import { codecsModule, recordsModule } from './generate-records.ts'
import { cellsModule, keysModule, rowsModule } from './generate-rows.ts'
import { sbeTypesModule } from './generate-sbe-types.ts'
import { settingsModule } from './generate-settings-type.ts'
import { module } from './generated-module.ts'

export const generatedSources = (): readonly (readonly [path: string, text: string])[] => [
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
  ['src/api/sbe/messages.gen.ts', sbeTypesModule()],
  ['scripts/deploy/grafana-dashboard.gen.json', dashboard()],
]
