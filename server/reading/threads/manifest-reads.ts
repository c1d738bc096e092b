// Reads the manifests that questions need, and asks again with them.
import type { AskedFiles, ManifestId, Repository } from '@floe/storage/icechunk'
import { ObjectStoreError } from '@floe/storage/objects'
import { FairQueue } from '@floe/storage/waiting'
import type { ManifestFault } from '../manifests/snapshot-manifests.ts'
import { toReadingProblem } from '../../problems/reading-problem.ts'
import type { LoadedManifest, ManifestCache } from '../manifests/manifest-cache.ts'
import { markPassing } from '../manifests/passing-answers.ts'
import { type AttachedManifests, QuestionManifests } from '../manifests/question-manifests.ts'
import type { AnyAnswer } from '../questions/question.ts'
import type { ReaderOptions } from './reader.ts'
import type { NeedsManifests } from './reader-messages.ts'
import { limitWait, requireInTime } from './refuse-question.ts'

/**
 * Maximum number of questions whose manifests are read or in memory. Those of one can have 48 MiB, besides what is
 * cached. An organisation can have half of what the others leave, so slow stores do not stop the others.
 */
const maxQuestions = 8

/** How often a question is asked. After the first time, it has the manifests that it needed before. */
const maxTimes = 3

/** A repository, and the organisation whose share its questions take. */
export type AskedRepository = { readonly org: string; readonly repository: Repository }

/** A manifest, and the files of virtual chunks that are listed of it. */
export type WantedManifest = { readonly id: ManifestId; readonly files: AskedFiles | undefined }

/** Asks a question with manifests, or says which others it needs, and which files are listed of them. */
type Asking = {
  readonly ask: (manifests: AttachedManifests) => Promise<AnyAnswer | NeedsManifests>
  readonly files: AskedFiles | undefined
}

/** Reads a manifest, and has it decoded by a thread. */
type Load = (asked: AskedRepository, wanted: WantedManifest, signal: AbortSignal) => Promise<LoadedManifest>

/** Reads manifests for questions. */
export class ManifestReads {
  readonly #cache: ManifestCache
  readonly #options: ReaderOptions
  readonly #load: Load
  readonly #questions = new FairQueue(maxQuestions)

  constructor(cache: ManifestCache, options: ReaderOptions, load: Load) {
    this.#cache = cache
    this.#options = options
    this.#load = load
  }

  /**
   * Asks a question with the manifests that it needs.
   *
   * @throws ObjectStoreError
   */
  async answer(asked: AskedRepository, asking: Asking, signal: AbortSignal): Promise<AnyAnswer> {
    const first = await asking.ask(new Map())
    if (!needsManifests(first)) return first
    const limit = limitWait(this.#options, signal)
    const answer = async () => {
      requireInTime(this.#options, limit)
      return this.#answerAgain(asked, first, asking, signal)
    }
    return this.#questions.run(asked.org, answer, signal)
  }

  async #answerAgain(
    asked: AskedRepository,
    first: NeedsManifests,
    { ask, files }: Asking,
    signal: AbortSignal,
  ): Promise<AnyAnswer> {
    const manifests = new QuestionManifests()
    let reply: AnyAnswer | NeedsManifests = first
    for (let time = 2; time <= maxTimes; time++) {
      const { ids, areBeside } = reply
      await manifests.read(ids, (id) => {
        const reading = this.#read(asked, { id, files }, signal)
        return areBeside ? reading.catch(doWithout) : reading
      })
      reply = await ask(manifests.attached)
      if (needsManifests(reply)) continue
      if (manifests.canPass) markPassing(reply)
      return reply
    }
    throw new TypeError(`a question still needs manifests after it was asked ${maxTimes} times`)
  }

  #read(asked: AskedRepository, wanted: WantedManifest, signal: AbortSignal): Promise<LoadedManifest> {
    // Files are large, and few questions list the same ones, so they are not cached.
    if (wanted.files !== undefined) return this.#load(asked, wanted, signal)
    return this.#cache.read(asked.repository, wanted.id, (signal) => this.#load(asked, wanted, signal), signal)
  }
}

/** Takes a manifest as missing that the store does not return now. */
function doWithout(error: unknown): LoadedManifest {
  if (error instanceof ObjectStoreError) return { content: 'manifest_missing', storedBytes: 0 }
  throw error
}

/** The faults of manifests, by the problems that they would be if they were snapshots. */
const faults: Readonly<Record<string, ManifestFault>> = {
  'snapshot-gone': 'manifest_missing',
  'damaged-repository': 'manifest_damaged',
  'unsupported-format': 'manifest_damaged',
  'repository-too-large': 'manifest_too_large',
}

/** Returns the fault of a manifest that could not be read; undefined if it is not to blame. */
export function toManifestFault(error: unknown): ManifestFault | undefined {
  const problem = toReadingProblem(error)
  return problem && faults[problem.code]
}

function needsManifests(reply: AnyAnswer | NeedsManifests): reply is NeedsManifests {
  return 'state' in reply
}
