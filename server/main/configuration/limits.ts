// The limits that an operator may change. `storage/icechunk/limits.ts` has the others.
import { defaultLimits, type ReaderLimits } from '@floe/storage/icechunk'
import { z } from 'zod'
import { defaultScanLimits } from '../../catalog/source-scan.ts'
import { ByteSize } from './quantities.ts'

const Count = z.int().min(1)

/** Most bytes that wait to be sent to streams of events. The minimum is one batch of one stream. */
const StreamBytes = ByteSize.refine((bytes) => bytes >= 4 * 1024 ** 2, 'must be at least 4MiB')

/** Most bytes of answers that wait to be read. The minimum is the largest answer. */
const UnsentBytes = ByteSize.refine((bytes) => bytes >= 32 * 1024 ** 2, 'must be at least 32MiB')

/** Limits of callers and of the repositories that are served. */
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
