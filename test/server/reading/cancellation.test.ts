import { t } from 'tap'
import { answerQuestion } from '../../../server/reading/answer-question.ts'
import type { Question } from '../../../server/reading/question.ts'
import { decodeSnapshot, defaultLimits } from '../../../storage/icechunk/index.ts'
import type { Cancellation } from '../../../storage/json/index.ts'
import { buildId, buildNode, buildSnapshot } from '../../storage/icechunk/build-object.ts'
import { writeArray } from './hostile-documents.ts'

const dict: Question<'dict'> = { kind: 'dict', group: '' }

/** Lets a computation look for a cancellation a number of times, and then cancels it. */
class Looks implements Cancellation {
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

async function answer(file: ReturnType<typeof build>, looks: Looks) {
  const snapshot = await decodeSnapshot(file, buildId(1), defaultLimits, looks)
  return answerQuestion(snapshot, dict, looks)
}

async function countLooks(file: ReturnType<typeof build>): Promise<number> {
  const looks = new Looks()
  await answer(file, looks)
  return looks.count
}

t.test('an answer is given up at whichever look finds that nobody waits', async (t) => {
  const file = build('{"title":"a","coordinates":"a0 b"}', 2)
  const looks = await countLooks(file)
  for (let allowed = 0; allowed < looks; allowed++) {
    await t.rejects(answer(file, new Looks(allowed)), { message: 'cancelled' })
  }
  t.ok(await answer(file, new Looks(looks)))
})

t.test('the more there is to read or write, the more often it looks', async (t) => {
  const few = await countLooks(build('{}'))
  const more = {
    nodes: build('{}', 100),
    values: build(`{"a":[1${',1'.repeat(10_000)}]}`),
    'names of coordinates': build(`{"coordinates":"${'a '.repeat(100)}"}`),
    'megabytes of text': build(`{"a":"${'ü'.repeat(1_000_000)}"}`),
  }
  for (const [what, file] of Object.entries(more)) t.ok((await countLooks(file)) >= few + 15, what)
})
