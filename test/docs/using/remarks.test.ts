// docs/using/remarks.md says what is true: its command fits the contract, and its line is the one that chats get.
import { readFile } from 'node:fs/promises'
import { RemarkCreation } from '@floe/contract'
import { t } from 'tap'
import { describeEvent } from '../../../server/events/describe-event.ts'

const repository = { org: 'acme', name: 'weather', id: '0b0f3f0e-6f0b-4f0e-9a53-2f5f5b6a8e11' }
const nothing = { from: null, to: null, ref: null, path: null, since: null, until: null }

const page = await readFile(new URL('../../../docs/using/remarks.md', import.meta.url), 'utf8')

t.test('the body of the command fits the contract, and chats get this line of it', async (t) => {
  const [, body = ''] = /-d '(.*?)'$/ms.exec(page) ?? []
  const { kind: _, superseded_by: successor, ...remark } = RemarkCreation.parse(JSON.parse(body))
  const { line } = describeEvent('SnapshotRetracted', repository, {
    remark_id: '7d0c1b52-19a4-4c1e-8f5b-2a6f0f4d3e11',
    ...nothing,
    ...remark,
    superseded_by: { link: null, ...successor },
  })
  t.match(page, `\`\`\`text\n${line}\n\`\`\``)
})
