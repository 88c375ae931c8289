// Whether images of pages come only when they are asked for: as the device says, or as a reader has chosen for this browser.

const key = 'vigueur.saving'

export function chosenSaving(): boolean {
  try {
    return localStorage.getItem(key) === '1'
  } catch {
    return false // a browser that keeps nothing
  }
}

export const saving = (): boolean => chosenSaving() || (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true

export function chooseSaving(yes: boolean): void {
  try {
    if (yes) localStorage.setItem(key, '1')
    else localStorage.removeItem(key)
  } catch {
    // As above.
  }
}
