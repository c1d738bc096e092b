// Writes the page of the problems.
import { problemDefinitions } from '@floe/contract'

const introduction = `# Problems

The \`code\` of an [error answer](http.md#addresses) is one of these. [Troubleshooting](../troubleshooting.md) explains
the common ones.

| code | status | meaning |
| --- | --- | --- |
`

/** Writes docs/using/problems.md. */
export function writeProblemsPage(): string {
  const rows = Object.entries(problemDefinitions).map(
    ([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |\n`,
  )
  return introduction + rows.join('')
}
