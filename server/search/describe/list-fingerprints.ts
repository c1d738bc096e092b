import { hash } from 'node:crypto'
import type { Node, Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import { explainArray, findParent } from '../../groups/group-documents.ts'
import type { RepositoryMetadata } from '../../groups/repository-metadata.ts'

/**
 * The form of the index. Increase it if a change of the code changes what a shard holds: the index of heads that have
 * another form is built again after the next start.
 */
export const indexForm = 9

/** The groups of a snapshot that search indexes. */
export type GroupFingerprints = {
  readonly groups: readonly (readonly [path: string, fingerprint: string])[]
  /** Number of groups that are left out. */
  readonly omitted: number
  /** Why there can be no groups; null if there can. */
  readonly problem: string | null
}

/** How much of a repository is indexed. */
const limits = { groups: 10_000, arrays: 250_000 } as const

/** Longest path, in bytes. An index of PostgreSQL takes 2,704 bytes. */
const maxPathBytes = 2_000

/** Lists the groups with arrays directly in them, and their fingerprints, as far as the limits allow. */
export function listFingerprints(
  snapshot: Pick<Snapshot, 'nodes'>,
  repository: RepositoryMetadata,
  cancellation?: Cancellation,
): GroupFingerprints {
  const paths = snapshot.nodes.listParentsOfArrays()
  const fingerprint = fingerprintGroups(snapshot, repository)
  const groups: (readonly [string, string])[] = []
  let arrays = 0
  for (const path of paths) {
    cancellation?.throwIfAborted()
    arrays += snapshot.nodes.countChildren(path).arrays
    if (groups.length === limits.groups || arrays > limits.arrays) break
    if (isIndexed(path)) groups.push([path, fingerprint(path)])
  }
  return { groups, omitted: paths.length - groups.length, problem: explainArray(snapshot, '') }
}

/** Whether the index can have a dataset with this path. */
export function isIndexed(path: string): boolean {
  return !path.includes('\0') && Buffer.byteLength(path) <= maxPathBytes
}

/**
 * Returns a function that computes a fingerprint of what decides the description of a group: the documents of the
 * group, of its members, and of the groups above it, whose texts it inherits; then, after a dot, the metadata of the
 * repository, if there is any.
 */
export function fingerprintGroups(
  { nodes }: Pick<Snapshot, 'nodes'>,
  { metadata }: RepositoryMetadata,
): (path: string) => string {
  const ending = metadata === undefined ? '' : `.${hash('sha1', metadata, 'base64url')}`
  /** Of each group, its document and those above it. Most groups have the same parents. */
  const lineages = new Map<string, string>()
  const readLineage = (path: string): string => {
    const known = lineages.get(path)
    if (known !== undefined) return known
    const parent = findParent(path)
    const node = nodes.find(path)
    const lineage = hashParts(parent === undefined ? String(indexForm) : readLineage(parent), node ? [node] : [])
    lineages.set(path, lineage)
    return lineage
  }
  return (path) => hashParts(readLineage(path), nodes.listChildren(path)) + ending
}

/** Whether two fingerprints are of the same documents. The metadata of the repository belongs to no commit. */
export function haveSameDocuments(one: string, other: string | null): boolean {
  return one.split('.', 1)[0] === other?.split('.', 1)[0]
}

function hashParts(above: string, listed: readonly Node[]): string {
  const parts = listed.flatMap(({ path, kind, document }) => [
    Buffer.from(`${path}\0${kind}\0${document.byteLength}\0`),
    document,
  ])
  return hash('sha1', Buffer.concat([Buffer.from(above), ...parts]), 'base64url')
}
