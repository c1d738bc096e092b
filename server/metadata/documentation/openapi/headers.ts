// The headers of the requests that webhooks receive, as the OpenAPI document describes them.
import { notificationHeaders as names } from '@floe/contract'

/** A header, as documentation shows it. */
type Header = { readonly description: string; readonly example: string }

/** All headers of a notification but the content type, which OpenAPI describes with the body. */
type WebhookHeader = (typeof names)[Exclude<keyof typeof names, 'contentType'>]

/** Headers of the requests that webhooks receive. */
export const webhookHeaders: Readonly<Record<WebhookHeader, Header & { readonly isOptional?: true }>> = {
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
    description: 'Number of this head move of the branch, counted from 1. Use it, not a time, to order notifications.',
    example: '2',
  },
  [names.attempt]: { description: 'Number of this attempt of the delivery, counted from 1.', example: '1' },
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
