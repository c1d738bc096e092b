// A thread that answers every task that brings files, and saves nothing: it throws what it was to save, as JSON.
import { answerCalls } from '../../../server/readers/thread-calls.ts'

answerCalls((call) => {
  if (call.kind === 'save') throw new Error(JSON.stringify(call.snapshot))
  if (call.kind === 'warm-up') return undefined
  return call.task.files.length === 0 ? { state: 'needs-files' } : new Uint8Array(1)
})
