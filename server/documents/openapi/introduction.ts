// The introduction of the OpenAPI document, and the descriptions of its tags.
import type { RouteMetadata } from '@floe/contract'
import type { Deployment } from '../../deployment.ts'

const tags: Readonly<Record<RouteMetadata['tag'], string>> = {
  discovery: 'Which repositories, branches, tags and datasets there are.',
  datasets: 'What is in one dataset: its schema, its variables, its structure as a dictionary, and a page for people.',
  history: 'What has happened in a repository, from its metadata alone.',
  diff: 'What changed between two snapshots.',
  events: 'What happens in the repositories, as a stream.',
  mcp: 'The same for agents of language models, by the Model Context Protocol.',
  documents: 'Pages and documents about the service itself.',
  repositories: 'Administration: the repositories under watch, and who changed what.',
  webhooks: 'Administration: receivers of the JSON notification.',
  chats: 'Administration: team chats, which get one line of text for each head move.',
  deliveries: 'Administration: what was sent, what waits, and what receivers answered.',
  keys: 'Administration: API keys.',
  audit: 'Administration: who changed what in the organisation.',
  settings: 'Administration: the settings page of a repository.',
  monitoring: "For operators' tools, and the pages that the `type` of a problem leads to.",
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
        'Answers what is inside Icechunk repositories, and sends notifications when something is committed.',
        `${credentials} ${describeKeyRule(deployment)}`,
        'Every failure is answered with a problem in the form of RFC 9457 (`application/problem+json`). Its `type` identifies the ' +
          'problem, and is the address of a page about it. If an address does not support a method, the answer is 405, and its ' +
          '`Allow` lists the methods that the address supports. Answers may gain members; ignore those that you do not know.',
      ].join('\n\n'),
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  }
}

function describeKeyRule(deployment: Deployment | undefined): string {
  const administration = "Administration needs an administrator's key."
  if (deployment === undefined) {
    return `All routes of a private deployment need a key; those of a public deployment need none. ${administration}`
  }
  return deployment.public
    ? `This deployment is public: its own routes need no key. ${administration}`
    : `This deployment is private: all its routes need a key. ${administration}`
}
