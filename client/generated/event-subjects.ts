// Generated from contract/ by `npm run generate`.

/** What each event is about. */
export const eventSubjects = {
  NewCommit: 'head',
  SchemaChanged: 'head',
  BranchCreated: 'branch',
  BranchDeleted: 'branch',
  TagCreated: 'tag',
  TagDeleted: 'tag',
  ExpectationUnmet: 'expectation',
  ExpectationMet: 'expectation',
  CheckPosted: 'check',
  GoodMoved: 'good',
  NotePosted: 'remark',
  SnapshotRetracted: 'remark',
  ReceiverDisabled: 'service',
  ReceiverFailing: 'service',
  RepositoryUnreadable: 'service',
  RepositoryBack: 'service',
} as const
