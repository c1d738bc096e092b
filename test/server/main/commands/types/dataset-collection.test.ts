import { t } from 'tap'
import { DatasetCollection } from '../../../../../server/main/commands/types/dataset-collection.ts'

const name = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`)
const named = (count: number) => Object.fromEntries(name(count).map((each) => [each, {}]))

t.test(
  'a module has a limited number of repositories, datasets and variables, and the error names the limit',
  async (t) => {
    const collection = new DatasetCollection()
    collection.checkRepositories(name(1_000))
    t.throws(() => collection.checkRepositories(name(1_001)), { message: /more than 1,000 repositories/ })
    for (const group of name(10_000)) collection.add('r', 'main', group, {})
    t.throws(() => collection.add('r', 'main', 'last', {}), { message: /more than 10,000 datasets/ })
    const large = new DatasetCollection()
    const variables = named(10_000)
    for (const group of name(25)) large.add('r', 'main', group, { variables })
    t.throws(() => large.add('r', 'main', 'last', { variables: named(1) }), { message: /more than 250,000 variables/ })
  },
)

t.test('a dataset has at most what a contract can have', async (t) => {
  const collection = new DatasetCollection()
  t.throws(() => collection.add('r', 'main', 'g', { variables: named(10_001) }), {
    message: 'r main g has more than 10,000 variables, the most that a contract can have',
  })
  t.throws(() => collection.add('r', 'main', 'g', { dimensions: named(10_001) }), {
    message: /more than 10,000 dimensions/,
  })
})
