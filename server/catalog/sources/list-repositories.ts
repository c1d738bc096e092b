import { type ObjectStore, sortUtf8 } from '@floe/storage/objects'
import { systemTiming } from '../../timing.ts'
import type { ScanLimits } from './scan-options.ts'
import { SourceScan } from './source-scan.ts'

/**
 * Lists the names of the repositories directly below a location, sorted by UTF-8 bytes. Takes as many scans as are
 * needed.
 *
 * @throws the error of a scan that fails; the reason of the signal if it aborts
 */
export async function listRepositories(
  root: ObjectStore,
  limits: ScanLimits,
  signal: AbortSignal,
): Promise<readonly string[]> {
  // The organisation matters only to scans that share their queues.
  const scan = new SourceScan(root, { org: '', timing: systemTiming, limits, onEnd: () => {} })
  signal.addEventListener('abort', () => scan.close(), { once: true })
  do await scan.refresh()
  while (scan.isPartial && !signal.aborted)
  signal.throwIfAborted()
  if (scan.failure !== undefined) throw scan.failure
  return sortUtf8([...scan.names])
}
