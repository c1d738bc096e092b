/** Made once: `toLocaleString` takes ten times as long, and a page can have a thousand counts. */
const numbers = new Intl.NumberFormat('en')

/** `1,000`. */
export function formatNumber(number: number): string {
  return numbers.format(number)
}

/** `46 of 48`. */
export function formatShare({ written, total }: { readonly written: number; readonly total: number }): string {
  return `${formatNumber(written)} of ${formatNumber(total)}`
}

/** `1 group`, `2,000 groups`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** `2 breaking, 1,000 compatible`, without zeros; `none` for nothing else. */
export function listCounts(parts: readonly (readonly [count: number, words: string])[], none: string): string {
  const shown = parts.filter(([count]) => count > 0)
  return shown.map(([count, words]) => `${formatNumber(count)} ${words}`).join(', ') || none
}

/** What a group contains directly: `3 arrays, 2 groups`, or `empty`. */
export function describeMembers({ arrays, groups }: { readonly arrays: number; readonly groups: number }): string {
  const parts = [arrays > 0 && formatCount(arrays, 'array'), groups > 0 && formatCount(groups, 'group')]
  return parts.filter(Boolean).join(', ') || 'empty'
}
