/** The wallet: withdrawals that an operator may decide, chains, networks of coins, and the proof of funds. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Figures } from '../../admin-api/readings.ts'
import type { TableRow } from '../../control/listed-action.ts'
import { Scroll } from '../toolkit/scroll.tsx'
import { Table } from '../trade/table.tsx'
import { type ActionGroup, Said, Start, useActionGroup } from './action-group.tsx'
import type { OperatorSession } from './operator-session.ts'
import { ageText } from './texts.ts'

/** Buttons stay off for so long after rows have moved or an action has ended: a click may have been aimed before. */
const STEADY_MS = 500

const DECISIONS = [
  { action: 'withdrawal-confirm', label: 'Confirm', statuses: ['EMAIL_SENT'] },
  { action: 'withdrawal-approve', label: 'Approve', statuses: ['AWAITING_APPROVAL'] },
  { action: 'withdrawal-reject', label: 'Reject', statuses: ['AWAITING_APPROVAL'] },
  { action: 'withdrawal-cancel', label: 'Cancel', statuses: ['EMAIL_SENT', 'AWAITING_APPROVAL'] },
  { action: 'withdrawal-fail', label: 'Fail', statuses: ['PROCESSING'] },
]
const DECIDING = DECISIONS.map(({ action }) => action)
const CHANGING = ['chain-stop', 'chain-resume']
const SUSPENDING = ['coin-network-suspend', 'coin-network-resume']
const PROOF = 'funds-proof'
const PROVING = [PROOF]

interface WalletProps {
  readonly session: OperatorSession
  readonly figures: Figures
}

/** Nothing while no chain is listed. */
export function WalletPanels({ session, figures }: WalletProps): JSX.Element | null {
  if (session.wallet.chains.value.rows.length === 0) return null
  return (
    <>
      <Withdrawals session={session} figures={figures} />
      <Chains session={session} />
      <Networks session={session} />
      <Funds session={session} figures={figures} />
    </>
  )
}

function Withdrawals({ session, figures }: WalletProps): JSX.Element {
  const group = useActionGroup(session, DECIDING)
  const { rows, more } = session.wallet.withdrawals.value
  const { value: trouble } = session.wallet.trouble
  const isOff = useOff(session, group, rows, 'status')
  const { timeMs, clock } = figures
  const waits = (row: TableRow) =>
    ageText(Math.max(0, (clock?.nowMs ?? timeMs) - Date.parse(String(row.applied))) / 1_000)
  return (
    <Panel title="Withdrawals to decide" isWide={true}>
      {trouble !== '' && (
        <p class="note bad" role="alert">
          {trouble}
        </p>
      )}
      {more !== undefined && <p class="note">The oldest {rows.length} are shown.</p>}
      <Said group={group} />
      <Scroll label="List of withdrawals to decide">
        <Table
          names={['Id', 'Account', 'Coin', 'Chain', 'Status', 'Amount', 'Worth', 'Waits', 'To', '']}
          words={5}
          count={rows.length}
          none="No withdrawal waits for a decision."
        >
          {rows.map((row) => (
            <tr key={String(row.id)}>
              {['id', 'account', 'coin', 'chain', 'status', 'amount', 'worth'].map((name) => (
                <td key={name}>{String(row[name])}</td>
              ))}
              <td>{waits(row)}</td>
              <td class="words">
                <code>{[row.address, row.memo].filter((text) => text !== '').join(' : ')}</code>
              </td>
              <td>
                <span class="buttons">
                  {DECISIONS.filter(({ statuses }) => statuses.includes(String(row.status))).map(
                    ({ action, label }) => (
                      <Start
                        key={action}
                        group={group}
                        action={action}
                        label={label}
                        spoken={`${label} ${row.id}`}
                        given={{ id: String(row.id) }}
                        isOff={isOff}
                      />
                    ),
                  )}
                </span>
              </td>
            </tr>
          ))}
        </Table>
      </Scroll>
    </Panel>
  )
}

interface ReadingProps {
  readonly session: OperatorSession
}

function Chains({ session }: ReadingProps): JSX.Element {
  const group = useActionGroup(session, CHANGING)
  const { rows } = session.wallet.chains.value
  const isOff = useOff(session, group, rows, 'stopped')
  return (
    <Panel title="Chains">
      <Said group={group} />
      <Scroll label="List of chains">
        <Table
          names={['Chain', 'State', 'Height', 'Transfers', '']}
          words={2}
          count={rows.length}
          none=""
        >
          {rows.map((row) => {
            const [action, label] =
              row.stopped === '' ? ['chain-stop', 'Stop'] : ['chain-resume', 'Resume']
            return (
              <tr key={String(row.chain)}>
                <td>{String(row.chain)}</td>
                <td class={row.stopped === '' ? '' : 'down'}>{chainState(row)}</td>
                <td>{String(row.height)}</td>
                <td>{String(row.transfers)}</td>
                <td>
                  <Start
                    group={group}
                    action={action}
                    label={label}
                    spoken={`${label} ${row.chain}`}
                    given={{ chain: String(row.chain) }}
                    isOff={isOff}
                  />
                </td>
              </tr>
            )
          })}
        </Table>
      </Scroll>
    </Panel>
  )
}

