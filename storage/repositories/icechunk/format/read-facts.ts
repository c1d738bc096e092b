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
import { describeContainer, type VirtualContainer } from './repository/virtual-container.ts'
import { readCommitMetadata, readTime } from './repository/commit.ts'

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

/** Reads the virtual chunk containers of the configuration. */
export function readVirtualContainers(root: Table, allowance: Allowance): VirtualContainer[] {
  const config = allowance.limitCommit(() => {
    const bytes = root.readBlob(9)
    return bytes && decodeFlexBuffer(bytes, allowance)
  })
  const containers = getMember(config, 'virtual_chunk_containers')
  if (!isJsonObject(containers)) return []
  return [...containers.values()].flatMap((container) => {
    const store = getMember(container, 'store')
    const [kind = '', options] = isJsonObject(store) ? ([...store][0] ?? []) : []
    return describeContainer({
      name: getMember(container, 'name'),
      urlPrefix: getMember(container, 'url_prefix'),
      kind,
      region: getMember(options, 'region'),
      anonymous: getMember(options, 'anonymous'),
    })
  })
}

function getMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value.get(name) : undefined
}
