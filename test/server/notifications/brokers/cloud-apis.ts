// What the tests of brokers ask the clouds for: queues and topics, and the messages that arrive there.
import { openAws } from '../../../../server/notifications/brokers/authorize-aws.ts'

/** AWS accepts no other account in the URL of a queue than one of twelve digits; this is that of moto. */
export const account = '123456789012'

/** The secret key of nobody. */
export const secretKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'

/** Credentials that the SDK finds in the environment. */
export function setCredentials(): void {
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIDEXAMPLE'
  process.env['AWS_SECRET_ACCESS_KEY'] = secretKey
  process.env['AWS_REGION'] = 'us-east-1'
  // Nothing else on this machine has a say.
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true'
  for (const name of ['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE']) process.env[name] = '/dev/null'
}

type Json = Readonly<Record<string, unknown>>

/** Makes functions that call the services of AWS at one endpoint. */
export function openCloud(endpoint: string) {
  const authorize = openAws()
  const call = async (service: string, headers: Record<string, string>, body: string): Promise<string> => {
    const request = { url: new URL('/', endpoint), headers, body }
    const response = await fetch(request.url, {
      method: 'POST',
      headers: { ...(await authorize(request, service, Date.now())) },
      body,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${service} answered ${response.status}: ${text}`)
    return text
  }
  const callJson = async (service: string, target: string, body: Json) =>
    JSON.parse(
      await call(
        service,
        { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target },
        JSON.stringify(body),
      ),
    )
  const callSns = (form: Record<string, string>) =>
    call(
      'sns',
      { 'content-type': 'application/x-www-form-urlencoded' },
      String(new URLSearchParams({ ...form, Version: '2010-03-31' })),
    )
  return {
    /** Makes a queue, and returns its URL and its ARN. */
    makeQueue: async (name: string, isFifo = false) => {
      const Attributes = isFifo ? { FifoQueue: 'true' } : {}
      const { QueueUrl } = await callJson('sqs', 'AmazonSQS.CreateQueue', { QueueName: name, Attributes })
      return { url: String(QueueUrl), arn: `arn:aws:sqs:us-east-1:${account}:${name}` }
    },
    /** Receives this many messages of a queue. */
    receive: async (QueueUrl: string, count: number): Promise<readonly ReceivedMessage[]> => {
      const all = ['All']
      const wanted = { MaxNumberOfMessages: 10, AttributeNames: all, MessageAttributeNames: all, WaitTimeSeconds: 5 }
      const received: (ReceivedMessage & { readonly ReceiptHandle: string })[] = []
      while (received.length < count) {
        const { Messages = [] } = await callJson('sqs', 'AmazonSQS.ReceiveMessage', { QueueUrl, ...wanted })
        for (const { ReceiptHandle } of Messages)
          await callJson('sqs', 'AmazonSQS.DeleteMessage', { QueueUrl, ReceiptHandle })
        received.push(...Messages)
      }
      return received
    },
    /** Makes a topic whose messages go to a queue as they are, and returns its ARN. */
    makeTopic: async (name: string, queueArn: string, isFifo = false): Promise<string> => {
      const fifo = { 'Attributes.entry.1.key': 'FifoTopic', 'Attributes.entry.1.value': 'true' }
      await callSns({ Action: 'CreateTopic', Name: name, ...(isFifo && fifo) })
      const topic = `arn:aws:sns:us-east-1:${account}:${name}`
      const raw = { 'Attributes.entry.1.key': 'RawMessageDelivery', 'Attributes.entry.1.value': 'true' }
      await callSns({ Action: 'Subscribe', TopicArn: topic, Protocol: 'sqs', Endpoint: queueArn, ...raw })
      return topic
    },
    /** Makes a bus whose events from Floe go to a queue. */
    makeBus: async (name: string, queueArn: string): Promise<void> => {
      await callJson('events', 'AWSEvents.CreateEventBus', { Name: name })
      const EventPattern = JSON.stringify({ source: ['floe'] })
      await callJson('events', 'AWSEvents.PutRule', { Name: 'all', EventBusName: name, EventPattern })
      const Targets = [{ Id: 'queue', Arn: queueArn }]
      await callJson('events', 'AWSEvents.PutTargets', { Rule: 'all', EventBusName: name, Targets })
    },
  }
}

/** A message of a queue. */
export type ReceivedMessage = {
  readonly Body: string
  readonly Attributes: Readonly<Record<string, string>>
  readonly MessageAttributes?: Readonly<Record<string, { readonly StringValue: string }>>
}
