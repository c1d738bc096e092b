// Computes the answers to questions about what changed from one snapshot to another.
import type { CommitChanges } from '@floe/contract'
import type { SnapshotId } from '@floe/storage/icechunk'
import { type Cancellation, writeBody } from '@floe/storage/json'
import { encodePage } from '../../pages/page.ts'
import { compareSnapshots } from '../compatibility/compare-snapshots.ts'
import { judgeContract } from '../compatibility/judge-contract.ts'
import { summarizeChanges } from '../compatibility/summarize-changes.ts'
import { writeCompatibility } from '../compatibility/write-compatibility.ts'
import type { ContractAnswerers, PageAnswerers } from './contract-answerers.ts'
import { buildDiffPage } from '../diff/build-diff-page.ts'
import type { ComparedSnapshots } from '../diff/changes.ts'
import { findChangedPaths, type PathChanges } from '../diff/find-changed-paths.ts'
import { findFewFacts } from '../diff/changed-chunks/find-few-facts.ts'
import { listCommitChanges } from '../diff/list-commit-changes.ts'
import { writeDiff } from '../diff/write-diff.ts'
import { matchTouched } from '../diff/match-touched.ts'

/** Answers the questions of the contract about a change, and the page at the address of one of them. */
const contractAnswerers = {
  diff: (compared, asked, cancellation, manifests) => writeDiff(compared, asked, manifests, cancellation),
  'diff-page': (compared, { page }, cancellation, manifests) => {
    const facts = findFewFacts(compared, manifests, cancellation)
    // It will be built when the manifests have been read.
    if (manifests.missing.size > 0) return encodePage('')
    return encodePage(buildDiffPage(compared, compareSnapshots(compared, '', cancellation), facts, page, cancellation))
  },
  compatibility: (compared, { group }, cancellation) =>
    writeCompatibility(compared, compareSnapshots(compared, group, cancellation), cancellation),
} as const satisfies ContractAnswerers<ComparedSnapshots, 'change'> & PageAnswerers<ComparedSnapshots, 'diff-page'>

type Since = { readonly from: SnapshotId }

/** Answers all questions about a change: those of the contract, then those that only other parts of Floe ask. */
export const changeAnswerers = {
  ...contractAnswerers,
  /** What a head move means for readers, for its notification. */
  'schema-change': (compared: ComparedSnapshots, _: Since, cancellation: Cancellation | undefined) =>
    summarizeChanges(compareSnapshots(compared, '', cancellation), cancellation),
  /** `contract-judgement` with the new names of what was renamed since a snapshot that kept the contract. */
  'renames-judgement': (
    compared: ComparedSnapshots,
    { contract }: Since & { readonly contract: string },
    cancellation: Cancellation | undefined,
  ) => judgeContract(compared.after, contract, cancellation, compared),
  /** Which path filters match the changes, and an abridged list of these changes. */
  'changed-paths': (
    compared: ComparedSnapshots,
    { filters }: Since & { readonly filters: readonly (readonly string[])[] },
    cancellation: Cancellation | undefined,
  ) => writeBody<PathChanges>(findChangedPaths(compared, filters, cancellation), cancellation),
  /** What the changes did to the nodes whose path matches a pattern. */
  'commit-changes': (
    compared: ComparedSnapshots,
    { path }: Since & { readonly path: string },
    cancellation: Cancellation | undefined,
  ) => writeBody<CommitChanges>(listCommitChanges(compared, path, cancellation), cancellation),
  /** For each of some searches, whether it finds a dataset that the changes touched. */
  'search-matches': (
    compared: ComparedSnapshots,
    asked: Since & Parameters<typeof matchTouched>[1],
    cancellation: Cancellation | undefined,
  ) => writeBody<readonly boolean[]>(matchTouched(compared, asked, cancellation), cancellation),
} as const
