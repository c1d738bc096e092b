import { t } from 'tap'
import { answerQuestion } from '../../../server/reading/questions/answer-question.ts'
import type { Question } from '../../../server/reading/questions/question.ts'
import { decodeSnapshot, defaultLimits } from '../../../storage/repositories/icechunk/index.ts'
import type { Cancellation } from '../../../storage/repositories/json/index.ts'
import { buildId, buildNode, buildSnapshot } from '../../storage/repositories/icechunk/build-object.ts'
import { writeArray } from './hostile-documents.ts'

const dict: Question<'dict'> = { kind: 'dict', group: '' }

/** Lets a computation check for a cancellation a number of times, and then cancels it. */
class CountedChecks implements Cancellation {
  count = 0
  readonly #allowed: number

  constructor(allowed = Infinity) {
    this.#allowed = allowed
  }

  throwIfAborted(): void {
    if (++this.count > this.#allowed) throw new Error('cancelled')
  }
}

function build(attributes: string, arrays = 1) {
  const group = `{"zarr_format":3,"node_type":"group","attributes":${attributes}}`
  const nodes = [buildNode('/', 2, group)]
  for (let index = 0; index < arrays; index++) nodes.push(buildNode(`/a${index}`, 1, writeArray()))
  return { repository: 'memory', key: 'snapshots/1', bytes: buildSnapshot({ nodes }) }
}

async function answer(file: ReturnType<typeof build>, checks: CountedChecks) {
  const snapshot = await decodeSnapshot(file, buildId(1), defaultLimits, checks)
  return answerQuestion(snapshot, dict, checks)
}

async function countChecks(file: ReturnType<typeof build>): Promise<number> {
  const checks = new CountedChecks()
  await answer(file, checks)
  return checks.count
}

t.test('work on an answer ends at whichever check finds that all callers have left', async (t) => {
  const file = build('{"title":"a","coordinates":"a0 b"}', 2)
  const checks = await countChecks(file)
  for (let allowed = 0; allowed < checks; allowed++) {
    await t.rejects(answer(file, new CountedChecks(allowed)), { message: 'cancelled' })
  }
  t.ok(await answer(file, new CountedChecks(checks)))
})

t.test('the more there is to read or write, the more often it is checked', async (t) => {
  const few = await countChecks(build('{}'))
  const more = {
    nodes: build('{}', 100),
    values: build(`{"a":[1${',1'.repeat(10_000)}]}`),
    'names of coordinates': build(`{"coordinates":"${'a '.repeat(100)}"}`),
    'megabytes of text': build(`{"a":"${'ü'.repeat(1_000_000)}"}`),
  }
  for (const [what, file] of Object.entries(more)) t.ok((await countChecks(file)) >= few + 15, what)
})
