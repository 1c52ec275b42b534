/** The wallet: where to deposit, what to withdraw, and what became of it. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { cut, formatAtoms, grouped, parseAtoms, shown } from '../book/decimals.ts'
import type { Market } from '../market/market.ts'
import { datedText } from '../toolkit/times.ts'
import { type Account, refusalText } from './account.ts'
import { lastOf } from './alerts.ts'
import { conversionsInto } from './portfolio.ts'
import { countedIn } from './portfolio-view.tsx'
import { QrCode } from './qr-code.tsx'
import { Table } from './table.tsx'
import type { Coin, Network, Transfer } from './wallet.ts'
import { depositAddressOf, useWallet } from './wallet-reads.ts'
import { WithdrawalForm } from './withdrawal-form.tsx'

interface WalletProps {
  readonly market: Market
  readonly account: Account
}

export function Wallet({ market, account }: WalletProps): JSX.Element {
  const { coins, transfers, fault } = useWallet(account)
  const coinName = useSignal('')
  const networkName = useSignal('')
  const { value: all } = coins
  if (all === undefined || all.length === 0) {
    const text = all === undefined ? 'Reading the networks …' : NO_NETWORKS
    return <p class={fault.value === '' ? 'empty' : 'empty fault'}>{fault.value || text}</p>
  }
  const coin = all.find((it) => it.coin === coinName.value) ?? all[0]!
  const networks = coin.networkList
  const network =
    networks.find((it) => it.network === networkName.value) ??
    networks.find(({ isDefault }) => isDefault) ??
    networks[0]!
  return (
    <>
      <div class="filters">
        <Choice
          label="Coin"
          value={coin.coin}
          choices={all.map((it) => it.coin)}
          chosen={coinName}
        />
        <Choice
          label="Network"
          value={network.network}
          choices={networks.map((it) => it.network)}
          chosen={networkName}
        />
        <Held {...{ market, account, coin }} />
        {fault.value !== '' && <span class="note bad">{fault.value}</span>}
      </div>
      <div class="wallet">
        <Deposit key={`in ${coin.coin} ${network.network}`} {...{ account, coin, network }} />
        <WithdrawalForm
          key={`out ${coin.coin} ${network.network}`}
          free={balanceOf(account, coin).free}
          {...{ account, coin, network }}
        />
      </div>
      <Transfers rows={transfers.value} />
    </>
  )
}

const NO_NETWORKS = 'No networks: an operator lists those that carry deposits and withdrawals.'

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly choices: readonly string[]
  readonly chosen: Signal<string>
}

const Choice = ({ label, value, choices, chosen }: ChoiceProps): JSX.Element => (
  <label>
    <span>{label}</span>
    <select
      value={value}
      onChange={({ currentTarget }) => {
        chosen.value = currentTarget.value
      }}
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  </label>
)

const balanceOf = (account: Account, { coin }: Coin) =>
  account.balances.value.get(coin) ?? { free: '0', locked: '0' }

/** What is held of the coin, and its value at last prices. */
function Held({ market, account, coin }: WalletProps & { readonly coin: Coin }): JSX.Element {
  void market.tickers.version.value
  const { free, locked } = balanceOf(account, coin)
  const held = (parseAtoms(free) ?? 0n) + (parseAtoms(locked) ?? 0n)
  const { value: symbols } = market.symbols
  const into = countedIn.value
  const convert = conversionsInto(into, symbols, (symbol) => lastOf(market, symbol)).get(coin.coin)
  const decimals = symbols.find(({ quoteAsset }) => quoteAsset === into)?.priceDecimals ?? 2
  return (
    <span class="figure">
      Free {shown(free)}, in orders {shown(locked)}
      {convert !== undefined &&
        into !== coin.coin &&
        `, worth ${grouped(cut(formatAtoms(convert(held)), decimals))} ${into}`}
    </span>
  )
}

export interface FormProps {
  readonly account: Account
  readonly coin: Coin
  readonly network: Network
}

function Deposit({ account, coin, network }: FormProps): JSX.Element {
  const found = useSignal({ address: '', tag: '' })
  const fault = useSignal('')
  const { value: session } = account.session
  useEffect(() => {
    if (session === undefined || !network.depositEnable) return
    depositAddressOf(session, coin.coin, network.network).then(
      (address) => {
        found.value = address
      },
      (error: Error) => {
        fault.value = refusalText(error)
      },
    )
  }, [session, network.depositEnable])
  const { address, tag } = found.value
  return (
    <section class="form" aria-label="Deposit">
      <h3>Deposit {coin.coin}</h3>
      {!network.depositEnable ? (
        <p class="note">
          Deposits on {network.network} are suspended. {network.depositDesc}
        </p>
      ) : fault.value !== '' ? (
        <p class="fault">{fault.value}</p>
      ) : address === '' ? (
        <p class="note">Reading the address …</p>
      ) : (
        <>
          <div class="address">
            <QrCode text={address} />
            <div>
              <Copied label="Address" text={address} />
              {tag !== '' && <Copied label="Memo: a deposit without it is lost" text={tag} />}
            </div>
          </div>
          <p class="note">
            Only {coin.coin} on {network.name}. Credited after {network.minConfirm} confirmations,
            to be withdrawn after {network.unLockConfirm}.
          </p>
        </>
      )}
    </section>
  )
}

function Copied({ label, text }: { readonly label: string; readonly text: string }): JSX.Element {
  const isCopied = useSignal(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    isCopied.value = true
  }
  return (
    <div class="field">
      <span>{label}</span>
      <code>{text}</code>
      {'clipboard' in navigator && (
        <button type="button" class="small" onClick={() => void copy()}>
          {isCopied.value ? 'Copied' : `Copy ${label.split(':')[0]!.toLowerCase()}`}
        </button>
      )}
    </div>
  )
}

function Transfers({ rows }: { readonly rows: readonly Transfer[] }): JSX.Element {
  return (
    <Table
      names={['Time', 'What', 'Network', 'Amount', 'Fee', 'Address', 'State']}
      words={3}
      count={rows.length}
      none="No deposits and no withdrawals within 90 days."
    >
      {rows.map((row) => (
        <tr key={row.key} data-transfer={row.key}>
          <td>{datedText(row.timeMs)}</td>
          <td>{row.kind}</td>
          <td>{row.network}</td>
          <td>
            {shown(row.amount)} {row.coin}
          </td>
          <td>{row.fee === '' ? '–' : shown(row.fee)}</td>
          <td title={row.txId === '' ? row.address : `${row.address}, transaction ${row.txId}`}>
            {brief(row.address)}
          </td>
          <td>{row.state}</td>
        </tr>
      ))}
    </Table>
  )
}

const BRIEF_CHARS = 8

const brief = (text: string): string =>
  text.length <= 2 * BRIEF_CHARS + 1
    ? text
    : `${text.slice(0, BRIEF_CHARS)}…${text.slice(-BRIEF_CHARS)}`
