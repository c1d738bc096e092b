import type { Remark as ShownRemark } from '@floe/contract'
import type { Remark } from '@floe/storage/database'

/** What a remark is about and says, in the form of the contract. */
export function showFacts({ range, ref, path, text, since, until, supersededBy }: Remark) {
  const isOne = range !== null && range.from === range.to
  return {
    snapshot: isOne ? range.from : null,
    from: isOne || range === null ? null : range.from,
    to: isOne || range === null ? null : range.to,
    ref,
    path,
    text,
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    superseded_by: supersededBy,
  }
}

/** Shows a remark in the form of the contract. */
export function showRemark(remark: Remark): ShownRemark {
  const { id, kind, createdAt, updatedAt } = remark
  const times = { created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() }
  return { id, kind, ...showFacts(remark), ...times }
}
