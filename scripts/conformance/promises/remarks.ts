import type { PromiseSection } from '../proven-promise.ts'

/** What administrators say of snapshots. */
export const remarks: PromiseSection = {
  title: 'Remarks',
  introduction: "Floe's own promises.",
  promises: {
    'each remark is told once, and each change of one is in the audit': [
      'storage/records/database/remarks/change-remarks.ts',
      'recordNextEvents(tx, [event]',
      'recordNextEvents(tx, [event, event]',
    ],
    'a retracted snapshot is known until its retraction is deleted': [
      'storage/records/database/remarks/find-remarks.ts',
      'if (ofAll !== undefined)',
      'if (false)',
    ],
    'a page shows a remark that was posted after it was cached, at the latest when its ref is read again': [
      'server/metadata/answering/question-routes.ts',
      'context.timing.elapsed() < until',
      'true',
    ],
  },
}
