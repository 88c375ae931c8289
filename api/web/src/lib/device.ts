// What a session was opened with, as a person calls it.
import { shorten } from './french'

// Browsers name those whose pages they can show too, and their own name last: the first that is found counts.
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'], [/\b(OPR|OPT|Opera)\//, 'Opera'], [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'], [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'], [/\bVersion\/.*\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'], [/\biPhone\b/, 'iPhone'], [/\biPad\b/, 'iPad'], [/\bWindows\b/, 'Windows'], [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'], [/\bLinux\b|\bX11\b/, 'Linux'],
]

/** « Firefox, Linux » of a User-Agent; a program that is no browser keeps its own name. */
export function deviceWord(client: string | null): string {
  if (!client) return 'Programme sans nom'
  const of = (among: [RegExp, string][]) => among.find(([pattern]) => pattern.test(client))?.[1]
  const browser = of(browsers)
  return browser ? [browser, of(systems)].filter(Boolean).join(', ') : shorten(client, 60)
}
