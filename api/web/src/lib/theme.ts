// The colours of the page: those of the device, or those that a reader has chosen for this browser.

export type Theme = 'device' | 'light' | 'dark'

const key = 'vigueur.theme'

export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(key)
    return kept === 'light' || kept === 'dark' ? kept : 'device'
  } catch {
    return 'device' // a browser that keeps nothing
  }
}

/** Shows the page in the colours chosen before. */
export function applyTheme(theme = chosenTheme()): void {
  if (theme === 'device') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    if (theme === 'device') localStorage.removeItem(key)
    else localStorage.setItem(key, theme)
  } catch {
    // It holds until the page is left.
  }
}
