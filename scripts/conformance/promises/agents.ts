import type { PromiseSection } from '../proven-promise.ts'

const schema = 'server/metadata/agents/dataset-schema.ts'

/** What agents get. */
export const agents: PromiseSection = {
  title: 'Agents',
  promises: {
    'the list of tools takes at most 2,600 tokens': [
      'server/metadata/agents/tool-arguments.ts',
      'texts[name] ?? description',
      'description',
    ],
    'the schema of a dataset can be read to its end in short answers': [
      schema,
      'selected++ < skip',
      'selected++ <= skip',
    ],
    'texts of repositories stay on their lines in a schema, and are cut': [schema, "+/gu, ' ')", "+/gu, '\\n')"],
    'an agent that starts Floe can search, and the index follows the repositories': [
      'server/main/commands/mcp.ts',
      'search.start()',
      'search.stop()',
    ],
  },
}
