import {
  branchEventNames,
  eventDefinitions,
  eventNames,
  expectationEventNames,
  headEventNames,
  noticeNames,
  streamedEventNames,
  tagEventNames,
} from '@floe/contract/lists'
import { t } from 'tap'

t.test('the lists of events by subject have every event once, in the order of the definitions', async (t) => {
  t.strictSame([...streamedEventNames, ...noticeNames], eventNames)
  // A remark is about no branch.
  const withoutBranch = ['NotePosted', 'SnapshotRetracted'] as const
  t.strictSame(new Set([...branchEventNames, ...tagEventNames, ...withoutBranch]), new Set(streamedEventNames))
  for (const name of headEventNames) t.equal(eventDefinitions[name].subject, 'head', name)
  for (const name of tagEventNames) t.equal(eventDefinitions[name].subject, 'tag', name)
  for (const name of expectationEventNames) t.equal(eventDefinitions[name].subject, 'expectation', name)
  for (const name of noticeNames) t.equal(eventDefinitions[name].subject, 'service', name)
  t.ok(headEventNames.length > 0 && tagEventNames.length > 0 && noticeNames.length > 0)
})
