import type { ArrayGaps } from '@floe/contract'
import type { Snapshot } from '@floe/storage/icechunk'
import type { Cancellation } from '@floe/storage/json'
import type { ChildGroup } from '../../pages/dataset/child-groups.ts'
import { datasetPage, type GroupContent } from '../../pages/dataset/dataset-page.ts'
import { type ChunkCount, isIncomplete } from '../../pages/parts/written-chunks.ts'
import { AttributeChains } from '../../groups/attribute-chain.ts'
import { citeGroup } from './cite-dataset.ts'
import { countChunks } from '../completeness/count-chunks.ts'
import { findFewGaps } from '../gaps/find-few-gaps.ts'
import type { SnapshotManifests } from '../manifests/snapshot-manifests.ts'
import { readNodeName } from '../../groups/group-documents.ts'
import { openGroup } from '../../groups/open-group.ts'
import { linkPage, type RefPageFacts, showPageSubject } from '../page-facts.ts'
import { readFacts } from '../../self-description/read-facts.ts'

/**
 * Builds the page of a group as an HTML document, also of a group that is not decoded.
 *
 * @throws RequestProblem `group-not-found`; what the cancellation throws
 */
export function buildDatasetPage(
  source: SnapshotManifests,
  group: string,
  page: RefPageFacts,
  cancellation?: Cancellation,
): string {
  const { snapshot } = source
  const chunks = countChunksOfArrays(snapshot, group, cancellation)
  const gaps = findGaps(source, group, chunks, cancellation)
  // It will be built when the manifests have been read.
  if (source.missing.size > 0) return ''
  const content = readContent(snapshot, group, cancellation)
  const attributes = content.kind === 'dataset' ? content.dataset.attributes : content.attributes
  const above = new AttributeChains(snapshot, cancellation, page.metadata).readAbove(group)
  const links = linkPage(page)
  return datasetPage(
    {
      at: showPageSubject(page, snapshot),
      group,
      content,
      written: { chunks, gaps },
      citation: citeGroup(snapshot, group, page, readFacts([attributes, ...above])),
      above,
      childGroups: listChildGroups(snapshot, group),
    },
    links,
  )
}

function readContent(snapshot: Snapshot, path: string, cancellation: Cancellation | undefined): GroupContent {
  const { dataset, refusal, readStored } = openGroup(snapshot, path, { cancellation })
  if (refusal) return { kind: 'unreadable', refusal, ...readStored() }
  // zarr-python leaves out the others.
  const arrays = new Map([...readStored().arrays].flatMap(([name, array]) => (array ? [[name, array] as const] : [])))
  return arrays.size === 0 ? { kind: 'group', attributes: dataset.attributes } : { kind: 'dataset', dataset, arrays }
}

/** Counts the chunks of the arrays directly in a group, by their names. */
function countChunksOfArrays(
  snapshot: Snapshot,
  group: string,
  cancellation: Cancellation | undefined,
): ReadonlyMap<string, ChunkCount> {
  const counts = new Map<string, ChunkCount>()
  for (const index of snapshot.nodes.walkChildren(group)) {
    if (snapshot.nodes.readKind(index) === 'group') continue
    counts.set(readNodeName(snapshot.nodes.readPath(index)), countChunks(snapshot, index, cancellation))
  }
  return counts
}

/** Finds the gaps of arrays that have a part of their chunks, by the names of the arrays. */
function findGaps(
  source: SnapshotManifests,
  group: string,
  chunks: ReadonlyMap<string, ChunkCount>,
  cancellation: Cancellation | undefined,
): ReadonlyMap<string, ArrayGaps> {
  const names = [...chunks].flatMap(([name, count]) => (isIncomplete(count) && count.written > 0 ? [name] : []))
  const paths = names.map((name) => (group === '' ? name : `${group}/${name}`))
  const found = findFewGaps(source, paths, cancellation)
  return new Map([...found].map(([path, gaps]) => [readNodeName(path), gaps]))
}

function listChildGroups(snapshot: Snapshot, path: string): ChildGroup[] {
  const groups = snapshot.nodes.listChildren(path).filter(({ kind }) => kind === 'group')
  return groups.map((node) => ({ path: node.path, ...snapshot.nodes.countChildren(node.path) }))
}
