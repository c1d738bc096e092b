import { decodeSnapshot, defaultLimits } from '@floe/storage/icechunk'
import { t } from 'tap'
import { answerQuestion } from '../../../../server/reading/questions/answer-question.ts'
import { buildId, buildNode, buildSnapshot } from '../../../storage/repositories/icechunk/build-object.ts'
import { writeArray } from '../hostile-documents.ts'

t.test('a dataset with very many dimensions lists the first and their number, so that its page is small', async (t) => {
  const rank = 50_000
  const list = (write: (axis: number) => string) => `[${Array.from({ length: rank }, (_, axis) => write(axis)).join()}]`
  const array = writeArray({
    shape: list(() => '1'),
    chunk_grid: `{"name":"regular","configuration":{"chunk_shape":${list(() => '1')}}}`,
    dimension_names: list((axis) => `"d${axis}"`),
  })
  const id = buildId(1)
  const root = buildNode('/', 2, '{"zarr_format":3,"node_type":"group","attributes":{}}')
  const bytes = buildSnapshot({ id, nodes: [root, buildNode('/a', 1, array)] })
  const snapshot = await decodeSnapshot({ repository: 'memory', key: `snapshots/${id}`, bytes }, id, defaultLimits)
  const answer = answerQuestion(snapshot, { kind: 'first-datasets' })
  t.ok(answer.length < 1_000)
  t.match(JSON.parse(answer.toString()), { datasets: [{ dimensionCount: rank, dimensions: { length: 12 } }] })
})
