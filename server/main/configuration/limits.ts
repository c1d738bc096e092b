// The limits that an operator can change. Fixed limits of the reader are in `storage/repositories/icechunk/limits.ts`.
import { defaultLimits, type ReaderLimits } from '@floe/storage/icechunk'
import { z } from 'zod'
import { defaultScanLimits } from '../../catalog/sources/scan-options.ts'
import { ByteSize } from './quantities.ts'

const Count = z.int().min(1)

/** Size of the events that wait to be sent to streams. At least one batch of one stream must fit. */
const StreamBytes = ByteSize.refine((bytes) => bytes >= 4 * 1024 ** 2, 'must be at least 4MiB')

/** Size of the answers that callers have not read yet. At least the largest answer must fit. */
const UnsentBytes = ByteSize.refine((bytes) => bytes >= 32 * 1024 ** 2, 'must be at least 32MiB')

/** The `limits` section: limits of callers and of repositories. */
export const Limits = z.strictObject({
  metadataPerMinute: Count.nullable().default(null),
  connections: Count.default(4_000),
  connectionsPerAddress: Count.default(1_000),
  streams: Count.default(1_000),
  streamsPerCaller: Count.default(100),
  streamBytes: StreamBytes.default(64 * 1024 ** 2),
  unsentBytes: UnsentBytes.default(256 * 1024 ** 2),
  unsentBytesPerAddress: UnsentBytes.default(64 * 1024 ** 2),
  maxObjectBytes: ByteSize.default(defaultLimits.maxObjectBytes),
  maxSnapshotBytes: ByteSize.default(defaultLimits.maxInflatedBytes),
  maxNodes: Count.default(defaultLimits.maxNodes),
  maxRefs: Count.default(defaultLimits.maxRefs),
  maxDiffCommits: Count.default(defaultLimits.maxRangeCommits),
  maxScanned: Count.default(defaultScanLimits.maxScanned),
})
export type Limits = z.output<typeof Limits>

/** Makes the limits for reading repositories from the configuration and the reader's defaults. */
export function makeReaderLimits({
  maxObjectBytes,
  maxSnapshotBytes: maxInflatedBytes,
  maxNodes,
  maxRefs,
  maxDiffCommits: maxRangeCommits,
}: Limits): ReaderLimits {
  return { ...defaultLimits, maxObjectBytes, maxInflatedBytes, maxNodes, maxRefs, maxRangeCommits }
}
