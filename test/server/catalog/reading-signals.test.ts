import { openRepository } from '@floe/storage/icechunk'
import { t } from 'tap'
import { makeReadingSignal } from '../../../server/catalog/reading-signals.ts'
import { toRequestProblem } from '../../../server/http/errors/to-request-problem.ts'
import { ManualTiming } from '../notifications/manual-timing.ts'
import { makeMoodyStore } from './moody-store.ts'

t.test('reads that take longer than 30 s together are answered with store-timeout', async (t) => {
  const timing = new ManualTiming()
  const signal = makeReadingSignal(timing.after)
  const read = openRepository(makeMoodyStore(['weather'], { is: 'hanging' })).readState(signal)
  const failure = read.catch((error: unknown) => error)
  await timing.pass(29_900)
  t.notOk(signal.aborted)
  await timing.pass(100)
  const problem = toRequestProblem(await failure)
  t.match(problem, { code: 'store-timeout', message: 'all reads together took longer than 30 s' })
})
