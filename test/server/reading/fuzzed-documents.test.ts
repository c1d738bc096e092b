import { t } from 'tap'
import { fuzzDocuments } from '../../../scripts/fuzz/documents.ts'

t.test('mutated documents end with an answer or a known refusal, within two seconds and 256 MiB', async (t) => {
  const { faults, outcomes } = await fuzzDocuments({ seed: 12, documents: 8000 }, (group, fault) => {
    t.comment(`group ${group}: ${fault}`)
  })
  t.strictSame(faults, [])
  for (const question of ['info', 'keys', 'dict', 'dataset-page', 'ref-page', 'datasets'])
    t.ok((outcomes.get(`${question}: answer`) ?? 0) > 400, `${question} is answered for many of them`)
  for (const verdict of ['breaking', 'identical'])
    t.ok((outcomes.get(`compatibility: ${verdict}`) ?? 0) > 400, `many are ${verdict} beside others`)
})
