// A thread that needs another manifest each time it is asked.
import type { ManifestId } from '@floe/storage/icechunk'
import type { NeedsManifests, ReaderTask } from '../../../../server/reading/threads/reader-messages.ts'
import { answerCalls } from '../../../../server/reading/threads/thread-calls.ts'

function runTask({ manifests }: ReaderTask): NeedsManifests {
  return { state: 'needs-manifests', ids: [`MANIFEST${manifests.size}` as ManifestId], areBeside: false } // the store has no such object
}

answerCalls(runTask)
