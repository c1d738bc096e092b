import { countKnownContainers, listContainers, recordContainers, unreadableContainers } from '@floe/storage/database'
import { t } from 'tap'
import { testOnEngines } from '../engines.ts'
import { at, moveHead } from '../recorded.ts'
import { rememberRepository } from '../remember-repository.ts'

const test = await testOnEngines(t)

test('declared containers are listed some at a time, by the bytes of the names', async (t, { db }) => {
  const recorded = {
    Z: '[{}]',
    a: '[{}]',
    none: '[]',
    unreadable: unreadableContainers,
    unread: null,
    é: '[{}]',
    z: '[{},{}]',
  }
  const names = Object.keys(recorded)
  for (const [name, containers] of Object.entries(recorded)) {
    const id = await rememberRepository(db, 'acme', name, at(1))
    await moveHead(db, id, ['A'], at(1))
    if (containers !== null) await recordContainers(db, id, containers)
  }
  const list = async (after: string, limit: number, of = names) =>
    (await listContainers(db, 'acme', { names: of, after, limit })).map(({ name }) => name)
  t.strictSame(await list('', 2), ['Z', 'a'])
  t.strictSame(await list('a', 2), ['z', 'é'])
  t.strictSame(await list('é', 2), [])
  t.strictSame(await list('b', 9), ['z', 'é'])
  t.strictSame(await list('', 9, ['z', 'none', 'other']), ['z'])
  t.strictSame(await listContainers(db, 'acme', { names, after: 'a', limit: 1 }), [
    { name: 'z', containers: '[{},{}]' },
  ])
  t.equal(await countKnownContainers(db, 'acme', names), 5)
  t.equal(await countKnownContainers(db, 'beta', names), 0)
})
