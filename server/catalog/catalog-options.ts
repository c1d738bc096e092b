import type { ReaderLimits } from '@floe/storage/icechunk'
import type { StateLog } from '../observation/state-log.ts'
import type { Timing } from '../timing.ts'
import type { EnsureIds } from './catalog-entry.ts'
import type { RecentRepositories } from './opened-repositories.ts'
import type { ScanLimits } from './sources/scan-options.ts'
import type { ScanQueues } from './sources/scan-queues.ts'
import type { SharedScans } from './sources/source-names.ts'

export type CatalogOptions = {
  readonly ensureIds: EnsureIds
  /** Limits of the repositories. Call {@link OpenedRepositories.forget} when they have changed. */
  readonly limits: ReaderLimits
  readonly scanLimits?: ScanLimits
  readonly timing: Pick<Timing, 'elapsed' | 'after'>
  /** How long a name that no repository has is cached, in milliseconds. Default 0. */
  readonly missMaxAgeMs?: number
  /** Queues of scans, which all catalogs of a process share. By default, each scan has its own. */
  readonly queues?: ScanQueues | undefined
  /** How replicas share scans. By default, this process scans all sources. */
  readonly shared?: SharedScans | undefined
  /** Recently requested repositories, which all catalogs of a process share. By default, each catalog has its own. */
  readonly recent?: RecentRepositories | undefined
  /** Logs failed scans, and the repositories that scans find or miss. */
  readonly states: StateLog
}
