// Reads what a `repo` object says about the repository itself.
//
//   Repo        slot 5 RepoStatus · 6 [MetadataItem] · 9 configuration (FlexBuffers map) · 10 enabled feature flags ·
//               11 disabled feature flags
//   RepoStatus  slot 0 availability · 1 time · 2 reason
import type { Allowance } from '../encoding/allowance.ts'
import type { Table } from '../encoding/flatbuffers.ts'
import { decodeFlexBuffer } from '../encoding/flexbuffers.ts'
import { isJsonObject, type JsonValue } from '../../json/index.ts'
import type { CommitMetadata } from '../types.ts'
import { readCommitMetadata, readTime } from './commit.ts'

/** Whether a repository accepts changes. `unknown`: a state that a later version of the format added. */
export type RepositoryStatus = {
  readonly availability: 'online' | 'read_only' | 'offline' | 'unknown'
  readonly since: Date
  readonly reason: string | null
}

/** A feature that a repository enables or disables. */
export type FeatureFlag = {
  readonly id: number
  /** Null for a flag that a later version of the format added. */
  readonly name: string | null
  readonly isEnabled: boolean
}

/** What a repository of version 2 says about itself. */
export type RepositoryFacts = {
  readonly status: RepositoryStatus
  /** Metadata of the repository, not of a commit. In stored order, sorted by name. */
  readonly metadata: CommitMetadata
  /** The flags of the format, and others that the repository names; sorted by id. */
  readonly featureFlags: readonly FeatureFlag[]
  /** Number of listed snapshots, including those that no branch or tag leads to. */
  readonly snapshotCount: number
}

/** A place outside the repository that has virtual chunks. Readers of the chunks must authorize access to it. */
export type VirtualContainer = {
  /** The beginning of the locations of its chunks, such as `s3://bucket/path/`. */
  readonly urlPrefix: string
  readonly store: 's3' | 'gcs' | 'azure' | 'http' | 'local'
  /** Whether the repository says that its store needs no credentials. Only stores of the kind `s3` can say so. */
  readonly isAnonymous: boolean
}

const availabilities = ['online', 'read_only', 'offline'] as const

/** The names of the feature flags. Each is enabled unless a repository disables it. */
const flagNames: ReadonlyMap<number, string> = new Map([
  [3, 'move_node'],
  [4, 'create_tag'],
  [5, 'delete_tag'],
])

/**
 * Maximum number of feature flags that a repository may name. Today there are three; a hostile list can have millions.
 */
const maxFlags = 1_000

export function readStatus(table: Table | undefined, allowance: Allowance): RepositoryStatus {
  if (table === undefined) throw allowance.damage('it has no status')
  return {
    availability: availabilities[table.readU8(0)] ?? 'unknown',
    since: readTime(table, 1, allowance),
    reason: table.readText(2) ?? null,
  }
}

export function readRepositoryMetadata(root: Table, allowance: Allowance): CommitMetadata {
  return allowance.limitCommit(() => readCommitMetadata(root.readTables(6), 2, allowance))
}

export function readFeatureFlags(root: Table, allowance: Allowance): FeatureFlag[] {
  const enabled = root.readU16s(10, maxFlags + 1)
  const disabledIds = root.readU16s(11, maxFlags + 1)
  if (enabled.length + disabledIds.length > maxFlags)
    throw allowance.damage(`it names more than ${maxFlags} feature flags`)
  const disabled = new Set(disabledIds)
  const ids = new Set([...flagNames.keys(), ...enabled, ...disabled])
  return [...ids]
    .sort((a, b) => a - b)
    .map((id) => ({ id, name: flagNames.get(id) ?? null, isEnabled: !disabled.has(id) }))
}

/** The kinds of stores, by their names in the configuration of a repository. */
const storeKinds: ReadonlyMap<string, VirtualContainer['store']> = new Map([
  ['s3', 's3'],
  ['s3_compatible', 's3'],
  ['tigris', 's3'],
  ['gcs', 'gcs'],
  ['azure', 'azure'],
  ['http', 'http'],
  ['local_file_system', 'local'],
])

/**
 * Reads `virtual_chunk_containers` of the configuration: an object of `{ url_prefix, store: { KIND: OPTIONS } }`.
 * Leaves out stores of kinds that a later version of the format added.
 */
export function readVirtualContainers(root: Table, allowance: Allowance): VirtualContainer[] {
  const config = allowance.limitCommit(() => {
    const bytes = root.readBlob(9)
    return bytes && decodeFlexBuffer(bytes, allowance)
  })
  const containers = getMember(config, 'virtual_chunk_containers')
  if (!isJsonObject(containers)) return []
  return [...containers.values()].flatMap((container) => {
    const urlPrefix = getMember(container, 'url_prefix')
    const store = getMember(container, 'store')
    if (typeof urlPrefix !== 'string' || !isJsonObject(store)) return []
    const [name = '', options] = [...store][0] ?? []
    const kind = storeKinds.get(name)
    return kind ? [{ urlPrefix, store: kind, isAnonymous: getMember(options, 'anonymous') === true }] : []
  })
}

function getMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value.get(name) : undefined
}
