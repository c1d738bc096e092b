import type { NameChanges } from '../../observation/state-log.ts'
import type { StorageTemplate } from '../published-storage.ts'
import type { Timing } from '../../timing.ts'
import type { ScanDepth } from './nested-names.ts'
import type { ScanQueues } from './scan-queues.ts'
import type { SharedScans } from './source-names.ts'

/**
 * A location in which a scan sees more directories and files than this is refused. Read at each scan, because it can
 * change.
 */
export type ScanLimits = { readonly maxScanned: number }

export const defaultScanLimits: ScanLimits = { maxScanned: 100_000 }

export type ScanOptions = {
  readonly org: string
  readonly timing: Pick<Timing, 'elapsed' | 'after'>
  /** Queues that this scan shares with others. By default, it has its own. */
  readonly queues?: ScanQueues | undefined
  readonly limits?: ScanLimits | undefined
  /** By default, repositories lie directly below the location. */
  readonly depth?: ScanDepth | undefined
  /** How readers open the repositories without Floe. By default, that is not published. */
  readonly published?: StorageTemplate | undefined
  /** What this scan shares with other replicas. By default, nothing. */
  readonly shared?: (SharedScans & { readonly sourceId: string }) | undefined
  /** Called with the names of repositories that were found or are gone. */
  readonly onChange?: (names: readonly string[]) => void
  /** Called after each scan with its error, undefined if it succeeded, and with what has changed since the last one. */
  readonly onEnd: (failure: unknown, changes: NameChanges) => void
}
