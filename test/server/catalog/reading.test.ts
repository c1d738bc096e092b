import { openRepository, type Repository } from '@floe/storage/icechunk'
import { openLocalStore } from '@floe/storage/objects'
import { t } from 'tap'
import { RepositoryReading } from '../../../server/catalog/reading.ts'
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

t.test('callers cannot make it remember any number of refs, however many repositories there are', async (t) => {
  const { store, reads } = countReads(openLocalStore(fixtures).below('weather/'))
  const reading = new RepositoryReading({ refMaxAgeMs: 1_000, elapsed: () => 0 })
  const ask = (repository: Repository, ref: string) =>
    reading.answerAt(repository, ref, async () => undefined).catch((error: unknown) => error)
  const asked = openRepository(store)
  await ask(asked, 'nope')
  const others = Array.from({ length: 11 }, () => openRepository(openLocalStore(fixtures).below('weather/')))
  for (const other of others) {
    await Promise.all(Array.from({ length: 1_000 }, (_, index) => ask(other, `nope-${index}`)))
  }
  const before = reads.length
  await ask(asked, 'nope')
  t.ok(reads.length > before, 'the ref that was asked for longest ago is forgotten')
})
