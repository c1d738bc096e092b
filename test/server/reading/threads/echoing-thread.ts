// The program of a thread that answers a task with the id of its snapshot, and tells when the answer has been sent.
import { workerData } from 'node:worker_threads'
import { answerCalls } from '../../../../server/reading/threads/thread-calls.ts'

const answers = workerData as Int32Array // `thread-calls.test.ts` starts this file with it

answerCalls((task: { readonly id: unknown }) => {
  // Runs after the answer was sent.
  setImmediate(() => {
    Atomics.add(answers, 0, 1)
    Atomics.notify(answers, 0)
  })
  return task.id
})
