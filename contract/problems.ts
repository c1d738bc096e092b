// All problems: code, status, title, and what to do. `type` on the wire is `/problems/<code>` (RFC 9457), and the
// service serves a page at that address. This file does not import zod, because reader threads write problems too.

type ProblemDefinition = { readonly status: number; readonly title: string; readonly meaning: string }

/** All problems by code. */
export const problemDefinitions = {
  'invalid-request': {
    status: 400,
    title: 'Invalid request',
    meaning: 'The address, a parameter or the body is malformed; `errors` lists each wrong place.',
  },
  unauthorized: {
    status: 401,
    title: 'Credentials needed',
    meaning:
      'Send HTTP Basic credentials (the organisation as user name, one of its API keys as password), or the key as ' +
      '`Bearer`.',
  },
  forbidden: { status: 403, title: 'Not allowed', meaning: 'The API key is valid, but it does not allow this.' },
  'cross-site': {
    status: 403,
    title: 'Sent from another site',
    meaning:
      'A page of another origin sent the request. Only pages of the service itself may change something. Messages ' +
      'of agents are also accepted from pages of the origins in the configuration.',
  },
  'route-not-found': { status: 404, title: 'No such address', meaning: 'Nothing is served at this address.' },
  'deployment-not-found': {
    status: 404,
    title: 'No such deployment',
    meaning: 'The organisation has no deployment of this name.',
  },
  'repository-not-found': {
    status: 404,
    title: 'No such repository',
    meaning: 'The organisation has no repository of this name.',
  },
  'ref-not-found': {
    status: 404,
    title: 'No such ref',
    meaning:
      'The repository has no branch, tag or snapshot of this name, or the ref has no snapshot at or before this time.',
  },
  'snapshot-gone': {
    status: 404,
    title: 'Snapshot gone',
    meaning: 'The repository still names the snapshot, but its object was removed (garbage collection).',
  },
  'commit-not-found': {
    status: 404,
    title: 'No such commit',
    meaning: 'The history of the ref does not contain the commit in `before`.',
  },
  'search-disabled': { status: 404, title: 'No search', meaning: 'This service does not index its repositories.' },
  'group-not-found': { status: 404, title: 'No such group', meaning: 'The snapshot has no group at this path.' },
  'receiver-not-found': {
    status: 404,
    title: 'No such receiver',
    meaning: 'The repository has no webhook or chat with this id.',
  },
  'expectation-not-found': {
    status: 404,
    title: 'No such expectation',
    meaning: 'The repository or organisation has no expectation with this id.',
  },
  'remark-not-found': { status: 404, title: 'No such remark', meaning: 'The repository has no remark with this id.' },
  'contract-not-found': {
    status: 404,
    title: 'No such contract',
    meaning: 'The expectation has no contract, because it is of another kind.',
  },
  'delivery-not-found': {
    status: 404,
    title: 'No such delivery',
    meaning: 'The repository has no delivery with this id. Deliveries are kept for 90 days.',
  },
  'session-not-found': {
    status: 404,
    title: 'No such session',
    meaning: 'Nobody with a role in the organisation has a session with this id.',
  },
  'key-not-found': {
    status: 404,
    title: 'No such API key',
    meaning: 'The organisation has no API key with this id that your own key covers.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The address does not support this method; the `Allow` header lists the methods that it supports.',
  },
  'not-openable': {
    status: 409,
    title: 'No address opens it',
    meaning: 'No redirect can lead to where the repository is stored. The detail says why, and how to open it.',
  },
  'alias-in-use': {
    status: 409,
    title: 'Alias in use',
    meaning: 'Another webhook or chat of the repository has this alias.',
  },
  'too-many-receivers': {
    status: 409,
    title: 'Too many receivers',
    meaning: 'The repository cannot have more webhooks and chats. Delete one that is no longer needed.',
  },
  'too-many-expectations': {
    status: 409,
    title: 'Too many expectations',
    meaning: 'The repository cannot have more expectations. Delete one that is no longer needed.',
  },
  'too-many-checks': {
    status: 409,
    title: 'Too many checks',
    meaning: 'The snapshot cannot have more checks. Post again under a name that it has.',
  },
  'too-many-remarks': {
    status: 409,
    title: 'Too many remarks',
    meaning: 'The repository cannot have more remarks. Delete one first.',
  },
  'too-many-keys': {
    status: 409,
    title: 'Too many API keys',
    meaning: 'The organisation cannot have more API keys. Keys that were revoked or have expired count for 90 days.',
  },
  'receiver-disabled': {
    status: 409,
    title: 'Receiver disabled',
    meaning: 'Nothing is sent to a disabled webhook or chat. Enable it first.',
  },
  'declared-in-file': {
    status: 409,
    title: 'Declared in the configuration file',
    meaning:
      'The webhook, chat, expectation or API key is declared in the configuration file of the service. ' +
      'Change or delete it there.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timed out',
    meaning: 'The request did not arrive in time. Send it again.',
  },
  'events-gone': {
    status: 410,
    title: 'Events gone',
    meaning:
      'Some events after this position are gone, because events are kept for 90 days, or the position never ' +
      'existed. Read the repositories again, then follow the events without a position.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Changed meanwhile',
    meaning:
      'The ETag in If-Match is not the current one, because somebody else has changed the resource. Read it again, ' +
      'then decide.',
  },
  'body-too-large': {
    status: 413,
    title: 'Body too large',
    meaning: 'The body of the request is larger than it may be there; the detail names the limit.',
  },
  'range-too-long': {
    status: 413,
    title: 'Too much between the snapshots',
    meaning:
      'There are more commits or changes between the two snapshots than this service combines; the detail names the ' +
      'limit.',
  },
  'uri-too-long': {
    status: 414,
    title: 'Address too long',
    meaning: 'A part of the address is longer than any name can be.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'Send bodies as application/json, in UTF-8 and not compressed.',
  },
  'damaged-repository': {
    status: 422,
    title: 'Damaged repository',
    meaning: 'An object of the repository breaks a rule of the Icechunk format; the detail names both.',
  },
  'repository-too-large': {
    status: 422,
    title: 'Repository too large',
    meaning: 'The repository is sound, but larger than a limit of this service; the detail names the limit.',
  },
  'too-many-repositories': {
    status: 422,
    title: 'Too many repositories to list',
    meaning:
      'A location that the service searches for repositories contains more than it lists; the detail names the ' +
      'limit. A repository in it can still be read by its name.',
  },
  'too-many-deliveries': {
    status: 422,
    title: 'Too many deliveries to replay',
    meaning: 'More deliveries match than one replay may have, so none was queued; choose a shorter time.',
  },
  'unsupported-format': {
    status: 422,
    title: 'Unsupported format version',
    meaning: 'The repository was written in a version of the Icechunk format that this service cannot read.',
  },
  'not-a-repository': {
    status: 422,
    title: 'Not a repository',
    meaning: 'There is no Icechunk repository at the configured location.',
  },
  'not-a-dataset': {
    status: 422,
    title: 'Not a dataset',
    meaning: "The group breaks one of xarray's rules, so that xarray cannot open it either; the detail says which.",
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    meaning: 'Wait as long as the Retry-After header says.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    meaning: 'The address and headers of the request together are longer than 16 KiB.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'An error in the service. Its log says why, under the `instance` of the answer.',
  },
  'store-failed': {
    status: 502,
    title: 'Object store failed',
    meaning: 'The object store of the repository answered with an error.',
  },
  unavailable: {
    status: 503,
    title: 'Not available',
    meaning: 'The service is starting, stopping or overloaded, or its database does not answer.',
  },
  'store-timeout': {
    status: 504,
    title: 'Object store timed out',
    meaning: 'The object store of the repository did not answer in time.',
  },
} as const satisfies Record<string, ProblemDefinition>

/** The code of a problem, the last segment of its `type`. */
export type ProblemCode = keyof typeof problemDefinitions

/** The codes of the problems with one status. */
export type ProblemCodeOf<Status extends number> = {
  [Code in ProblemCode]: (typeof problemDefinitions)[Code]['status'] extends Status ? Code : never
}[ProblemCode]

/** The `type` of a problem. */
export type ProblemType<Code extends ProblemCode = ProblemCode> = `/problems/${Code}`

/** Writes the `type` of a problem. */
export function formatProblemType<Code extends ProblemCode>(code: Code): ProblemType<Code> {
  return `/problems/${code}`
}
