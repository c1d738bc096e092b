import type { PromiseSection } from './proven-promise.ts'

const introduction = `# Promises and their tests

Each row is a promise of the service and the test that shows it: its file below \`test/\` and its title. \`npm run conformance\` breaks each
promise by a small change of the source, in a copy, and checks that its test fails then.
[\`scripts/conformance/promises/\`](../../scripts/conformance/promises) lists the promises with these changes; this page is written from it by
\`npm run generate\`.
`

/** Writes docs/internals/conformance.md. */
export function writeConformance(sections: readonly PromiseSection[]): string {
  return [introduction, ...sections.map(writeSection)].join('\n')
}

function writeSection({ title, introduction, promises }: PromiseSection): string {
  const rows = promises.map(({ promise, test: [file, title] }) => `| ${promise} | \`${file}\`: ${title} |\n`)
  const text = introduction === undefined ? '' : `${introduction}\n\n`
  return `## ${title}\n\n${text}| promise | shown by |\n| --- | --- |\n${rows.join('')}`
}
