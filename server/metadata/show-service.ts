// Facts about the service and its repositories, for pages.
import type { Repository, RepositoryState } from '@floe/storage/icechunk'
import type { ResolvedAddress } from '../catalog/cached-refs.ts'
import { makeReadingSignal } from '../catalog/reading-signals.ts'
import { readContainers } from '../catalog/read-containers.ts'
import { type DeploymentNames, requireServedCatalog, type ServedNames } from '../catalog/served-catalog.ts'
import { writeMetadata } from '../groups/repository-metadata.ts'
import type { Caller } from '../http/access/caller.ts'
import type { DocumentFacts, PageFacts, RefPageFacts } from '../reading/page-facts.ts'
import type { ShownDeployment } from '../pages/page-subject.ts'
import { makeListMarks } from './checks/list-marks.ts'
import { makeIsStateUnchanged, type RefOfRepository } from './answering/answer-at-ref.ts'
import type { MetadataContext } from './metadata-context.ts'

/** A request; `caller` is null without credentials, which only a public deployment admits. */
export type Asked = { readonly caller: Pick<Caller, 'role'> | null }

/** Describes a deployment for pages. */
export function showDeployment(context: MetadataContext, { deployment, org }: DeploymentNames): ShownDeployment {
  const { isPublic } = requireServedCatalog(context, { deployment, org })
  const { account, search } = context
  return { org, name: deployment, isPublic, baseUrl: context.baseUrl(), hasSearch: search.enabled, account }
}

/** The location of a repository, for administrators; null for readers, who know it by its name. */
export function showLocation({ location }: Repository, { caller }: Asked): string | null {
  return caller?.role === 'admin' ? location : null
}

/**
 * The ref that a page names and links to. If that is chosen by a time or by what is good, it is the snapshot, so that
 * the links stay the same.
 */
export function showRef({ kind, name, at, behind, snapshotId }: ResolvedAddress): PageFacts['ref'] {
  return at === undefined && behind === undefined ? { kind, name } : { kind: 'snapshot', name: snapshotId }
}

/** What chose the snapshot, if the address names neither it nor a ref. */
export function showChoice({ kind, name, at, behind }: ResolvedAddress): PageFacts['asOf'] {
  if (at !== undefined) return { kind, name, time: at }
  return behind === undefined ? null : { kind, name, behind }
}

/** A ref of a repository, and the remarks that a page about it may show. */
type Remarked = Pick<RefOfRepository, 'repository' | 'resolved'> & Pick<PageFacts, 'remarks'>

/** Gathers the facts of a page about a ref. */
export function gatherPageFacts(
  context: MetadataContext,
  names: ServedNames,
  { repository, resolved, remarks }: Remarked,
  caller: Asked,
): PageFacts {
  return {
    deployment: showDeployment(context, names),
    repo: names.repo,
    ref: showRef(resolved),
    asOf: showChoice(resolved),
    location: showLocation(repository, caller),
    published: requireServedCatalog(context, names).getPublished(names.repo) ?? null,
    remarks,
    v1: context.v1,
    assetsRoot: context.assetsRoot,
  }
}

/**
 * Gathers the facts of a document. All callers get the same one: none sees the location of a repository. The metadata
 * of the repository can change without a commit; `isCurrent` says whether it may have.
 */
export async function gatherDocumentFacts(
  context: MetadataContext,
  names: ServedNames,
  at: Remarked,
): Promise<{ readonly page: DocumentFacts; readonly isCurrent: () => boolean }> {
  const { repository } = at
  const everyone = { caller: null }
  const state = repository.lastState ?? (await repository.readState(makeReadingSignal()))
  return {
    page: {
      ...gatherPageFacts(context, names, at, everyone),
      metadata: writeMetadata(state),
      containers: await readShownContainers(context, names, state, everyone),
    },
    isCurrent: makeIsStateUnchanged(repository, state),
  }
}

/**
 * Whether a caller sees where a repository is stored, and from where it may take chunks: an administrator does, and
 * everyone if that is published.
 */
export function seesStorage(
  context: Pick<MetadataContext, 'catalogs'>,
  names: ServedNames,
  { caller }: Asked,
): boolean {
  return caller?.role === 'admin' || requireServedCatalog(context, names).getPublished(names.repo) !== undefined
}

/** Maximum number of virtual chunk containers that the code of a page names. */
const maxContainers = 20

/** Reads the containers that a caller may see. In version 1 reading them costs a request, so they are left out. */
async function readShownContainers(
  context: Pick<MetadataContext, 'catalogs'>,
  names: ServedNames,
  state: RepositoryState,
  caller: Asked,
): Promise<DocumentFacts['containers']> {
  if (state.formatVersion === 1 || !seesStorage(context, names, caller)) return []
  return ((await readContainers(state, makeReadingSignal())) ?? []).slice(0, maxContainers)
}

/** Maximum number of branches, and of tags, that a page offers to switch to. */
const maxSwitches = 50

/**
 * Gathers the facts of a page that links to other refs and to the parent commit, and shows checks. `isCurrent` says
 * whether these and the answer are still right. In version 1 refs and parents cost reads, so they are left out.
 */
export async function gatherRefPageFacts(
  context: MetadataContext,
  names: ServedNames,
  at: Remarked & Pick<RefOfRepository, 'isCurrent'>,
  caller: Asked,
): Promise<{ readonly page: RefPageFacts; readonly isCurrent: () => boolean }> {
  const { repository, resolved } = at
  const page = gatherPageFacts(context, names, at, caller)
  const state = repository.lastState ?? (await repository.readState(makeReadingSignal()))
  const marks = (await makeListMarks(context, names)([resolved.snapshotId])).get(resolved.snapshotId) ?? null
  if (state.formatVersion === 1)
    return { page: { ...page, containers: [], marks, navigation: null }, isCurrent: at.isCurrent }
  const { branches, tags } = await state.readRefs(makeReadingSignal())
  const navigation = {
    parentId: state.readCommit(resolved.snapshotId).parentId,
    branches: branches.keys().take(maxSwitches).toArray(),
    tags: tags.keys().take(maxSwitches).toArray(),
  }
  const isUnchanged = makeIsStateUnchanged(repository, state)
  const containers = await readShownContainers(context, names, state, caller)
  const metadata = writeMetadata(state)
  return {
    page: { ...page, metadata, containers, marks, navigation },
    isCurrent: () => at.isCurrent() && isUnchanged(),
  }
}
