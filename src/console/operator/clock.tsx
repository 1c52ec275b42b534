/** The virtual clock, with what pauses it, sets its speed and moves it. */
import type { JSX } from 'preact'
import type { ClockReading, Figures } from '../../admin-api/readings.ts'
import { Scroll } from '../toolkit/scroll.tsx'
import { LineForm, Said, Start, useActionGroup } from './action-group.tsx'
import type { OperatorSession } from './operator-session.ts'
import { momentText } from './texts.ts'

const ACTIONS = ['clock-pause', 'clock-resume', 'clock-step', 'clock-speed', 'clock-advance']

interface ClockProps {
  readonly session: OperatorSession
  readonly figures: Figures
}

/** Nothing when the clock is the machine's. */
export function Clock({ session, figures: { clock } }: ClockProps): JSX.Element | null {
  const group = useActionGroup(session, ACTIONS)
  if (clock === undefined) return null
  const { nowMs, isPaused, speed, nextDueMs, participants } = clock
  return (
    <section class="panel acting" aria-label="Clock">
      <header class="panel-head">
        <h2>Clock</h2>
        <span class="buttons">
          {isPaused ? (
            <Start group={group} action="clock-resume" label="Resume" />
          ) : (
            <Start group={group} action="clock-pause" label="Pause" />
          )}
          <Start group={group} action="clock-step" label="Step" />
        </span>
      </header>
      <Scroll label="Readings and forms">
        <ul class="legend">
          <Figure name="Now" value={momentText(nowMs)} />
          <Figure name="State" value={stateText(clock)} />
          <Figure name="Speed" value={`${speed} ×`} />
          <Figure name="Next due" value={nextDueMs === undefined ? '–' : momentText(nextDueMs)} />
          <Figure name="Participants" value={String(participants)} />
        </ul>
        <LineForm
          group={group}
          action="clock-speed"
          title="Set the speed"
          label="Set speed"
          fields={[{ name: 'times', label: 'Times as fast as the machine', placeholder: 'Speed' }]}
        />
        <LineForm
          group={group}
          action="clock-advance"
          title="Advance the clock"
          label="Advance"
          fields={[
            { name: 'length', label: 'Length', placeholder: 'By 1d12h' },
            { name: 'moment', label: 'Moment', placeholder: 'Or to 2027-01-31T12:00:00Z' },
          ]}
        />
        <Said group={group} />
      </Scroll>
    </section>
  )
}

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <li>
    {name} <b>{value}</b>
  </li>
)

/** A move continues while the clock is paused. */
function stateText({ isPaused, isMoving, isHeld, heldBy }: ClockReading): string {
  if (isPaused && !isMoving) return 'Paused'
  if (isHeld) return `Waits for ${heldBy.join(', ') || 'a participant'}`
  return isMoving ? 'Moving' : 'Running'
}
