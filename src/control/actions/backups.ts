/** A copy of the data folder, made while the exchange runs. */
import path from 'node:path'
import { ActionError, actionsOf } from '../action.ts'

const PATH_CHARS_MAX = 1_024

export const backupActions = actionsOf('exchange', [
  {
    name: 'backup',
    title: 'Back up the data folder',
    role: 'admin',
    example: 'backup /backups/monday',
    about:
      'Copies the data folder as it is at one moment; ringbook restore makes a data folder of it.',
    params: [
      {
        name: 'folder',
        kind: 'text',
        about: 'An absolute path on the machine of the exchange; it must not exist.',
        required: true,
      },
    ],
    progressIn: 'backup',
    run: (args) => {
      const folder = args.text('folder')
      if (!path.isAbsolute(folder) || folder.length > PATH_CHARS_MAX || folder.includes('\0')) {
        throw new ActionError('folder must be an absolute path.')
      }
      // Without the slashes that a shell's completion leaves at the end.
      return { said: '', backupTo: path.resolve(folder) }
    },
  },
])
