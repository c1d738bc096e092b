// Writes the page of the problems.
import { problemDefinitions } from '@floe/contract'

const introduction = `# Problems

The \`code\` of an [error answer](http.md#addresses) is one of these. Its \`type\` is the address of a page that says
what the code means; \`detail\` says what happened this time. [Troubleshooting](../troubleshooting.md) explains the
common ones.

| status | codes |
| --- | --- |
`

/** Writes docs/using/problems.md. */
export function writeProblemsPage(): string {
  const byStatus = Map.groupBy(Object.entries(problemDefinitions), ([, { status }]) => status)
  const rows = [...byStatus].map(
    ([status, problems]) => `| ${status} | ${problems.map(([code]) => `\`${code}\``).join(', ')} |\n`,
  )
  return introduction + rows.join('')
}
