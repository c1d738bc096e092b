import type { Remark } from '@floe/contract'

/** Selects the remarks about a group as a whole, or about an array or a group directly in it. */
export function selectRemarks(remarks: readonly Remark[], group: string): readonly Remark[] {
  return remarks.filter((remark) => covers(remark, group) || findParent(remark.path ?? '') === group)
}

/** Finds the first of the retractions of a group as a whole. */
export function findRetraction(remarks: readonly Remark[], group: string): Remark | undefined {
  return remarks.find((remark) => remark.kind === 'retraction' && covers(remark, group))
}

/** Whether a remark is about a group with all that is in it. */
function covers({ path }: Pick<Remark, 'path'>, group: string): boolean {
  return path === null || `${group}/`.startsWith(`${path}/`)
}

function findParent(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
