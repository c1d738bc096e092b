import { eventDefinitions, type EventSubject } from '@floe/contract/lists'
import { replaceSection } from './replace-section.ts'

/** What the documentation calls the subjects of events. */
const subjects = {
  head: 'a head move',
  branch: 'a branch',
  tag: 'a tag',
  expectation: '[an expectation](expectations.md#events)',
  check: '[a check](checks.md)',
  service: '[Floe itself](#notices-about-floe)',
} as const satisfies Record<EventSubject, string>

/** Writes the section of the events into docs/using/receiving.md. */
export function writeReceivingPage(page: string): string {
  const rows = Object.entries(eventDefinitions).map(
    ([name, { subject, meaning }]) => `| \`${name}\` | ${subjects[subject]} | ${meaning} |`,
  )
  return replaceSection(page, '### Events', `| event | about | meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`)
}
