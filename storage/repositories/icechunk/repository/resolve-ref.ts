// Resolves what an address calls a ref: a snapshot id, a branch or a tag, also at a time, as in `main@2026-11-18`.
import { NotATimeError, RefNotFoundError, TimeTooEarlyError } from '../errors.ts'
import type { SearchOptions } from '../history.ts'
import { parseTime, timeForms } from '../time.ts'
import type { ResolvedRef } from '../types.ts'
import type { RepositoryState } from './repository-state.ts'

/** As {@link Repository.resolve}, in one state of a repository. */
export async function resolveRef(state: RepositoryState, ref: string, options: SearchOptions): Promise<ResolvedRef> {
  try {
    // A ref may be called `main@2026-11-18` itself.
    return await state.resolve(ref, options.signal)
  } catch (error) {
    const end = ref.lastIndexOf('@')
    if (!(error instanceof RefNotFoundError) || end === -1) throw error
    return resolveAtTime(state, { name: ref.slice(0, end), time: ref.slice(end + 1) }, error, options)
  }
}

const notATime = `what follows the last "@" is not ${timeForms}`

/** @param unknown the error about the ref as a whole */
async function resolveAtTime(
  state: RepositoryState,
  { name, time }: { readonly name: string; readonly time: string },
  unknown: RefNotFoundError,
  options: SearchOptions,
): Promise<ResolvedRef> {
  const { repository, ref } = unknown
  const span = parseTime(time)
  const head = await resolveName(state, name, options.signal)
  if (span === undefined && head === undefined) throw unknown
  if (span === undefined) {
    const reason = time === 'good' ? 'only a service knows which heads are good' : notATime
    throw new NotATimeError(repository, ref, `${unknown.fault}, and ${reason}`)
  }
  if (head === undefined) throw new RefNotFoundError(repository, name)
  const commit = await state.findAtTime(head.snapshotId, span.last, options)
  const at = new Date(Number(span.first / 1000n))
  if (commit.kind === 'found') return { ...head, at, snapshotId: commit.snapshotId }
  const wanted = `no snapshot of ${JSON.stringify(name)} at or before ${at.toISOString()}`
  const fault = `${wanted}; its first one was written at ${commit.firstWrittenAt.toISOString()}`
  throw new TimeTooEarlyError(repository, ref, fault)
}

async function resolveName(
  state: RepositoryState,
  name: string,
  signal: AbortSignal,
): Promise<ResolvedRef | undefined> {
  try {
    return await state.resolve(name, signal)
  } catch (error) {
    if (error instanceof RefNotFoundError) return undefined
    throw error
  }
}
