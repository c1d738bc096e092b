import type { PromiseSection } from './proven-promise.ts'

const introduction = `# Promises and their tests

Each row has a promise of the service and its test: the file below \`test/\` and the title. \`npm run conformance\` breaks each promise by a
small change of the source, in a copy of the project, and checks that the test fails.
[\`scripts/conformance/promises/\`](../../scripts/conformance/promises) lists the promises with these changes; \`npm run generate\` writes this
page from it.
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
