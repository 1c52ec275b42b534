/** Actions on the venue as a whole. */
import { actionsOf } from '../action.ts'
import { readVenue } from '../venue-file.ts'
import { counted } from '../words.ts'

export const venueActions = actionsOf('market', [
  {
    name: 'venue-apply',
    title: 'Apply a venue file',
    role: 'admin',
    example: 'venue apply venue.toml --dry-run',
    about: 'Applies a venue file to assets, symbols, filters and accounts: all of it or nothing.',
    params: [
      {
        name: 'venue',
        kind: 'text',
        about: 'The text of the venue file; @path reads it from a file.',
        required: true,
      },
    ],
    previews: (_, __, { rows = [] }) =>
      rows.length === 0
        ? undefined
        : { does: `Make ${counted(rows.length, 'change')} to the venue`, note: '', yes: 'Apply' },
    run: async (args, context) => {
      const { facts, rows } = await readVenue(args.text('venue'), context)
      const changes = counted(rows.length, 'change')
      if (rows.length === 0) return { said: 'The venue is as the file says.', changesNothing: true }
      return { facts, said: `${changes} made.`, rows }
    },
  },
])
