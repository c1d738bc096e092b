import { openRepository } from '@floe/storage/icechunk'
import { t } from 'tap'
import { toRequestProblem } from '../../../server/http/errors/to-request-problem.ts'
import { makeMoodyStore } from '../catalog/moody-store.ts'

t.test('reads that take too long together are answered with store-timeout', async (t) => {
  const read = openRepository(makeMoodyStore(['weather'], { is: 'hanging' })).readState(AbortSignal.timeout(1))
  const problem = toRequestProblem(await read.catch((error: unknown) => error))
  t.match(problem, { code: 'store-timeout', message: 'all reads together took longer than 30 s' })
})
