// Callers who read while repositories change. Their answers must be true, and what they read must not delay the checks.
import { RepositorySummary } from '@floe/contract'
import { buildId } from '../../../test/storage/repositories/icechunk/build-object.ts'
import { machine } from '../machine/machine.ts'
import type { SimulatedRepository } from '../world/repositories.ts'
import { type AskedService, sendRequest } from './send-request.ts'

/** How far an answer may lag behind a branch, in milliseconds: the usual `cache.refMaxAge`. */
const maxLagMs = 1_000

/** Asks a replica for a repository, and checks the head that it answers. Call it at any time. */
export async function readRepository(service: AskedService, repository: SimulatedRepository): Promise<void> {
  const { name } = repository
  const isCalm = () => service.isCalm() && !repository.wasDamaged(machine.now, machine.now)
  const wasCalm = isCalm()
  const since = machine.clock - maxLagMs
  const url = `/v1/services/simulation/acme/_meta/repositories/${name}`
  const answer = await sendRequest({ ...service, isCalm }, 'reader', 'GET', url)
  if (answer?.status !== 200 || !wasCalm || !isCalm()) return
  const { branches } = RepositorySummary.parse(answer.body)
  const main = branches.find((branch) => branch.name === 'main')?.snapshot_id
  const moves = repository.changes.get('branch main') ?? []
  const first = moves.findLastIndex(({ clock }) => clock <= since)
  const heads = moves.slice(Math.max(0, first)).map(({ commit = 0 }) => String(buildId(commit)))
  if (main === undefined || !heads.includes(main))
    machine.fault(`a reader of ${name} gets ${main}, which is none of ${heads.join()}`)
}
