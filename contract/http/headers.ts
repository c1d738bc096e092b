// The headers of answers, with their descriptions in the OpenAPI document. This file has no schemas, so that reader
// threads need not load zod.

type Documentation = {
  readonly description: string
  /** A number stands for a whole number in decimal digits. */
  readonly example: string | number
  /** Whether the header can be absent. */
  readonly isOptional?: true
}

/** Adds the name that code uses, in lower case, to the usual spelling. HTTP ignores case. */
function describeHeader<const Title extends string>(title: Title, documentation: Documentation) {
  // `toLowerCase` is typed as returning any string.
  return { name: title.toLowerCase() as Lowercase<Title>, title, ...documentation }
}

/** Headers of answers. */
export const responseHeaders = {
  etag: describeHeader('ETag', {
    description:
      'Version of the answer. Send it in `If-None-Match` to get the answer again only if it has changed, or in ' +
      '`If-Match` to change this version only.',
    example: '"U8Zfp4mJ2VqXb3RkQx1nTz0aLwE"',
  }),
  snapshot: describeHeader('Floe-Snapshot', {
    description: 'Id of the snapshot that the answer describes.',
    example: '3CMADCGEX6RP24Y4H640',
  }),
  behind: describeHeader('Floe-Behind', {
    description:
      'How many heads the branch has had since the snapshot. Absent unless the address names its last good head, as ' +
      'in `main@good`.',
    example: 2,
    isOptional: true,
  }),
  location: describeHeader('Location', {
    description: 'Address of the created resource, or of the answer to read instead.',
    example: '/v1/orgs/acme/repos/weather/webhooks/0198c0de-0000-7000-8000-000000000001',
  }),
  retryAfter: describeHeader('Retry-After', {
    description: 'Seconds to wait before the next request. Absent when the service does not know.',
    example: 60,
    isOptional: true,
  }),
  authenticate: describeHeader('WWW-Authenticate', {
    description: 'The credentials that are needed.',
    example: 'Basic realm="acme", charset="UTF-8"',
  }),
  allow: describeHeader('Allow', { description: 'Methods that the address supports.', example: 'GET, HEAD, POST' }),
  rateLimit: describeHeader('RateLimit-Limit', {
    description: 'Requests per minute that the caller may make. Absent when the service sets no limit.',
    example: 3_000,
    isOptional: true,
  }),
  rateLimitRemaining: describeHeader('RateLimit-Remaining', {
    description: 'Requests that the caller may still make in this minute. Absent when the service sets no limit.',
    example: 2_999,
    isOptional: true,
  }),
  rateLimitReset: describeHeader('RateLimit-Reset', {
    description: 'Seconds until the count starts again. Absent when the service sets no limit.',
    example: 60,
    isOptional: true,
  }),
} as const

/** A header of answers, by its key in {@link responseHeaders}. */
export type ResponseHeader = keyof typeof responseHeaders

/** The headers about the caller's rate limit. */
export const rateLimitHeaders = ['rateLimit', 'rateLimitRemaining', 'rateLimitReset'] as const

/** Headers that failures have on every route, by status. */
export const headersByStatus: Readonly<Record<string, readonly ResponseHeader[]>> = {
  '401': ['authenticate'],
  '405': ['allow'],
  '429': ['retryAfter'],
  '503': ['retryAfter'],
}
