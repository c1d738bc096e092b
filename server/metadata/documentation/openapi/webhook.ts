// The requests that webhooks receive, as the OpenAPI document describes them.
import { mediaTypes, NewCommit, notificationHeaders as names } from '@floe/contract'
import type { ComponentSchemas } from './component-schemas.ts'
import { addExamples } from './describe-response.ts'

/** All headers of a notification except the content type, which OpenAPI describes with the body. */
type WebhookHeader = (typeof names)[Exclude<keyof typeof names, 'contentType'>]

type Header = { readonly description: string; readonly example: string; readonly isOptional?: true }

const headers: Readonly<Record<WebhookHeader, Header>> = {
  [names.id]: {
    description:
      'Id of the delivery, the same in every attempt. A receiver can ignore an id that it has already handled.',
    example: '0198c0de-0000-7000-8000-000000000001',
  },
  [names.timestamp]: {
    description: 'When this attempt was sent, in seconds since 1970. The signature covers it.',
    example: '1795262400',
  },
  [names.signature]: {
    description:
      'One signature for each valid signing secret, separated by spaces: `v1,` and the base64 of the HMAC-SHA256 of ' +
      `\`{${names.id}}.{${names.timestamp}}.{body}\`, as https://www.standardwebhooks.com describes.`,
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
  [names.sequence]: {
    description:
      'Number of this head move of the branch. It only increases, but can skip numbers. Use it, not a time, to order ' +
      'notifications.',
    example: '2',
  },
  [names.attempt]: { description: 'Number of this attempt of the delivery, counted from 1.', example: '1' },
  [names.replayOf]: {
    description: 'Id of the former delivery, in a replay with new ids; absent from all other requests.',
    example: '0198c0de-0000-7000-8000-000000000000',
    isOptional: true,
  },
  [names.test]: {
    description: '`true` for a test that an administrator sent; absent from all other requests.',
    example: 'true',
    isOptional: true,
  },
  [names.secretToken]: {
    description: 'The secret token of the webhook, if it has one. Compare it in constant time.',
    example: 'change-me',
    isOptional: true,
  },
  [names.userAgent]: { description: 'Name and version of the service.', example: 'Floe/0.1.0' },
}

/** Describes the requests that webhooks receive. */
export function describeWebhook(components: ComponentSchemas): object {
  return {
    operationId: 'newCommit',
    tags: ['receivers'],
    summary: 'The head of a branch moved',
    description: 'Sent to each webhook of the repository that selects the event. Answer 2xx within five seconds.',
    security: [{ secretToken: [] }, {}],
    parameters: Object.entries(headers).map(([name, { description, example, isOptional = false }]) => ({
      name,
      in: 'header',
      required: !isOptional,
      description,
      schema: { type: 'string' },
      example,
    })),
    requestBody: {
      required: true,
      content: addExamples({ [mediaTypes.json]: { schema: components.translate(NewCommit, 'output') } }, components),
    },
    responses: {
      '2XX': { description: 'Received' },
      default: { description: 'Not received; Floe sends it again later' },
    },
  }
}
