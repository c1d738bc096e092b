// Redeliveries, which the schedule of a delivery does not count.
import { machine } from '../../machine/machine.ts'
import type { Arrival } from '../../world/receivers.ts'
import { type Answer, type AskedService, sendRequest } from '../../callers/send-request.ts'
import type { Exchanges } from './exchanges.ts'

/** Asks for a delivery whose retry is planned, until a replica has taken the request. */
export async function redeliver(
  service: AskedService,
  exchanges: Exchanges,
  { queue, id }: Pick<Arrival, 'queue' | 'id'>,
): Promise<void> {
  exchanges.noteRedelivery(queue, id)
  let answer: Answer | undefined
  while (answer === undefined)
    answer = await sendRequest(service, 'administrator', 'POST', `/v1/orgs/acme/deliveries/${id}/redeliver`)
  if (answer.status !== 202) machine.fault(`${queue}: the request for ${id} is answered with ${answer.status}`)
}
