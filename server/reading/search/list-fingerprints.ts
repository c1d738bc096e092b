import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { fingerprintGroup } from './describe-dataset.ts'

/** The groups of a snapshot that search indexes. */
export type GroupFingerprints = {
  readonly groups: readonly (readonly [path: string, fingerprint: string])[]
  /** Number of groups that are left out. */
  readonly omitted: number
}

/** What is indexed of a repository. */
const limits = { groups: 10_000, arrays: 250_000 } as const

/** Longest path, in bytes. An index of PostgreSQL takes 2,704 bytes. */
const maxPathBytes = 2_000

/** Lists the groups that directly hold arrays, with their fingerprints, as far as the limits allow. */
export function listFingerprints(snapshot: Pick<Snapshot, 'nodes'>, cancellation?: Cancellation): GroupFingerprints {
  const paths = snapshot.nodes.listParentsOfArrays()
  const groups: (readonly [string, string])[] = []
  let arrays = 0
  for (const path of paths) {
    cancellation?.throwIfAborted()
    const children = snapshot.nodes.listChildren(path)
    for (const { kind } of children) if (kind === 'array') arrays++
    if (groups.length === limits.groups || arrays > limits.arrays) break
    const isStorable = !path.includes('\0') && Buffer.byteLength(path) <= maxPathBytes
    if (isStorable) groups.push([path, fingerprintGroup(snapshot, path, children)])
  }
  return { groups, omitted: paths.length - groups.length }
}
