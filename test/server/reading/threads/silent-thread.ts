// A thread that never answers.
import { answerCalls } from '../../../../server/reading/threads/thread-calls.ts'

answerCalls(() => new Promise(() => {}))
