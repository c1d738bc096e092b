import { t } from 'tap'
import {
  writeClientSnippet,
  writeCurlSnippet,
  writePythonClientSnippet,
} from '../../../../../server/pages/dataset/snippets/snippet-section.ts'
import { links, pageSubject } from '../../sample-dataset.ts'

t.test('the snippets of the clients name the group unless it is the root', async (t) => {
  t.match(writePythonClientSnippet(pageSubject, 'wind'), 'floe.info("era5", "main", "wind")')
  t.match(writePythonClientSnippet(pageSubject, ''), 'floe.info("era5", "main")')
  t.match(writeClientSnippet(pageSubject, 'wind'), '{ repo: "era5", ref: "main", group: "wind" }')
  t.match(writeClientSnippet(pageSubject, ''), '{ repo: "era5", ref: "main" }')
})

t.test('names cannot leave their literals', async (t) => {
  t.match(writeClientSnippet({ ...pageSubject, repository: '"}); evil({"' }, ''), 'repo: "\\"}); evil({\\""')
  t.match(writePythonClientSnippet({ ...pageSubject, repository: '"); evil("' }, ''), 'floe.info("\\"); evil(\\""')
})

t.test('the curl snippet is one address in single quotes', async (t) => {
  t.equal(
    writeCurlSnippet({ ...pageSubject, repository: "it's; rm -rf $HOME `x`" }, 'a b', links),
    'curl --user "acme:$FLOE_API_KEY" \\\n  ' +
      "'https://floe.example.org/v1/services/tiles/acme/_meta/datasets/" +
      "it%27s%3B%20rm%20-rf%20%24HOME%20%60x%60/main/a%20b/info'",
  )
})

t.test('a public deployment needs no key', async (t) => {
  const at = { ...pageSubject, deployment: { ...pageSubject.deployment, isPublic: true } }
  t.equal(
    writeCurlSnippet(at, '', links),
    "curl 'https://floe.example.org/v1/services/tiles/acme/_meta/datasets/era5/main/info'",
  )
  t.notMatch(writeClientSnippet(at, ''), 'apiKey')
  t.notMatch(writePythonClientSnippet(at, ''), /api_key|os/)
  t.match(writePythonClientSnippet(pageSubject, ''), 'api_key=os.environ["FLOE_API_KEY"]')
})
