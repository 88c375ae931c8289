// Where the words of an excerpt lie on the page of a PDF.
import type { Region } from '../api/types'

/** A box in pixels from the top left of a page as it is drawn. */
export interface Box { left: number; top: number; width: number; height: number }

/** The boxes of the regions that lie on a page, drawn at a scale of so many pixels a point. Regions of one line that touch become one box, so that the highlight has no seams. */
export function boxes(regions: readonly Region[], page: number, scale: number): Box[] {
  const merged: number[][] = []
  const on = regions.filter((r) => r.page === page && r.rect.length === 4).map((r) => [...r.rect] as number[])
  on.sort((a, b) => a[1]! - b[1]! || a[0]! - b[0]!)
  for (const r of on) {
    const same = merged.find((m) => overlap(m[1]!, m[3]!, r[1]!, r[3]!) > 0.6 && r[0]! <= m[2]! + 3 && r[2]! >= m[0]! - 3)
    if (same) {
      same[0] = Math.min(same[0]!, r[0]!)
      same[1] = Math.min(same[1]!, r[1]!)
      same[2] = Math.max(same[2]!, r[2]!)
      same[3] = Math.max(same[3]!, r[3]!)
    } else merged.push(r)
  }
  return merged.map(([x0, y0, x1, y1]) => ({
    left: x0! * scale, top: y0! * scale, width: (x1! - x0!) * scale, height: (y1! - y0!) * scale,
  }))
}

/** The share of the smaller of two spans that lies in the other. */
function overlap(a0: number, a1: number, b0: number, b1: number): number {
  const common = Math.min(a1, b1) - Math.max(a0, b0)
  return common <= 0 ? 0 : common / Math.max(1e-9, Math.min(a1 - a0, b1 - b0))
}

/** The first page that a citation shows. */
export function firstPage(page: number | null, regions: readonly Region[]): number {
  return regions.length > 0 ? Math.min(...regions.map((r) => r.page)) : (page ?? 1)
}
