import { type ObjectStore, sortUtf8 } from '@floe/storage/objects'
import { systemTiming } from '../../timing.ts'
import type { ScanDepth } from './nested-names.ts'
import type { ScanLimits } from './scan-options.ts'
import { SourceScan } from './source-scan.ts'

/** A repository found in a location. */
type FoundRepository = { readonly name: string; readonly store: ObjectStore }

/**
 * Finds the repositories below a location, sorted by the UTF-8 bytes of their names. Takes as many scans as are needed.
 *
 * @throws the error of a scan that fails; the reason of the signal if it aborts
 */
export async function findRepositories(
  root: ObjectStore,
  { depth, limits }: { readonly depth?: ScanDepth | undefined; readonly limits: ScanLimits },
  signal: AbortSignal,
): Promise<readonly FoundRepository[]> {
  // The organisation matters only to scans that share their queues.
  const scan = new SourceScan(root, { org: '', timing: systemTiming, depth, limits, onEnd: () => {} })
  signal.addEventListener('abort', () => scan.close(), { once: true })
  do await scan.refresh()
  while (scan.isPartial && !signal.aborted)
  signal.throwIfAborted()
  if (scan.failure !== undefined) throw scan.failure
  return sortUtf8([...scan.names]).map((name) => ({ name, store: scan.open(name) }))
}
