/** The fault rules of a sandbox, with what adds and removes them. */
import type { ComponentChildren, JSX } from 'preact'
import type { FaultReading, Figures } from '../../admin-api/readings.ts'
import type { ActionParam } from '../../control/listed-action.ts'
import { Scroll } from '../toolkit/scroll.tsx'
import { Table } from '../trade/table.tsx'
import { ActionField } from './action-field.tsx'
import { type ActionGroup, Said, Start, useActionGroup } from './action-group.tsx'
import type { OperatorSession } from './operator-session.ts'
import { countText } from './texts.ts'

const ACTIONS = ['fault-add', 'faults-apply', 'fault-remove']

/** Parameters of fault-add that say where a rule acts, and when. The others say what it does. */
const WHERE = ['account', 'key', 'address', 'operation', 'parameter', 'stream', 'symbol']
const WHEN = ['after', 'every', 'chance', 'seed', 'times', 'seconds', 'from', 'until']
/** What fault-remove takes for every rule. */
const ALL = { name: 'all' }

interface FaultsProps {
  readonly session: OperatorSession
  readonly figures: Figures
}

/** Nothing while the sandbox is off. */
export function Faults({ session, figures: { faults } }: FaultsProps): JSX.Element | null {
  const group = useActionGroup(session, ACTIONS)
  if (faults === undefined) return null
  return (
    <section class="panel acting large" aria-label="Faults">
      <header class="panel-head">
        <h2>Faults</h2>
        {faults.length > 0 && (
          <Start group={group} action="fault-remove" label="Remove all" given={ALL} />
        )}
      </header>
      <Said group={group} />
      <Scroll label="Rules and forms">
        <Table
          names={['Name', 'Rule', 'Matches', 'Touched', 'State', '']}
          words={2}
          count={faults.length}
          none="No rule is in force. Add one below."
        >
          {faults.map((rule) => (
            <RuleRow key={rule.name} group={group} rule={rule} />
          ))}
        </Table>
        <WorkForm group={group} action="fault-add" title="Add a rule" label="Add">
          {(params, field) => (
            <>
              <Part title="What">
                {params
                  .filter(({ name }) => !WHERE.includes(name) && !WHEN.includes(name))
                  .map(field)}
              </Part>
              <Part title="Where">
                {params.filter(({ name }) => WHERE.includes(name)).map(field)}
              </Part>
              <Part title="When">
                {params.filter(({ name }) => WHEN.includes(name)).map(field)}
              </Part>
            </>
          )}
        </WorkForm>
        <WorkForm group={group} action="faults-apply" title="Apply a file of rules" label="Apply">
          {(params, field) => params.map(field)}
        </WorkForm>
      </Scroll>
    </section>
  )
}

interface RuleProps {
  readonly group: ActionGroup
  readonly rule: FaultReading
}

function RuleRow({ group, rule }: RuleProps): JSX.Element {
  const { name, do: effect, rule: others, matches, touched, isOver } = rule
  return (
    <tr>
      <td>{name}</td>
      <td>
        {effect} {others}
      </td>
      <td>{countText(matches)}</td>
      <td>{countText(touched)}</td>
      <td>{isOver ? 'over' : 'on'}</td>
      <td>
        <Start
          group={group}
          action="fault-remove"
          label="Remove"
          spoken={`Remove ${name}`}
          given={{ name }}
        />
      </td>
    </tr>
  )
}

interface PartProps {
  readonly title: string
  readonly children: ComponentChildren
}

const Part = ({ title, children }: PartProps): JSX.Element => (
  <fieldset>
    <legend>{title}</legend>
    <div class="part">{children}</div>
  </fieldset>
)

interface WorkFormProps {
  readonly group: ActionGroup
  readonly action: string
  readonly title: string
  readonly label: string
  readonly children: (
    params: readonly ActionParam[],
    field: (param: ActionParam) => JSX.Element,
  ) => ComponentChildren
}

/** A form that is folded at first, with the action's parameters as fields. */
function WorkForm({ group, action, title, label, children }: WorkFormProps): JSX.Element | null {
  const work = group.work(action)
  if (work === undefined) return null
  const field = (param: ActionParam) => (
    <ActionField key={param.name} id={`${action}-${param.name}`} param={param} work={work} />
  )
  return (
    <details>
      <summary>{title}</summary>
      <form
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault()
          group.start(work, work.values.value)
        }}
      >
        {children(work.params, field)}
        <button type="submit" class="small" disabled={work.isBusy.value}>
          {label}
        </button>
      </form>
    </details>
  )
}
