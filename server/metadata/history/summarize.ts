// What a repository says about itself.
import { maxSummarizedLength } from '@floe/contract'
import {
  type Commit,
  type FeatureFlag,
  MissingObjectError,
  readAuthorId,
  type Repository,
  type RepositoryFacts,
  type RepositoryState,
  type SnapshotId,
} from '@floe/storage/icechunk'
import { Slices } from '@floe/storage/waiting'
import { type JsonValue, JsonWriter } from '@floe/storage/json'
import pLimit from 'p-limit'
import type { MetadataContext } from '../metadata-context.ts'
import { shorten } from '../../repositories/shorten.ts'
import { toStatus } from './operations.ts'

/** Branches whose commits are shown. Each of version 1 costs a read of the object store. */
const maxShown = { 1: 100, 2: 1_000 } as const

/** Reads of commits at the same time. */
const concurrentReads = 16

/** What is said of a repository of version 1, which keeps none of it. */
const factsOfVersion1 = {
  status: null,
  metadata: new Map<string, JsonValue>(),
  featureFlags: [],
  snapshotCount: null,
} as const

/** The repository to describe, under its name. */
type Subject = { readonly name: string; readonly repository: Repository; readonly state: RepositoryState }

/** Writes the summary of a repository, as the contract has it. Throws what reading the repository throws. */
export async function summarize(
  context: Pick<MetadataContext, 'history' | 'reading'>,
  subject: Subject,
  signal: AbortSignal,
): Promise<Buffer> {
  const { name, repository, state } = subject
  const { branches, tags } = await (state.formatVersion === 2
    ? state.readRefs(signal)
    : context.reading.readRefs(repository))
  const facts = state.formatVersion === 2 ? state.readFacts() : factsOfVersion1
  const [commits, size] = await Promise.all([
    readCommits(context, subject, branches, signal),
    state.main === null ? undefined : repository.measureSnapshot(state.main, signal),
  ])
  const slices = new Slices(signal)
  const json = new JsonWriter().raw('{"name":').string(name).raw(`,"format_version":${state.formatVersion}`)
  writeFacts(json, facts)
  json.raw(',"branches":[')
  let separator = ''
  for (const [branch, id] of branches) {
    writeBranch(json.raw(separator), branch, id, commits.get(branch))
    separator = ','
    if (slices.isOver) await slices.next()
  }
  json.raw(`],"tags":${tags.size},"main_snapshot_bytes":${size ?? null}}`)
  return Buffer.from(json.finish().buffer)
}

type Facts = RepositoryFacts | typeof factsOfVersion1

function writeFacts(json: JsonWriter, { status, metadata, featureFlags, snapshotCount }: Facts): void {
  json
    .raw(',"status":')
    .members<JsonValue>(
      Object.entries(status === null ? { availability: 'online', since: null, reason: null } : toStatus(status)),
      (json, value) => json.value(value),
    )
  json.raw(',"metadata":').value(metadata)
  json
    .raw(',"feature_flags":')
    .items(featureFlags, (json, { id, name, isEnabled }: FeatureFlag) =>
      json.raw(`{"id":${id},"name":`).value(name).raw(`,"enabled":${isEnabled}}`),
    )
  json.raw(`,"commits":${snapshotCount}`)
}

function writeBranch(json: JsonWriter, name: string, id: SnapshotId, commit: Commit | undefined): void {
  json.raw('{"name":').string(name).raw(`,"snapshot_id":"${id}","commit":`)
  if (commit === undefined) {
    json.raw('null}')
    return
  }
  json.raw('{"commit_message":').string(shorten(commit.message, maxSummarizedLength))
  json.raw(',"written_at":').string(commit.writtenAt.toISOString())
  json
    .raw(',"author_id":')
    .string(shorten(readAuthorId(commit.metadata), maxSummarizedLength))
    .raw('}}')
}

/** Reads the commits of the heads that are shown. A head whose object is gone is left out. */
async function readCommits(
  { history }: Pick<MetadataContext, 'history'>,
  { repository, state }: Subject,
  branches: ReadonlyMap<string, SnapshotId>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Commit>> {
  const mainFirst = [...branches].sort(([one], [other]) => Number(other === 'main') - Number(one === 'main'))
  const shown = mainFirst.slice(0, maxShown[state.formatVersion])
  const reader = history.openReader(repository, state)
  const slices = new Slices(signal)
  const commits = new Map<string, Commit>()
  const readHead = async ([name, id]: readonly [string, SnapshotId]) => {
    try {
      commits.set(name, await reader.read(id, signal))
      if (slices.isOver) await slices.next()
    } catch (error) {
      if (!(error instanceof MissingObjectError)) throw error
    }
  }
  const limit = pLimit(concurrentReads)
  await limit.map(shown, readHead).finally(() => limit.clearQueue())
  return commits
}
