/** Begins the console. */
import './toolkit/held-keys.ts'
import { render } from 'preact'
import { Market } from './market/market.ts'
import { App } from './shell/app.tsx'
import { Account } from './trade/account.ts'

render(<App market={new Market()} account={new Account()} />, document.getElementById('app')!)
