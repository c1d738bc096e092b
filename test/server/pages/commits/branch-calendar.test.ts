import { t } from 'tap'
import {
  type BranchCalendar,
  branchCalendar,
  type CalendarLine,
  dayMs,
  findFirstDay,
} from '../../../../server/pages/commits/branch-calendar.ts'
import { visibleText } from '../markup.ts'
import { links } from '../sample-dataset.ts'

/** A Thursday. */
const now = Date.parse('2026-11-26T12:00:00Z')
const firstDay = findFirstDay(now)

function show(change: Partial<BranchCalendar> = {}): string {
  const calendar = { branch: 'main', now, firstDay, countedFrom: firstDay, counts: new Map(), lines: [], ...change }
  return branchCalendar('weather', calendar, links).toString()
}

const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

const line: CalendarLine = { name: 'Freshness tiles', knownFrom: day('2026-08-31'), unmet: [], told: [] }

t.test('the calendar has 53 weeks that begin on Mondays, the last with today', async (t) => {
  for (const [today, first] of [
    ['2026-11-26T12:00:00Z', '2025-11-24'],
    ['2026-11-29T23:59:59.999Z', '2025-11-24'],
    ['2026-11-30T00:00:00Z', '2025-12-01'],
    ['2024-03-01T00:00:00Z', '2023-02-27'],
  ] as const) {
    t.equal(new Date(findFirstDay(Date.parse(today))).toISOString().slice(0, 10), first, today)
  }
  const days = show().match(/ fill-opacity="0.1"/g) ?? []
  t.equal(days.length, 52 * 7 + 4 + 1, 'all days until today, and one in the legend')
})

t.test('each day has its place and the shade of its number of commits', async (t) => {
  const counts = new Map([
    [firstDay, 1],
    [day('2026-11-25'), 5],
    [day('2026-11-26'), 6],
    [day('2026-07-06'), 2_000],
  ])
  const markup = show({ counts })
  t.match(visibleText(markup), 'The last year\n2,012 commits of main')
  t.match(markup, /<rect x="30" y="16"[^>]*fill-opacity="0.3">\s*<title>2025-11-24: 1 commit</)
  t.match(markup, /<rect x="706" y="42"[^>]*fill-opacity="0.5">\s*<title>2026-11-25: 5 commits</)
  t.match(markup, /<rect x="706" y="55"[^>]*fill-opacity="0.75">\s*<title>2026-11-26: 6 commits</)
  t.match(markup, /<rect x="446" y="16"[^>]*fill-opacity="1">\s*<title>2026-07-06: 2,000 commits</)
  t.match(visibleText(markup), 'Commits\nExpectations\n2026-11-26\n6\n2026-11-25\n5\n2026-07-06\n2,000\n2025-11-24\n1')
  t.match(markup, 'history/weather/main?until=2026-11-25"')
})

t.test('days before the oldest commit that was read are neither drawn nor called empty', async (t) => {
  const countedFrom = day('2026-11-24')
  const told = [{ at: day('2026-11-01'), text: 'LATE' }]
  const markup = show({ countedFrom, counts: new Map([[countedFrom, 3]]), lines: [{ ...line, told }] })
  t.equal(markup.match(/<rect x="706"/g)?.length, 3)
  t.equal(markup.match(/<rect x="693"/g), null)
  t.match(visibleText(markup), 'Only the newest 3 commits are counted: 2026-11-24 may have more, and so may')
  t.match(visibleText(markup), '2026-11-01\nnot counted\n00:00 UTC LATE')
})

t.test('an expectation has a line where it is known, which is thick where it was not met', async (t) => {
  const unmet = [
    { from: day('2026-09-07'), to: day('2026-09-14') },
    { from: day('2026-11-25'), to: now },
  ]
  const markup = show({ lines: [{ ...line, unmet }] })
  t.match(markup, 'stroke-width="2" d="M550 144H712.5"')
  t.match(
    markup,
    /d="M563 144H576">\s*<title>Freshness tiles not met from 2026-09-07 00:00 UTC to 2026-09-14 00:00 UTC</,
  )
  t.match(markup, /<title>Freshness tiles not met from 2026-11-25 00:00 UTC to now</)
  t.match(visibleText(markup), 'events are kept for 90 days, and only the last 100 are read')
  t.notMatch(show(), 'A line is thick')
  t.match(visibleText(show({ lines: null })), 'What is expected of the branch cannot be read now.')
})

t.test('the section of a busy branch stays small', async (t) => {
  const counts = new Map(Array.from({ length: 368 }, (_, place) => [firstDay + place * dayMs, 1_440]))
  const told = Array.from({ length: 100 }, (_, place) => ({ at: now - place * dayMs * 0.9, text: 'é'.repeat(20_000) }))
  const markup = show({ counts, lines: Array.from({ length: 50 }, () => ({ ...line, told })) })
  t.ok(Buffer.byteLength(markup) < 250_000, `${Buffer.byteLength(markup)} bytes`)
  t.match(visibleText(markup), /\d+ more days are not shown\./)
})
