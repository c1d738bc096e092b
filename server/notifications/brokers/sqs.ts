// Queues of Amazon SQS (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html).
import { type BrokerKind, explainUrl } from './broker-kind.ts'

const queuePath = /^\/\d{12}\/[\w-]{1,80}(\.fifo)?$/

/** Amazon SQS: the URL is that of the queue. */
export const sqs: BrokerKind = {
  cloud: 'aws',
  service: 'sqs',
  write: (url, { id, body, attributes, group }) => {
    const queue = queuePath.exec(url.pathname)
    if (queue === null || url.search + url.hash !== '')
      throw explainUrl('https://sqs.eu-west-1.amazonaws.com/123456789012/heads.fifo')
    const isFifo = queue[1] !== undefined
    const values = Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }])
    return {
      url: new URL('/', url),
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
      body: JSON.stringify({
        QueueUrl: url.href,
        MessageBody: body,
        MessageAttributes: Object.fromEntries(values),
        ...(isFifo && { MessageGroupId: group, MessageDeduplicationId: id }),
      }),
    }
  },
}
