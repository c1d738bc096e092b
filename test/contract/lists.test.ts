import {
  branchEventNames,
  eventDefinitions,
  eventNames,
  noticeNames,
  streamedEventNames,
  tagEventNames,
} from '@floe/contract/lists'
import { t } from 'tap'

t.test('the lists of events by subject have every event once, in the order of the definitions', async (t) => {
  t.strictSame([...streamedEventNames, ...noticeNames], eventNames)
  for (const name of branchEventNames) t.equal(eventDefinitions[name].about, 'branch', name)
  for (const name of tagEventNames) t.equal(eventDefinitions[name].about, 'tag', name)
  for (const name of noticeNames) t.equal(eventDefinitions[name].about, 'service', name)
  t.ok(branchEventNames.length > 0 && tagEventNames.length > 0 && noticeNames.length > 0)
})
