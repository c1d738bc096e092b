import { compareUtf8 } from '../../objects/index.ts'
import type { Refs, ResolvedRef, SnapshotId } from '../types.ts'

/** Finds the branch of that name, or else the tag; undefined when there is neither. */
export function resolveRef({ branches, tags }: Refs, name: string): ResolvedRef | undefined {
  const branch = branches.get(name)
  if (branch !== undefined) return { kind: 'branch', name, snapshotId: branch }
  const tag = tags.get(name)
  return tag === undefined ? undefined : { kind: 'tag', name, snapshotId: tag }
}

/** Sorts references by the UTF-8 bytes of their names. */
export function sortByName(refs: ReadonlyMap<string, SnapshotId>): ReadonlyMap<string, SnapshotId> {
  return new Map([...refs].sort(([a], [b]) => compareUtf8(a, b)))
}
