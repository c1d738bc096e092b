// The introduction of the OpenAPI document, and the descriptions of its tags.
import type { RouteMetadata } from '@floe/contract'
import type { Deployment } from '../../../deployment.ts'

const tags: Readonly<Record<RouteMetadata['tag'], string>> = {
  discovery: 'Repositories, branches, tags and datasets.',
  datasets: 'One dataset: its schema, its variables, its structure as a dictionary, and a page for people.',
  history: 'Commits, operations and state of a repository, from its metadata alone.',
  checks: 'What pipelines say of snapshots.',
  remarks: 'What administrators say of snapshots: notes and retractions.',
  diff: 'Differences between two snapshots.',
  search: 'Datasets of all repositories by words, values and extents.',
  catalogues: 'The datasets as the catalogues of others read them: STAC, Croissant, DCAT-AP, sitemaps.',
  events: 'Head moves of the repositories as a stream.',
  mcp: 'Read access for agents of language models (Model Context Protocol).',
  documents: 'Pages and documents about the service itself.',
  authorization: 'Tokens in exchange for API keys, for clients that take OAuth only.',
  repositories: 'Administration: watched repositories and notifications of object stores.',
  receivers:
    'Administration: webhooks and chats. A webhook receives a JSON notification for each event, a chat a line of text.',
  expectations:
    'Administration: what branches must meet: how old their last commit may become, which share of their chunks must ' +
    'be written, and what their readers rely on.',
  deliveries: 'Administration: notifications that were sent or are waiting, and what receivers answered.',
  keys: 'Administration: API keys.',
  sessions: 'Sign-in of people, and the administration of their sessions.',
  audit: 'Administration: changes in the organisation, and who made them.',
  settings: 'Administration: the settings pages of repositories and organisations.',
  monitoring: 'Health checks, metrics, and pages about problems.',
}

const credentials =
  'An API key is sent as the password of HTTP Basic, with the organisation as user name, or as `Authorization: Bearer`.'

/** `info` and `tags` of the document. */
export function describeService(deployment?: Deployment) {
  return {
    info: {
      title: 'Floe',
      version: '1',
      description: [
        'Answers questions about Icechunk repositories from their metadata, and sends notifications when something ' +
          'is committed.',
        `${credentials} ${describeKeyRule(deployment)}`,
        'Answers about repositories have an `ETag`. Send it in `If-None-Match` to get 304 while nothing has changed. ' +
          'Lists without a `next` are complete.',
        'Every failure is answered with a problem in the form of RFC 9457 (`application/problem+json`). Its `code` ' +
          'identifies the problem, and its `type` is the address of a page about it. If an address does not support ' +
          'a method, the answer is 405, and its `Allow` lists the methods that the address supports. Answers may ' +
          'gain members; ignore those that you do not know. Texts with `examples` may get other values.',
      ].join('\n\n'),
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  }
}

function describeKeyRule(deployment: Deployment | undefined): string {
  const administration = "Administration needs an administrator's key that covers the repository."
  if (deployment === undefined) {
    return `All routes of a private deployment need a key; those of a public deployment need none. ${administration}`
  }
  return deployment.public
    ? `This deployment is public: its own routes need no key. ${administration}`
    : `This deployment is private: all its routes need a key. ${administration}`
}