function chainState({ stopped, delay }: TableRow): string {
  const late = delay === 0 ? '' : `${delay} blocks late`
  if (stopped === '') return late === '' ? 'makes blocks' : late
  return `stopped since ${String(stopped).slice(0, 'YYYY-MM-DDThh:mm:ss'.length).replace('T', ' ')}`
}

function Networks({ session }: ReadingProps): JSX.Element {
  const group = useActionGroup(session, SUSPENDING)
  const { rows } = session.wallet.networks.value
  const isOff = useOff(session, group, rows, 'deposits', 'withdrawals')
  const text = (takes: TableRow[string]) => (takes === true ? 'on' : 'suspended')
  return (
    <Panel title="Networks">
      <Said group={group} />
      <Scroll label="List of networks">
        <Table
          names={['Coin', 'Chain', 'Deposits', 'Withdrawals', '']}
          words={2}
          count={rows.length}
          none="No chain carries an asset."
        >
          {rows.map((row) => {
            const isOn = row.deposits === true && row.withdrawals === true
            const [action, label] = isOn
              ? ['coin-network-suspend', 'Suspend']
              : ['coin-network-resume', 'Resume']
            return (
              <tr key={`${row.coin} ${row.chain}`}>
                <td>{String(row.coin)}</td>
                <td>{String(row.chain)}</td>
                <td class={row.deposits === true ? '' : 'down'}>{text(row.deposits)}</td>
                <td class={row.withdrawals === true ? '' : 'down'}>{text(row.withdrawals)}</td>
                <td>
                  <Start
                    group={group}
                    action={action}
                    label={label}
                    spoken={`${label} ${row.coin} on ${row.chain}`}
                    given={{ coin: String(row.coin), chain: String(row.chain) }}
                    isOff={isOff}
                  />
                </td>
              </tr>
            )
          })}
        </Table>
      </Scroll>
    </Panel>
  )
}

/** A shortfall is known at once; the terms are counted on request. */
function Funds({ session, figures }: WalletProps): JSX.Element {
  const group = useActionGroup(session, PROVING)
  const rows = group.work(PROOF)?.result.value?.rows ?? []
  const { assetsOwed = 0 } = figures.wallet
  return (
    <Panel
      title="Proof of funds"
      beside={<Start group={group} action={PROOF} label="Prove the funds" />}
    >
      {assetsOwed > 0 && (
        <p class="note bad" role="alert">
          Accounts owe deposits that were taken back, in {assetsOwed} of the assets.
        </p>
      )}
      <Said group={group} />
      <Scroll label="Terms of the proof">
        <Table
          names={['Asset', 'Balances', 'In flight', 'On chains', 'Owed']}
          count={rows.length}
          none="Balances and what is in flight must be what chains hold, accounts owe, and operators issued."
        >
          {rows.map(({ asset, balances, inFlight, chain, owed }) => (
            <tr key={String(asset)}>
              {[asset, balances, inFlight, chain].map((term, at) => (
                <td key={at}>{String(term)}</td>
              ))}
              <td class={Number(owed) > 0 ? 'down' : ''}>{String(owed)}</td>
            </tr>
          ))}
        </Table>
      </Scroll>
    </Panel>
  )
}

interface PanelProps {
  readonly title: string
  readonly isWide?: boolean
  readonly beside?: ComponentChildren
  readonly children: ComponentChildren
}

const Panel = ({ title, isWide = false, beside, children }: PanelProps): JSX.Element => (
  <section class={`panel acting ${isWide ? 'wide-panel' : ''}`} aria-label={title}>
    <header class="panel-head">
      <h2>{title}</h2>
      {beside}
    </header>
    {children}
  </section>
)

/** Whether buttons beside rows are off. Reads the wallet again after each action. `of`: columns that rows are told apart by, besides their place. */
function useOff(
  session: OperatorSession,
  group: ActionGroup,
  rows: readonly TableRow[],
  ...of: readonly string[]
): boolean {
  const { isBusy } = group
  const steady = useSignal('')
  const state = JSON.stringify([isBusy, rows.map((row) => [row.id, ...of.map((it) => row[it])])])
  useEffect(() => {
    if (!isBusy && group.latest.value !== undefined) void session.wallet.read()
  }, [session, group, isBusy])
  useEffect(() => {
    const timer = setTimeout(() => {
      steady.value = state
    }, STEADY_MS)
    return () => clearTimeout(timer)
  }, [steady, state])
  return steady.value !== state
}
