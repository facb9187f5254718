import type { Handlers } from '../../src/protocol/call';
import type {
  EvalChoice,
  EvalChoiceOfSide,
  EvalPoints,
  EvalDetails,
  EvalMark,
  EvalRate,
  EvalResultsScreen,
  EvalTableRow,
  EvalView,
} from '../../src/protocol/evalResults';

const rate = (text: string, interval: string): EvalRate => ({ rate: text, interval, hint: 'Passed: 118, Failed: 32' });

const inputs = [
  ['T-1049', 'Where do I change my delivery address?', 'delivery', 'account'],
  ['T-1110', 'Screen stays black after the update', 'bug', 'product'],
  ['T-1088', 'Two numbers on my invoice, which one is right?', 'billing', 'account'],
  ['T-1131', '客服电话是多少？', 'billing', 'no fact from the message'],
] as const;

/** A run in which the second variant is better. */
export const betterRun: EvalView = {
  pageId: 'page-1',
  title: 'Support triage',
  facts: ['Rows: 150, variants: 2', 'Charged: ¥3.08', 'Estimated: ¥3.10'],
  stage: 'done',
  notices: [],
  references: [],
  candidates: [],
  reference: 'aaaaaa',
  candidate: 'bbbbbb',
  verdict: 'better',
  sentence: 'B is better than A',
  line: 'Difference: +6.7 points (95%: +1.2 to +12.1), p = 0.019. Rows: 150, improved: 14, got worse: 4, unchanged: 132.',
  plot: {
    difference: 0.067,
    low: 0.012,
    high: 0.121,
    caption: 'Difference in pass rate, B minus A, in points, with 95% interval',
  },
  needs: [],
  primary: { id: 'accept', label: 'Set as Baseline' },
  secondary: [{ id: 'export', label: 'Export…' }],
  graders: [
    { name: 'label', isJudged: false },
    { name: 'JSON', isJudged: false },
    { name: 'reason', isJudged: true },
  ],
  variants: [
    {
      id: 'aaaaaa',
      letter: 'A',
      label: 'triage.v3',
      role: 'baseline',
      pass: rate('78.7%', '71.4–84.5'),
      graders: [rate('80%', '72.9–85.6'), rate('100%', '97.5–100'), rate('96.7%', '92.4–98.6')],
      price: '¥9.90',
      canAccept: true,
    },
    {
      id: 'bbbbbb',
      letter: 'B',
      label: 'triage.v4',
      role: '',
      pass: rate('85.3%', '78.8–90.1'),
      graders: [rate('86.7%', '80.3–91.2'), rate('100%', '97.5–100'), rate('97.3%', '93.3–99')],
      price: '¥10.77',
      canAccept: true,
    },
  ],
  differences: {
    label: 'B minus A',
    graders: [rate('+6.7', '+1.3 to +12'), rate('0', '0 to 0'), rate('+0.7', '-2.7 to +4')],
  },
  regressions: {
    title: 'Regressions: 4',
    detail: 'Passed with A, failed with B',
    rows: inputs.map(([name, input, before, after], row) => ({ row, name, input, before, after, failed: 'label' })),
    more: '',
  },
  checks: [],
  preferences: [],
  missing: [],
  judge: { text: 'Not calibrated: reason. Human labels: 18 of 50.', action: '' },
  foot: 'Qwen/Qwen3-32B · Temperature: 0 · McNemar’s test, mid-p',
};

/** A run that is too small for a verdict, with missing results. */
export const unclearRun: EvalView = {
  ...betterRun,
  verdict: 'cantTell',
  sentence: "Can't tell whether B is better than A",
  line: 'Difference: +2.7 points (95%: -2.9 to +8.2), p = 0.36. Rows: 150, improved: 11, got worse: 7, unchanged: 132.',
  plot: { ...betterRun.plot!, difference: 0.027, low: -0.029, high: 0.082 },
  needs: [
    { goal: 'To detect 5 points', rows: 'rows to add: 224', price: 'about ¥4.63' },
    { goal: 'To detect 2.7 points', rows: 'rows to add: 1,171', price: 'about ¥24.20' },
  ],
  primary: { id: 'addRows', label: 'Add Rows (224)…' },
  checks: [
    {
      name: 'Gold rows that the model grades correctly',
      value: "18 of 20, 90% (69.9% – 97.2%), Cohen's κ: 0.8, wrongly passed: 1, wrongly failed: 1",
    },
    { name: 'Rows that differ between repeats of A', value: '2% (0.7% – 5.7%)' },
    { name: 'Rows that differ between repeats of B', value: '8.7% (5.1% – 14.3%)' },
  ],
  preferences: [
    'B preferred to A: 62.5% (20 won, 12 lost, 5 tied), p = 0.215',
    'Verdicts that change when the responses are swapped: 8.1%',
    'Won by the longer response: 71.9%',
  ],
  missing: [
    { name: 'Missing for B', value: '2 no response, 1 truncated' },
    { name: 'Ungraded: javascript', value: "Missing scores: 300. Inference Desk doesn't run this grader." },
  ],
};

