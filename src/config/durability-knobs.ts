/** Settings of what "written" means, and of the quorum. */
import type { Knob } from './knob.ts'

export const durabilityKnobs = {
  durability: {
    kind: 'choice',
    flag: 'durability',
    unit: '',
    default: 'flushed',
    choices: ['flushed', 'committed', 'replicated'],
    about:
      'When an order is acknowledged: flushed to disk, which survives a power loss; committed, which ' +
      'survives a killed process; or replicated, flushed here and on a quorum (--replica), which ' +
      'survives the loss of a machine.',
  },
  gatherUs: {
    kind: 'integer',
    flag: 'gather-us',
    unit: 'microseconds',
    default: 100,
    min: 0,
    max: 10_000,
    about:
      'Longest time for which a matcher gathers orders after a flush, with --durability flushed: half ' +
      'of what the batch took, at most this; 0: it begins the next batch at once.',
  },
  replica: {
    kind: 'postgres',
    flag: 'replica',
    unit: 'URL',
    default: '',
    about:
      'PostgreSQL with synchronous standbys that keeps the journals too, as ' +
      'postgres://user@host1,host2/database; needs --durability replicated.',
  },
  advertise: {
    kind: 'origin',
    flag: 'advertise',
    unit: 'URL',
    default: '',
    about:
      'Where clients reach this member when it leads, as https://exchange.example; followers name it. ' +
      'By default its scheme, host and port.',
  },
  follow: {
    kind: 'postgres',
    flag: 'follow',
    unit: 'URL',
    default: '',
    about:
      'Follows the leader of this quorum of PostgreSQL and serves what reads; any server of it, ' +
      'standbys too, as postgres://user@host1,host2/database.',
  },
  promoteAfter: {
    kind: 'integer',
    flag: 'promote-after',
    unit: 'seconds',
    default: 0,
    min: 0,
    max: 3_600,
    about:
      'Silence of the leader after which this member, which follows, takes the lead; 0: only when it is ' +
      'told to. Needs servers in --follow that accept writes.',
  },
  seedFrom: {
    kind: 'text',
    flag: 'seed-from',
    unit: 'folder',
    default: '',
    about:
      'A backup of another member, which an empty data folder begins with; a member needs it when ' +
      'the quorum no longer has what it lacks.',
  },
  replicaSeconds: {
    kind: 'integer',
    flag: 'replica-seconds',
    unit: 'seconds',
    default: 10,
    min: 1,
    max: 3_600,
    about: 'Longest time that orders wait for the quorum; then read-only, as when a disk refuses.',
  },
} as const satisfies Record<string, Knob>
