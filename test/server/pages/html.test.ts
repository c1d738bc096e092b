import assert from 'node:assert/strict'
import fc from 'fast-check'
import { t } from 'tap'
import { html } from '../../../server/pages/html.ts'
import { checkProperty } from '../../check-property.ts'

const anyText = fc.string({ unit: 'binary' })

function unescaped(markup: string): string {
  return markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

t.test('no text can end the element or the attribute that it is in', async () => {
  await checkProperty(
    1_000,
    fc.property(anyText, anyText, (title, text) => {
      const parts = /^<p title="([^<>"']*)">([^<>"']*)<\/p>$/.exec(html`<p title="${title}">${text}</p>`.toString())
      assert.deepEqual(parts?.slice(1).map(unescaped), [title, text])
    }),
  )
})

t.test('arrays render their members in order, with nothing between them', async (t) => {
  t.equal(html`${['<', [html`<br />`, 1n], 2]}`.toString(), '&lt;<br />12')
})

t.test('undefined, null and false render nothing; zero and the empty text are values', async (t) => {
  t.equal(html`[${undefined}${null}${false}${0}${''}]`.toString(), '[0]')
})

t.test('an object that only looks like markup is refused', async (t) => {
  const forged: unknown = JSON.parse('{"text":"<script>"}')
  // The type refuses it too; data from outside may not have one.
  t.throws(() => html`${forged as string}`, TypeError)
})

t.test('indentation of a template collapses, white space of the data stays', async (t) => {
  const text = 'a\n    b'
  const list = html`<ul>
    <li>${text}</li>
  </ul>`
  t.equal(list.toString(), '<ul><li>a\n    b</li></ul>')
})
