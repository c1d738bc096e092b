// The program of a search thread. It has its own connection to the database, from which it only reads.
import { workerData } from 'node:worker_threads'
import { explainUnavailable, openSearchDatabase } from '@floe/storage/database'
import { answerCalls } from '../../reading/threads/thread-calls.ts'
import { answerSearch, type SearchTask } from './answer-search.ts'

/** A thread's reply: the body, or why the database has no answer now. */
export type SearchReply = Uint8Array<ArrayBuffer> | { readonly unavailable: string }

const { url } = workerData as { readonly url: string } // `Searcher` starts this file with it

const opening = openSearchDatabase(url)

answerCalls(async (task: SearchTask): Promise<SearchReply> => {
  try {
    return await answerSearch(await opening, task)
  } catch (error) {
    // An error that is sent to the main thread loses its code.
    const unavailable = explainUnavailable(error)
    if (unavailable === undefined) throw error
    return { unavailable }
  }
})
