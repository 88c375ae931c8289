// The links of the service's messages: what stands behind the # is for the page alone, and never reaches a log.

/** The token of a link: null when the address has none, empty when the link was cut off. */
export function tokenOf(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, '')).get('jeton')?.trim() ?? null
}
