import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { findMisfit } from '../../../scripts/mutants.ts'
import { mutations, postgresMutations } from '../../../scripts/simulate/mutations.ts'

const project = fileURLToPath(new URL('../../../', import.meta.url))

t.test('each mutation changes one place of the source', async (t) => {
  for (const [name, mutation] of Object.entries({ ...mutations, ...postgresMutations })) {
    const [, part, replacement] = mutation
    t.equal(await findMisfit(project, mutation), undefined, name)
    t.not(part, replacement, name)
  }
})
