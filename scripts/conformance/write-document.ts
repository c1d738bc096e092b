import type { ProvenSection } from './proven-promise.ts'

const introduction = `# Promises and their tests

Each row has a promise of the service and its test: the file below \`test/\` and the title. Where a loop makes several
tests, \`…\` stands for what differs between their titles. \`npm run conformance\` breaks each promise by a small change
of the source, in a copy of the project, and checks that the test fails or hangs.
[\`scripts/conformance/promises/\`](../../scripts/conformance/promises) lists the promises with these changes;
\`npm run generate\` writes this page from it and from the tests.
`

/** Writes docs/internals/conformance.md. */
export function writeConformance(sections: readonly ProvenSection[]): string {
  return [introduction, ...sections.map(writeSection)].join('\n')
}

function writeSection({ title, introduction, promises }: ProvenSection): string {
  const rows = promises.map(({ promise, test: [file, title] }) => `| ${promise} | \`${file}\`: ${title} |\n`)
  const text = introduction === undefined ? '' : `${introduction}\n\n`
  return `## ${title}\n\n${text}| promise | shown by |\n| --- | --- |\n${rows.join('')}`
}
