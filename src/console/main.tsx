/** Begins the console. */
import { render } from 'preact'
import { Market } from './market/market.ts'
import { App } from './view/app.tsx'

render(<App market={new Market()} />, document.getElementById('app')!)
