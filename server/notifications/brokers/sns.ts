// Topics of Amazon SNS (https://docs.aws.amazon.com/sns/latest/api/API_Publish.html).
import { type BrokerKind, explainUrl } from './broker-kind.ts'

const topicQuery = /^\?TopicArn=(arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}(\.fifo)?)$/

/** Amazon SNS: the query of the URL names the topic. */
export const sns: BrokerKind = {
  cloud: 'aws',
  service: 'sns',
  write: (url, { id, body, attributes, group }) => {
    const [, topic, fifo] = topicQuery.exec(url.search) ?? []
    if (topic === undefined || url.pathname !== '/' || url.hash !== '')
      throw explainUrl('https://sns.eu-west-1.amazonaws.com/?TopicArn=arn:aws:sns:eu-west-1:123456789012:heads.fifo')
    const form = new URLSearchParams({ Action: 'Publish', Version: '2010-03-31', TopicArn: topic, Message: body })
    for (const [index, [name, value]] of Object.entries(attributes).entries()) {
      const entry = `MessageAttributes.entry.${index + 1}`
      form.set(`${entry}.Name`, name)
      form.set(`${entry}.Value.DataType`, 'String')
      form.set(`${entry}.Value.StringValue`, value)
    }
    if (fifo !== undefined) {
      form.set('MessageGroupId', group)
      form.set('MessageDeduplicationId', id)
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    return { url: new URL('/', url), headers, body: String(form) }
  },
}
