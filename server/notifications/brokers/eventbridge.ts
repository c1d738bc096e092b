// Buses of Amazon EventBridge (https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html). An
// event of a bus is JSON without attributes, so it has no signature.
import { z } from 'zod'
import { type BrokerKind, explainUrl } from './broker-kind.ts'

const busQuery = /^\?EventBusName=((?:arn:aws[a-z-]*:events:[a-z0-9-]+:\d{12}:event-bus\/)?[\w./-]{1,256})$/

/** The answer has the status 200 also when an event was not taken. */
const Answer = z.object({ FailedEntryCount: z.literal(0) })

/** Amazon EventBridge: the query of the URL names the bus. */
export const eventbridge: BrokerKind = {
  cloud: 'aws',
  service: 'events',
  write: (url, { body, event }) => {
    const [, bus] = busQuery.exec(url.search) ?? []
    if (bus === undefined || url.pathname !== '/' || url.hash !== '')
      throw explainUrl('https://events.eu-west-1.amazonaws.com/?EventBusName=heads')
    const entry = { Source: 'floe', DetailType: event, Detail: body, EventBusName: bus }
    return {
      url: new URL('/', url),
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSEvents.PutEvents' },
      body: JSON.stringify({ Entries: [entry] }),
    }
  },
  isRefusal: (answer) => {
    try {
      return !Answer.safeParse(JSON.parse(answer)).success
    } catch {
      // Whatever took the event, it was no bus.
      return true
    }
  },
}
