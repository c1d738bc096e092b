// Topics of Google Pub/Sub (https://docs.cloud.google.com/pubsub/docs/reference/rest/v1/projects.topics/publish).
import { type BrokerKind, explainUrl } from './broker-kind.ts'

const topicPath = /^\/v1\/projects\/[a-z0-9.:-]{1,100}\/topics\/[\w.~%+-]{3,255}:publish$/

/** Google Pub/Sub: the URL is that of the method which publishes to the topic. */
export const pubsub: BrokerKind = {
  cloud: 'google',
  service: 'pubsub',
  write: (url, { body, attributes, group }) => {
    if (!topicPath.test(url.pathname) || url.search + url.hash !== '')
      throw explainUrl('https://pubsub.googleapis.com/v1/projects/acme/topics/heads:publish')
    const message = { data: Buffer.from(body).toString('base64'), attributes, orderingKey: group }
    return { url, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ messages: [message] }) }
  },
}
