import { shardCount } from '@floe/storage/database'
import { t } from 'tap'
import { chooseShards } from '../../../server/replicas/choose-shards.ts'

const replicas = ['a', 'b', 'c', 'd']

function assign(replicas: readonly string[]): string[] {
  const holders: string[] = []
  for (const id of replicas) for (const shard of chooseShards(id, replicas)) holders[shard] = id
  return holders
}

t.test('each shard has one replica, and each replica about as many shards', async (t) => {
  const sizes = replicas.map((id) => chooseShards(id, replicas).size)
  t.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    shardCount,
  )
  t.equal(Object.keys(assign(replicas)).length, shardCount)
  t.ok(
    sizes.every((size) => size > shardCount / 8 && size < shardCount / 2),
    sizes.join(),
  )
})

t.test('when a replica goes, only its shards change hands', async (t) => {
  const [before, after] = [assign(replicas), assign(replicas.slice(1))]
  t.ok(before.every((holder, shard) => holder === 'a' || holder === after[shard]))
})
