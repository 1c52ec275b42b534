/** The first screen's three ranks: is it well, what is due, what differs from the defaults. */
import type { JSX } from 'preact'
import type { Figures } from '../../admin-api/readings.ts'
import { Scroll } from '../toolkit/scroll.tsx'
import { Table } from '../trade/table.tsx'
import type { Sample } from './figure-history.ts'
import { differencesOf, dueOf, signsOf } from './ranks.ts'
import { ageText } from './texts.ts'

interface RankProps {
  readonly figures: Figures
  readonly samples: readonly Sample[]
}

/** What a level adds to the value for those who do not see its color. */
const MARKS = { good: '', warn: '! ', bad: '!! ' } as const

export function Ranks({ figures, samples }: RankProps): JSX.Element {
  return (
    <>
      <section class="well" aria-label="Is it well">
        <h2 class="hidden">Is it well</h2>
        <dl class="tiles">
          {signsOf(figures, samples).map(({ id, name, value, beside, level }) => (
            <div key={id} class={level}>
              <dt>{name}</dt>
              <dd>
                <b id={`figure-${id}`}>
                  {MARKS[level]}
                  {value}
                </b>
                <i>{beside}</i>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <Due figures={figures} />
      <Differences figures={figures} />
    </>
  )
}

function Due({ figures }: { readonly figures: Figures }): JSX.Element {
  const rows = dueOf(figures)
  return (
    <section class="panel rank" aria-label="What is due">
      <header class="panel-head">
        <h2>What is due</h2>
      </header>
      <Scroll label="List of what is due">
        <Table
          names={['In', 'What', 'Command']}
          words={3}
          count={rows.length}
          none="Nothing is due."
        >
          {rows.map(({ seconds, what, command }) => (
            <tr key={what}>
              <td>{seconds === 0 ? 'now' : ageText(seconds)}</td>
              <td class="words">{what}</td>
              <td class="words">
                <code>{command === '' ? '–' : command}</code>
              </td>
            </tr>
          ))}
        </Table>
      </Scroll>
    </section>
  )
}

function Differences({ figures }: { readonly figures: Figures }): JSX.Element {
  const rows = differencesOf(figures)
  return (
    <section class="panel rank differs" aria-label="Not as by default">
      <header class="panel-head">
        <h2>Not as by default</h2>
      </header>
      <Scroll label="List of what is not as by default">
        <Table
          names={['What', 'Is', 'Default']}
          words={3}
          count={rows.length}
          none="All is as by default."
        >
          {rows.map(({ what, value, usual }) => (
            <tr key={what}>
              <td>{what}</td>
              <td class="words">{value}</td>
              <td class="words">{usual}</td>
            </tr>
          ))}
        </Table>
      </Scroll>
    </section>
  )
}
