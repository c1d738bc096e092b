import { hash } from 'node:crypto'
import { shardCount } from '@floe/storage/database'

/**
 * Chooses the shards of one replica among these by rendezvous hashing: each replica gets about as many, and when one comes or goes, only
 * its own shards change hands.
 */
export function chooseShards(id: string, replicas: readonly string[]): ReadonlySet<number> {
  const chosen = new Set<number>()
  for (let shard = 0; shard < shardCount; shard++) {
    const rank = (replica: string) => hash('sha256', `${shard} ${replica}`)
    const own = rank(id)
    if (replicas.every((replica) => rank(replica) <= own)) chosen.add(shard)
  }
  return chosen
}
