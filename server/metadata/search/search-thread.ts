// The program of a search thread. It has its own connection to the database, from which it only reads.
import { workerData } from 'node:worker_threads'
import { type Database, explainUnavailable, openSearchDatabase } from '@floe/storage/database'
import { SharedSignal } from '../../reading/threads/shared-signal.ts'
import { answerCalls } from '../../reading/threads/thread-calls.ts'
import { answerSearch, type SearchTask } from './answer-search.ts'

/** A search, and the memory of the signal that ends it. */
export type ThreadTask = SearchTask & { readonly cancellation: SharedArrayBuffer }

/** A thread's reply: the body, or why the database has no answer now. */
export type SearchReply = Uint8Array<ArrayBuffer> | { readonly unavailable: string }

const { url } = workerData as { readonly url: string } // `Searcher` starts this file with it

let db: Database | undefined

answerCalls(async ({ cancellation, ...task }: ThreadTask): Promise<SearchReply> => {
  try {
    // During a call, which can report an error.
    db ??= await openSearchDatabase(url)
    return await answerSearch(db, task, new SharedSignal(cancellation))
  } catch (error) {
    // An error that is sent to the main thread loses its code.
    const unavailable = explainUnavailable(error)
    if (unavailable === undefined) throw error
    return { unavailable }
  }
})
