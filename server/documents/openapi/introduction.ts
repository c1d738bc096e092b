// The introduction of the OpenAPI document, and the descriptions of its tags.
import type { RouteMetadata } from '@floe/contract'
import type { Deployment } from '../../deployment.ts'

const tags: Readonly<Record<RouteMetadata['tag'], string>> = {
  discovery: 'Which repositories, branches, tags and datasets there are.',
  datasets: 'What is in one dataset: its schema, its variables, its structure as a dictionary, and a page for people.',
  documents: 'Pages and documents about the service itself.',
  repositories: 'Administration: the repositories under watch, and who changed what.',
  webhooks: 'Administration: receivers of the JSON notification.',
  chats: 'Administration: team chats that are told in a line of text.',
  deliveries: 'Administration: what was sent, what waits, and what receivers answered.',
  keys: 'Administration: API keys.',
  audit: 'Administration: who changed what in the organisation.',
  settings: 'Administration: the page for people.',
  operations: "For operators' tools, and the pages that the `type` of a problem leads to.",
}

const credentials =
  'An API key is sent as the password of HTTP Basic, with the organisation as user name, or as `Authorization: Bearer`.'

/** `info` and `tags` of the document. */
export function describeService(deployment: Deployment | undefined) {
  return {
    info: {
      title: 'Floe',
      version: '1',
      description: [
        'What is inside Icechunk repositories, and a notification the moment something is committed.',
        `${credentials} ${describeKeyRule(deployment)}`,
        'Every answer that is not a success is a problem as `application/problem+json` (RFC 9457); its `type` tells which, and is ' +
          'the address of a page about it. A method that an address does not take is answered 405, with those that it takes in ' +
          '`Allow`. Answers may gain members; ignore those that you do not know.',
      ].join('\n\n'),
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  }
}

function describeKeyRule(deployment: Deployment | undefined): string {
  const administration = "Administration needs an administrator's key."
  if (deployment === undefined) {
    return `A private deployment needs a key for all its routes, a public one answers them without. ${administration}`
  }
  return deployment.public
    ? `This deployment is public: its own routes are answered without a key. ${administration}`
    : `This deployment is private: all its routes need a key. ${administration}`
}
