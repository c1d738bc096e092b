import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, DocumentAllowance } from '@floe/storage/json'
import { type ArrayMetadata, ZarrDocumentError } from '@floe/storage/zarr'
import type { ChildGroup } from '../../pages/dataset/child-groups.ts'
import { datasetPage, type GroupContent } from '../../pages/dataset/dataset-page.ts'
import type { ChunkCount } from '../../pages/parts/written-chunks.ts'
import { AttributeChains } from '../attribute-chain.ts'
import { citeGroup } from './cite-dataset.ts'
import { countChunks } from '../completeness/count-chunks.ts'
import { findGroup, readGroupDocuments, readNodeName, readUndecoded } from '../group-documents.ts'
import { linkPage, type RefPageAddress, showPageSubject } from '../page-address.ts'
import { readFacts } from '../../self-description/read-facts.ts'
import { decodeGroup } from '../../xarray/decode-group.ts'
import { CannotDecodeError } from '../../xarray/variable.ts'

/**
 * Builds the page of a group as an HTML document, also of a group that xarray cannot open.
 *
 * @throws RequestProblem `group-not-found`
 * @throws DocumentsTooLargeError when the documents of the group are larger than a limit, and what the cancellation
 * throws
 */
export function buildDatasetPage(
  snapshot: Snapshot,
  group: string,
  page: RefPageAddress,
  cancellation?: Cancellation,
): string {
  findGroup(snapshot, group)
  const content = readContent(snapshot, group, cancellation)
  const attributes = content.kind === 'dataset' ? content.dataset.attributes : content.attributes
  const above = new AttributeChains(snapshot, cancellation).readAbove(group)
  const links = linkPage(page)
  const address = links.dataset(page.repo, snapshot.id, group)
  const url = new URL(address, page.deployment.baseUrl).href
  return datasetPage(
    {
      at: showPageSubject(page, snapshot),
      group,
      content,
      chunks: countChunksOfArrays(snapshot, group, cancellation),
      citation: citeGroup(snapshot, { repository: page.repo, group, url }, readFacts([attributes, ...above])),
      above,
      childGroups: listChildGroups(snapshot, group),
    },
    links,
  )
}

function readContent(snapshot: Snapshot, path: string, cancellation: Cancellation | undefined): GroupContent {
  try {
    const { group, members } = readGroupDocuments(snapshot, path, new DocumentAllowance({}, cancellation))
    const dataset = decodeGroup(group, members, cancellation)
    const arrays = new Map<string, ArrayMetadata>()
    for (const member of members) if ('array' in member) arrays.set(member.name, member.array)
    return arrays.size === 0 ? { kind: 'group', attributes: dataset.attributes } : { kind: 'dataset', dataset, arrays }
  } catch (error) {
    if (!(error instanceof CannotDecodeError || error instanceof ZarrDocumentError)) throw error
    return { kind: 'unreadable', reason: error.message, ...readUndecoded(snapshot, path, cancellation) }
  }
}

/** Counts the chunks of the arrays directly in a group, by their names. */
function countChunksOfArrays(
  snapshot: Snapshot,
  group: string,
  cancellation: Cancellation | undefined,
): ReadonlyMap<string, ChunkCount> {
  const counts = new Map<string, ChunkCount>()
  for (const index of snapshot.nodes.walkChildren(group)) {
    const { path, kind, document } = snapshot.nodes.at(index)
    if (kind === 'array') counts.set(readNodeName(path), countChunks(snapshot, index, document, cancellation))
  }
  return counts
}

function listChildGroups(snapshot: Snapshot, path: string): ChildGroup[] {
  const groups = snapshot.nodes.listChildren(path).filter(({ kind }) => kind === 'group')
  return groups.map((node) => ({ path: node.path, ...snapshot.nodes.countChildren(node.path) }))
}
