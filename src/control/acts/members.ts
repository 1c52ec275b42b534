/** Acts of a member of a quorum: who leads. */
import type { RoleName } from '../../shared/role.ts'
import { ActError, type ActRow, type ExchangeView } from '../act.ts'

const ALONE = 'This exchange has no quorum (--replica, --follow).'
const CUT_OFF =
  'The quorum does not confirm that this member leads: it can neither take the lead nor hand it over.'
const MEMBER = /^[A-Za-z0-9-]{1,64}$/

export const memberActs: readonly ActRow[] = [
  {
    name: 'promote',
    group: 'exchange',
    role: 'admin',
    example: 'promote',
    about: 'Has this member, which follows, take the lead.',
    isImmediate: true,
    params: [],
    warns: () =>
      'A leader that is alive is overthrown: it ends, and the fate of its last orders is unknown to ' +
      'clients. handover at the leader loses none.',
    run: (_, { view }) => {
      const role = roleOf(view)
      if (role === 'cutOff') throw new ActError(CUT_OFF)
      if (role === 'leader') throw new ActError('This member leads already.')
      return { said: '', next: 'promote' }
    },
  },
  {
    name: 'handover',
    group: 'exchange',
    role: 'admin',
    example: 'handover',
    about: 'Hands the lead over to a member that follows, and stops this one; no order is lost.',
    isImmediate: true,
    params: [
      {
        name: 'member',
        kind: 'text',
        about:
          'Its name, the first line of its file replica-member; any with --promote-after when left out.',
      },
    ],
    warns: () => 'This member stops once another one leads; start it again to follow.',
    run: (args, { view }) => {
      const role = roleOf(view)
      if (role === 'cutOff') throw new ActError(CUT_OFF)
      if (role !== 'leader') throw new ActError('This member follows: act at the leader.')
      const successor = args.has('member') ? args.text('member') : 'any'
      if (!MEMBER.test(successor)) throw new ActError('member is not the name of one.')
      return { said: '', successor }
    },
  },
]

function roleOf(view: ExchangeView): RoleName {
  const reading = view.role()
  if (reading === undefined) throw new ActError(ALONE)
  return reading.role
}
