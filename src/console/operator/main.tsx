/** Begins the operator's screen. */
import '../toolkit/held-keys.ts'
import { render } from 'preact'
import { OperatorSession } from './operator-session.ts'
import { Screen } from './screen.tsx'

render(<Screen session={new OperatorSession()} />, document.getElementById('app')!)
