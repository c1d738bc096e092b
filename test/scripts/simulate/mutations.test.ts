import { readFile } from 'node:fs/promises'
import { t } from 'tap'
import { mutations, postgresMutations } from '../../../scripts/simulate/mutations.ts'

t.test('each mutation changes one place of the source', async (t) => {
  for (const [name, [file, part, replacement]] of Object.entries({ ...mutations, ...postgresMutations })) {
    const source = await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')
    t.equal(source.split(part).length - 1, 1, name)
    t.not(part, replacement, name)
  }
})
