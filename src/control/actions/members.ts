/** Actions of a member of a quorum: who leads. */
import type { RoleName } from '../../shared/role.ts'
import { ActionError, actionsOf, type ExchangeView } from '../action.ts'

const ALONE = 'This exchange has no quorum (--replica, --follow).'
const CUT_OFF =
  'The quorum does not confirm that this member leads: it can neither take the lead nor hand it over.'
const MEMBER = /^[A-Za-z0-9-]{1,64}$/

export const memberActions = actionsOf('exchange', [
  {
    name: 'promote',
    title: 'Make this follower the leader',
    role: 'admin',
    example: 'promote',
    about: 'Makes this follower the leader.',
    params: [],
    previews: () => ({
      does: 'Make this follower the leader',
      note:
        'If the current leader is alive, it stops, and clients cannot know what became of their last ' +
        'orders. handover at the leader loses none.',
      yes: 'Take the lead',
    }),
    run: (_, { view }) => {
      const role = roleOf(view)
      if (role === 'cutOff') throw new ActionError(CUT_OFF)
      if (role === 'leader') throw new ActionError('This member leads already.')
      return { said: '', next: 'promote' }
    },
  },
  {
    name: 'handover',
    title: 'Hand the lead to another member',
    role: 'admin',
    example: 'handover',
    about: 'Hands the lead over to a member that follows, and stops this one; no order is lost.',
    params: [
      {
        name: 'member',
        kind: 'text',
        about:
          'Its name, the first line of its file replica-member; any with --promote-after when left out.',
      },
    ],
    previews: (args) => ({
      does: `Hand the lead over to ${args.text('member', 'a follower')}`,
      note: 'This member then stops; start it again to follow.',
      yes: 'Hand over',
    }),
    run: (args, { view }) => {
      const role = roleOf(view)
      if (role === 'cutOff') throw new ActionError(CUT_OFF)
      if (role !== 'leader') throw new ActionError('This member follows: act at the leader.')
      const successor = args.text('member', 'any')
      if (!MEMBER.test(successor)) throw new ActionError('member is not the name of one.')
      return { said: '', successor }
    },
  },
])

function roleOf(view: ExchangeView): RoleName {
  const reading = view.role()
  if (reading === undefined) throw new ActionError(ALONE)
  return reading.role
}
