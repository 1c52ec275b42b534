/** The operator's screen: signing in, then figures, actions and warnings; on narrow screens one of them. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Brand, LicenseLink, ThemeButton } from '../toolkit/page-parts.tsx'
import { ViewBar } from '../toolkit/view-bar.tsx'
import { ActionsPanel } from './actions-panel.tsx'
import { FiguresView } from './figures-view.tsx'
import type { OperatorSession } from './operator-session.ts'
import { SignIn } from './sign-in.tsx'
import { Warnings } from './warnings.tsx'

const VIEWS = ['Figures', 'Actions', 'Warnings'] as const
type View = (typeof VIEWS)[number]

interface ScreenProps {
  readonly session: OperatorSession
}

export function Screen({ session }: ScreenProps): JSX.Element {
  const view = useSignal<View>('Figures')
  const { value: identity } = session.identity
  const { value: figures } = session.figures
  const { value: trouble } = session.trouble
  const isOut = identity === undefined || figures === undefined
  return (
    <div class="page" data-view={view.value}>
      <Head session={session} />
      {trouble !== '' && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      {isOut ? (
        <SignIn session={session} />
      ) : (
        <main class="desk">
          <FiguresView session={session} figures={figures} />
          <ActionsPanel session={session} identity={identity} />
          <Warnings rows={session.warnings.value} count={figures.warnings} />
        </main>
      )}
      <footer class="foot">
        <span>
          Plots by{' '}
          <a href="https://github.com/leeoniya/uPlot" rel="noreferrer">
            uPlot
          </a>
          , Copyright (c) 2022 Leon Sorokin, MIT license.
        </span>
        <LicenseLink />
      </footer>
      {!isOut && <ViewBar views={VIEWS} view={view} />}
    </div>
  )
}

function Head({ session }: ScreenProps): JSX.Element {
  const { value: identity } = session.identity
  return (
    <header class="head">
      <Brand href="/" title="Ringbook for operators" />
      <h1>Operators</h1>
      <span class="space" />
      {identity !== undefined && <State session={session} />}
      <ThemeButton />
      {identity !== undefined && (
        <span class="user">
          <b>{identity.name}</b>
          <span id="role">{identity.role}</span>
          <button type="button" class="small" onClick={() => session.signOut()}>
            Sign out
          </button>
        </span>
      )}
    </header>
  )
}

/** Whether readings arrive, and whether the exchange accepts orders. */
function State({ session }: ScreenProps): JSX.Element {
  const isLost = session.trouble.value !== ''
  const { value: figures } = session.figures
  const { level = 'bad', text = 'Accepts no orders' } = figures?.state ?? {}
  return (
    <div class={`connection ${isLost ? 'waiting' : level === 'good' ? 'live' : level}`}>
      <span class="dot" aria-hidden="true" />
      <span role="status" id="connection">
        {isLost ? 'Reconnecting' : text}
      </span>
    </div>
  )
}
