import { t } from 'tap'
import { findSnapshotDirectory } from '../../../server/config/snapshot-directory.ts'

t.test(
  'large snapshots lie beside a SQLite file, else in the working directory, and nowhere for a database in memory',
  async (t) => {
    t.equal(findSnapshotDirectory('sqlite:.floe/floe.db'), '.floe/floe.db-snapshots')
    t.equal(findSnapshotDirectory('postgres://localhost/floe'), '.floe/snapshots')
    t.equal(findSnapshotDirectory('sqlite::memory:'), null)
  },
)
