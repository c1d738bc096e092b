// Asks a reader thread what a head move has changed.
import { type ChangeVerdict, type NotComparedReason, SentChangedPaths, SentSchemaChanged } from '@floe/contract'
import type { Head, MoveChanges, MoveQuestions } from '@floe/storage/database'
import { parseSnapshotId, type RepositoryState, type SnapshotId } from '@floe/storage/icechunk'
import { readJsonBytes } from '@floe/storage/json'
import type { CatalogEntry } from '../../../../catalog/catalog-entry.ts'
import { writeMetadata } from '../../../../groups/repository-metadata.ts'
import { toReadingProblem } from '../../../../problems/reading-problem.ts'
import type { SchemaChangeSummary } from '../../../../reading/compatibility/summarize-changes.ts'
import type { Answers, Question } from '../../../../reading/questions/question.ts'
import type { CheckParts } from '../check-parts.ts'
import { matchSearches } from './match-searches.ts'

type AskedMove = {
  readonly repository: Pick<CatalogEntry, 'org' | 'name' | 'repository'>
  readonly state: RepositoryState
  readonly previous: Pick<Head, 'snapshotId'> | null
  readonly snapshotId: SnapshotId
}

/** What a move means for readers; the reason why that is unknown if the datasets were not compared. */
export type MoveMeaning = (SchemaChangeSummary & { readonly verdict: ChangeVerdict }) | NotComparedReason

type MoveAnswers = {
  /** Undefined if nobody asked. */
  readonly changes: MoveChanges | undefined
  /** Undefined if nobody wants to know the verdict. */
  readonly meaning: MoveMeaning | undefined
}

/** Longest time to find out what a move changed, in milliseconds. The move is recorded afterwards. */
const limitMs = 10_000

/** A head move whose changed paths are unknown goes to receivers with any patterns. */
const unknownPaths: Omit<MoveChanges, 'found'> = { text: 'null', matches: new Map() }

/**
 * Answers what receivers and streams ask about a head move. What is not known in time is unknown.
 *
 * @throws the reason of the signal
 */
export async function askAboutMove(
  { readers, timing, onError }: Pick<CheckParts, 'readers' | 'timing' | 'onError'>,
  { repository: { org, name, repository }, state, previous, snapshotId }: AskedMove,
  questions: MoveQuestions,
  signal: AbortSignal,
): Promise<MoveAnswers> {
  const from = previous === null ? undefined : parseSnapshotId(previous.snapshotId)
  if (from === undefined) return { changes: { ...unknownPaths, found: new Map() }, meaning: undefined }
  const limit = new AbortController()
  const cancelLimit = timing.after(limitMs, () => limit.abort(new Error('the changes took too long to find')))
  const ask = <Asked extends Question>(question: Asked) =>
    readers.ask({ org, repository }, snapshotId, question, AbortSignal.any([signal, limit.signal]))
  // A snapshot may have expired, or the range may be too long. The head itself was read, and is recorded in any case.
  const note = (error: unknown) => {
    signal.throwIfAborted()
    if (!limit.signal.aborted && toReadingProblem(error) === undefined) onError(error)
  }
  try {
    const paths = await findPaths(questions, (filters) => ask({ kind: 'changed-paths', from, filters }), note)
    const searched = { kind: 'search-matches' as const, from, repo: name, metadata: writeMetadata(state) }
    const found = await matchSearches(questions, (searches) => ask({ ...searched, searches }), note)
    const meaning = await judge(questions, () => ask({ kind: 'schema-change', from }), note, limit.signal)
    const isAsked = paths !== undefined || questions.searches.size > 0
    return { changes: isAsked ? { ...unknownPaths, ...paths, found } : undefined, meaning }
  } finally {
    cancelLimit()
  }
}

async function findPaths(
  { paths, wantsChanges }: MoveQuestions,
  ask: (filters: Question<'changed-paths'>['filters']) => Promise<Answers['changed-paths']>,
  note: (error: unknown) => void,
): Promise<Omit<MoveChanges, 'found'> | undefined> {
  if (paths.size === 0 && !wantsChanges) return undefined
  try {
    const { matches, changes } = readJsonBytes(await ask([...paths.values()]))
    return {
      text: wantsChanges && changes !== null ? JSON.stringify(SentChangedPaths.parse(changes)) : 'null',
      matches: new Map([...paths.keys()].map((text, index) => [text, matches[index] ?? true])),
    }
  } catch (error) {
    note(error)
    return unknownPaths
  }
}

/** Returns what the move means for readers if somebody wants that verdict. */
async function judge(
  { verdicts }: MoveQuestions,
  ask: () => Promise<Answers['schema-change']>,
  note: (error: unknown) => void,
  limit: AbortSignal,
): Promise<MoveMeaning | undefined> {
  if (verdicts.size === 0) return undefined
  try {
    const summary = readJsonBytes(await ask())
    const { verdict } = summary
    if (verdict === 'identical' || !verdicts.has(verdict)) return undefined
    // The list is sent as it is. An invalid one must fail here, where a failure makes the verdict unknown.
    SentSchemaChanged.shape.details.shape.changes.parse(JSON.parse(summary.changes))
    return { ...summary, verdict }
  } catch (error) {
    note(error)
    return verdicts.has('unknown') ? explain(error, limit) : undefined
  }
}

function explain(error: unknown, limit: AbortSignal): NotComparedReason {
  const code = toReadingProblem(error)?.code
  if (limit.aborted || code === 'unavailable') return 'timeout'
  return code === 'repository-too-large' || code === 'range-too-long' ? 'too_large' : 'unreadable'
}
