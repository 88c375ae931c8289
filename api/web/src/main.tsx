// The page begins here.
import { render } from 'preact'
import { App } from './app'
import { start } from './api/session'
import './style.css'

render(<App />, document.getElementById('app')!)
void start()
