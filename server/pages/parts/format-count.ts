/** `1 group`, `2,000 groups`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** `2 breaking, 1,000 compatible`, without zeros; `none` for nothing else. */
export function listCounts(parts: readonly (readonly [count: number, words: string])[], none: string): string {
  const shown = parts.filter(([count]) => count > 0)
  return shown.map(([count, words]) => `${count.toLocaleString('en')} ${words}`).join(', ') || none
}

/** What a group contains directly: `3 arrays, 2 groups`, or `empty`. */
export function describeMembers({ arrays, groups }: { readonly arrays: number; readonly groups: number }): string {
  const parts = [arrays > 0 && formatCount(arrays, 'array'), groups > 0 && formatCount(groups, 'group')]
  return parts.filter(Boolean).join(', ') || 'empty'
}
