import { openRepository } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import t from 'tap'
import { RepositoryReading } from '../../../server/repositories/reading.ts'
import { countReads } from './count-reads.ts'
import { fixtures } from '../start-server.ts'

for (const name of ['weather', 'weather-v1']) {
  t.test(`${name}: an unknown ref is looked up once while it is remembered`, async (t) => {
    const { store, reads } = countReads(openLocalStore(fixtures).below(`${name}/`))
    let now = 0
    const reading = new RepositoryReading({ refMaxAgeMs: 1_000, elapsed: () => now })
    const repository = openRepository(store)
    const ask = () =>
      t.rejects(
        reading.answerAt(repository, 'nope', async () => 'found'),
        { name: 'RefNotFoundError' },
      )
    await Promise.all([ask(), ask()])
    const once = reads.length
    t.ok(once > 0)
    now = 999
    await ask()
    t.equal(reads.length, once)
    now = 1_000
    await ask()
    t.ok(reads.length > once, 'then it is looked up again')
  })
}
