// The limits of a process. Those of `floe.yaml` depend on the callers and the data of a service. The others protect its
// memory, whatever these are; fixed limits of the reader are in `storage/repositories/icechunk/limits.ts`.
import { defaultLimits, type ReaderLimits } from '@floe/storage/icechunk'
import { z } from 'zod'
import { defaultScanLimits } from '../../../catalog/sources/scan-options.ts'
import type { ConnectionLimits } from '../../../http/connections/limit-connections.ts'
import type { UnsentLimits } from '../../../http/connections/unsent-answers.ts'
import type { StreamLimits } from '../../../metadata/events/event-streams.ts'
import { ByteSize } from './quantities.ts'

const Count = z.int().min(1)

/** The `limits` section: limits of callers and of repositories. */
export const Limits = z.strictObject({
  metadataPerMinute: Count.nullable().default(null),
  streams: Count.default(1_000),
  streamsPerCaller: Count.default(100),
  maxObjectBytes: ByteSize.default(defaultLimits.maxObjectBytes),
  maxSnapshotBytes: ByteSize.default(defaultLimits.maxInflatedBytes),
  maxNodes: Count.default(defaultLimits.maxNodes),
  maxScanned: Count.default(defaultScanLimits.maxScanned),
})
export type Limits = z.output<typeof Limits>

/** The limits of the callers and scans of a process. */
export type ProcessLimits = Limits & ConnectionLimits & UnsentLimits & StreamLimits

const mebibyte = 1024 ** 2

/** Makes the limits of a process from the configuration. */
export function makeProcessLimits(limits: Limits): ProcessLimits {
  return {
    ...limits,
    // Each stream keeps its connection; this many are left for other requests.
    connections: 3_000 + limits.streams,
    // A few addresses cannot take all connections. Proxies, which connect for many callers, are exempt.
    connectionsPerAddress: 1_000,
    // A batch of the largest events, 2 MiB, fits many times.
    streamBytes: 64 * mebibyte,
    // The largest answer, 32 MiB, fits eight times, and of one address twice.
    unsentBytes: 256 * mebibyte,
    unsentBytesPerAddress: 64 * mebibyte,
  }
}

/** Makes the limits for reading repositories from the configuration and the reader's defaults. */
export function makeReaderLimits({
  maxObjectBytes,
  maxSnapshotBytes: maxInflatedBytes,
  maxNodes,
}: Limits): ReaderLimits {
  return { ...defaultLimits, maxObjectBytes, maxInflatedBytes, maxNodes }
}
