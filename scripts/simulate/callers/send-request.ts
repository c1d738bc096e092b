// The requests of administrators, through any replica.
import { machine } from '../machine/machine.ts'
import { administratorKey } from '../world/configuration.ts'
import type { SimulatedReplica } from '../world/replicas.ts'

/** A request that has no answer for this long, in milliseconds, is a fault. Pauses of replicas are shorter. */
const answerMs = 400_000

export type Answer = { readonly status: number; readonly body: unknown }

export type AskedService = {
  readonly replicas: readonly SimulatedReplica[]
  /** Whether nothing excuses a request that fails now. */
  readonly isCalm: () => boolean
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Sends a request to a replica. Returns undefined when its answer is lost with its process. */
export async function sendRequest(
  { replicas, isCalm }: AskedService,
  sender: string,
  method: Method,
  url: string,
  body?: object,
): Promise<Answer | undefined> {
  await machine.wait(machine.random.between(0.5, 50), 'network', sender)
  const { owner, app } = machine.random.choose(replicas)
  if (owner?.isAlive !== true || app === undefined) return undefined
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
  const lose = () => resolve(undefined)
  owner.atEnd.add(lose)
  const late = machine.plan(answerMs, 'network', () => machine.fault(`${method} ${url} is not answered`))
  const headers = { authorization: `Bearer ${administratorKey}` }
  const inject = async () => {
    const answer = await app.inject({ method, url, headers, ...(body && { payload: body }) })
    resolve({ status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() })
  }
  machine.as(owner, () => void inject().catch(lose))
  const answer = await promise
  owner.atEnd.delete(lose)
  late.isCancelled = true
  if (answer !== undefined && answer.status >= 500 && isCalm())
    machine.fault(`${method} ${url} is answered with ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}
