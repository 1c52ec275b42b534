/** Begins the console. */
import { render } from 'preact'
import { Market } from './market/market.ts'
import { Account } from './trade/account.ts'
import { App } from './view/app.tsx'

render(<App market={new Market()} account={new Account()} />, document.getElementById('app')!)