/** An interrupted run of three variants, compared with a baseline. */
export const interruptedRun: EvalView = {
  ...betterRun,
  stage: 'interrupted',
  progress: 'Responses so far: 360 of 450',
  notices: [
    {
      tone: 'warning',
      title: 'The run was interrupted',
      detail: 'Requests without a response: 90. Resume the run to complete it.',
      actions: [],
    },
    {
      tone: 'warning',
      title: 'Failed requests: 3',
      detail: 'The prompt is too long.',
      actions: [{ id: 'retry', label: 'Retry Failed Requests…' }],
    },
  ],
  references: [
    { id: 'baseline', label: 'Baseline: triage.v3' },
    { id: 'aaaaaa', label: 'A triage.v3' },
    { id: 'bbbbbb', label: 'B triage.v4' },
  ],
  candidates: [
    { id: 'aaaaaa', label: 'A triage.v3' },
    { id: 'bbbbbb', label: 'B triage.v4' },
  ],
  reference: 'baseline',
  verdict: 'worse',
  sentence: 'Preliminary: B is worse than the baseline',
  line: 'Difference: -12 points (95%: -18.2 to -5.8), p < 0.001. Rows: 120, improved: 2, got worse: 16, unchanged: 102.',
  plot: { ...betterRun.plot!, difference: -0.12, low: -0.182, high: -0.058 },
  primary: { id: 'run', label: 'Resume Run…' },
  variants: betterRun.variants.map((one) => ({ ...one, canAccept: false })),
};

const groups = ['regressions', 'improvements', 'bothFailed', 'missing', 'bothPassed'] as const;
const labels = ['Regressions', 'Improvements', 'Failed by both', 'Missing', 'Passed by both'] as const;

/** The host's end of the eval results page. Shows what the test sets, and records calls. */
export function createEvalResultsHost(view: EvalView, count = 20, reviewed = 3) {
  const asked: string[] = [];
  let shown = view;
  const ratings = new Map<number, EvalChoiceOfSide>();
  const notes = new Map<number, string>();
  const points = new Map<number, EvalPoints>();
  const progress = () => {
    const all = Array.from({ length: reviewed }, (_, index) => ratings.has(index));
    const done = all.filter(Boolean).length;
    const pace = done === 0 ? '' : '9 sec per row';
    return { count: reviewed, done, next: all.indexOf(false), text: `${done} of ${reviewed}`, pace, hasMore: false };
  };
  let lines: readonly EvalTableRow[] = [];
  const rows = Array.from({ length: count }, (_, index): EvalTableRow => rowOf(index));
  const note = (name: string) => {
    asked.push(name);
    return Promise.resolve({});
  };
  const arrange = ({ group, isGrouped, closed, query }: EvalChoice) => {
    const found = rows.filter(({ name, row }) => name.includes(query) && (group === 'all' || groupAt(row) === group));
    lines = !isGrouped
      ? found
      : groups.flatMap((one, index) => {
          const own = found.filter(({ row }) => groupAt(row) === one);
          const isClosed = closed.includes(one);
          const heading = { group: one, label: labels[index]!, facts: `Rows: ${own.length}`, isClosed };
          const head = { row: -1 - index, heading, name: '', input: '', expected: '', cells: [] };
          return own.length === 0 ? [] : [head, ...(isClosed ? [] : own)];
        });
    return found.length;
  };
  const handlers: Handlers<EvalResultsScreen> = {
    'eval/load': async ({ reference, candidate }) => {
      asked.push(`load ${reference} ${candidate}`);
      shown = { ...shown, ...(reference !== '' && { reference }), ...(candidate !== '' && { candidate }) };
      return shown;
    },
    'eval/act': ({ action }) => note(`act ${action}`),
    'eval/accept': async ({ variant }) => ({ ...(await note(`accept ${variant}`)), isAccepted: true }),
    'eval/arrange': async (choice) => {
      const found = arrange(choice);
      const countOf = (group: string) => String(rows.filter(({ row }) => groupAt(row) === group).length);
      return {
        count: lines.length,
        text: `Rows: ${found}`,
        summary: {
          counts: [
            { group: 'all', label: 'All', count: String(rows.length) },
            ...groups.map((group, index) => ({ group, label: labels[index]!, count: countOf(group) })),
          ],
          graders: shown.graders.map(({ name }) => name),
          blocks: [
            { letter: 'A', label: 'triage.v3', hasResponses: true },
            { letter: 'B', label: 'triage.v4', hasResponses: true },
          ],
          hasExpected: true,
        },
      };
    },
    'eval/rows': async ({ from, count: most }) => ({ rows: lines.slice(from, from + most) }),
    'eval/find': async ({ row }) => {
      const index = lines.findIndex((line) => line.row === row);
      return index < 0 ? {} : { index };
    },
    'eval/details': async ({ row }) => detailsOf(row),
    'eval/review': async ({ scale }) => {
      asked.push(`review ${scale}`);
      if (scale !== 'better') ratings.clear();
      return reviewed === 0 ? {} : { review: progress() };
    },
    'eval/reviewItem': async ({ index }) => ({
      ...reviewItem(index),
      choice: ratings.get(index) ?? null,
      points: points.get(index) ?? null,
      note: notes.get(index) ?? '',
    }),
    'eval/rate': async ({ index, choice, points: given, note: text }) => {
      asked.push(`rate ${index} ${choice} ${given ? `${given.left} ${given.right}` : ''}${text}`.trim());
      if (given) points.set(index, given);
      ratings.set(index, choice);
      notes.set(index, text);
      return progress();
    },
    'eval/undo': async ({ index }) => {
      asked.push(`undo ${index}`);
      ratings.delete(index);
      const note = notes.get(index) ?? '';
      notes.delete(index);
      return { review: progress(), key: `row ${index}`, note };
    },
    'eval/reviewResult': async () => ({
      facts: [
        { name: 'Preferences', value: 'B (triage.v4): 2, A (triage.v3): 1, ties: 0' },
        { name: 'Agreement with model grades', value: "66.7%, Cohen's κ: 0.4, rows: 3" },
        { name: 'Agreement if every rating were the same', value: '66.7%' },
      ],
    }),
  };
  return { asked, handlers };
}

