// The page begins here.
import { render } from 'preact'
import { App } from './app'
import { start } from './api/session'
import { applyTheme } from './lib/theme'
import './style.css'

applyTheme()
render(<App />, document.getElementById('app')!)
void start()
