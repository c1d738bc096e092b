import { t } from 'tap'
import { openLog } from '../../../server/observation/open-log.ts'
import { loadLineFormat } from '../../../server/main/load-line-format.ts'

const formatLine = await loadLineFormat()

/** A log, and the text that it has written. */
function openText(isInteractive: boolean) {
  const texts: string[] = []
  const destination = { write: (text: string) => void texts.push(text) }
  const log = openLog('info', { destination, formatLine: isInteractive ? formatLine : undefined })
  return { log, readText: () => texts.join('') }
}

t.test('on a terminal, a line is words with its facts behind them', async (t) => {
  const { log, readText } = openText(true)
  log.warn({ org: 'acme', error: 'answered 500' }, 'a delivery failed')
  t.match(readText(), /^\[\d\d:\d\d:\d\d\] WARN: a delivery failed \{"org":"acme","error":"answered 500"\}\n$/)
})

t.test('elsewhere, a line is JSON', async (t) => {
  const { log, readText } = openText(false)
  log.info({ org: 'acme' }, 'a head moved')
  t.match(JSON.parse(readText()), { level: 'info', org: 'acme', msg: 'a head moved' })
})

t.test('names and messages of others cannot control the terminal, and no key is shown', async (t) => {
  const { log, readText } = openText(true)
  const key = `floe_${'a'.repeat(16)}_${'b'.repeat(43)}`
  log.error({ err: new Error(`\u001b[2J\u202e\r${key}`), repo: '\u001b[31m' }, 'it failed')
  t.match(readText(), /ERROR: it failed/)
  t.match(readText(), /\\u\{1b\}\[2J\\u\{202e\}\\u\{d\}/)
  t.notMatch(readText(), /[^\P{Cc}\n]|\p{Cf}/u)
  t.notMatch(readText(), 'bbbb')
})