/** Half of the rows pass with both variants, and the others rotate through the other groups. */
function groupAt(row: number): (typeof groups)[number] {
  return row % 2 === 1 ? 'bothPassed' : groups[(row / 2) % 4]!;
}

function rowOf(row: number): EvalTableRow {
  const [name, input, before, after] = inputs[row % inputs.length]!;
  const group = groupAt(row);
  const [first, second] = {
    regressions: ['pass', 'fail'],
    improvements: ['fail', 'pass'],
    bothFailed: ['fail', 'fail'],
    missing: ['pass', 'missing'],
    bothPassed: ['pass', 'pass'],
  }[group] as [EvalMark, EvalMark];
  const isChanged = first !== second;
  return {
    row,
    name: row < inputs.length ? name : `T-${2000 + row}`,
    input,
    expected: before,
    cells: [
      { text: before, tone: 'plain', isChanged: false, result: first, grades: [first, 'pass', 'pass'] },
      {
        text: second === 'missing' ? 'no response' : isChanged ? after : before,
        tone: second === 'missing' ? 'muted' : 'plain',
        isChanged: isChanged && second !== 'missing',
        result: second,
        grades: [second, second === 'missing' ? 'missing' : 'pass', second === 'missing' ? 'missing' : 'pass'],
      },
    ],
  };
}

function reviewItem(index: number) {
  const [, input, before, after] = inputs[index % inputs.length]!;
  const pieces = (text: string) => [
    { text: 'The label is ', differs: false },
    { text, differs: true },
  ];
  return {
    index,
    key: `row ${index}`,
    input: [{ name: 'message', value: input }],
    expected: before,
    left: pieces(before),
    right: pieces(after),
  };
}

function detailsOf(row: number): EvalDetails {
  const { name, input, expected, cells } = rowOf(row);
  return {
    row,
    name,
    input: [{ name: 'message', value: input }],
    expected,
    sides: cells.map(({ text, tone, result, grades }, index) => ({
      letter: index === 0 ? 'A' : 'B',
      label: index === 0 ? 'triage.v3' : 'triage.v4',
      pieces:
        tone === 'muted'
          ? []
          : [
              { text: 'The label is ', differs: false },
              { text, differs: cells[1]!.isChanged },
            ],
      note: tone === 'muted' ? text : '',
      result,
      scores: grades.map((mark, grader) => ({
        name: betterRun.graders[grader]?.name ?? '',
        mark,
        evidence: grader === 2 && mark === 'pass' ? 'The reason names the delivery address.' : '',
      })),
    })),
  };
}
