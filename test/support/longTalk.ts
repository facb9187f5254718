import type { AnswerBlock, Turn } from '../../src/protocol/chat';

const model = 'Qwen/Qwen3-Coder-30B-A3B-Instruct';
const begun = Date.UTC(2026, 10, 1, 8);

const questions = [
  'Why is the second loop slower than the first?',
  'And what does it do when the file is larger than memory? I would like to keep the order of the lines, and to see where a line is broken.',
  'Write it in Python, please, and say what each part is for.',
  'Is there a table of what costs how much? Compare the three ways by time, memory and how easy they are to get wrong.',
  'Thanks. What would you test first?',
];

const prose = (index: number) =>
  `The **first** way reads \`chunk ${index}\` as it comes and counts in place. It allocates nothing, so there is nothing to collect, and the time goes with the length of the input alone. The second way makes a string of every line, which is *twice* the memory for most inputs and more for those outside Latin-1. See [the notes](https://example.com/notes/${index}) for the figures.`;

const list = (index: number) => `- no slice and no decode of line ${index}
- one comparison per byte, \`0x0a\` is the only one that counts
- the rest of a line is kept until the next piece comes
  - at the end it is a line of its own
  - unless it is empty`;

const code = (index: number) => `\`\`\`ts
// Counts the lines of a stream, ${index} at a time.
export async function countLines(stream: AsyncIterable<Uint8Array>, limit = ${index}): Promise<number> {
  let lines = 0;
  let isOpen = false;
  for await (const chunk of stream) {
    for (const byte of chunk) {
      isOpen = byte !== 0x0a;
      if (!isOpen && ++lines === limit) throw new RangeError(\`more than \${limit} lines\`);
    }
  }
  return isOpen ? lines + 1 : lines;
}
\`\`\``;

const python = (index: number) => `\`\`\`python
def merge(a: list[int], b: list[int]) -> list[int]:
    """Merges two sorted lists of about ${index} numbers."""
    result, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            result.append(a[i]); i += 1
        else:
            result.append(b[j]); j += 1
    return result + a[i:] + b[j:]  # one of them is empty
\`\`\``;

const table = (index: number) => `| way | time | memory |
|:----|-----:|-------:|
| in place | ${index} ms | 0 |
| by line | ${index * 3} ms | ${index * 2} kB |
| whole | ${index * 2} ms | ${index * 9} kB |`;

const shapes: readonly ((index: number) => readonly string[])[] = [
  (index) => [prose(index), code(index), list(index)],
  (index) => [prose(index), prose(index + 1)],
  (index) => ['## In Python', prose(index), python(index), list(index)],
  (index) => ['## What it costs', table(index), prose(index)],
  (index) => [list(index), prose(index), '> Test what you would be sorry for.', prose(index + 2)],
];

/** Returns an answer of about 1,000 to 1,700 characters of Markdown. */
export function longAnswer(index: number): string {
  return (shapes[index % shapes.length]?.(index) ?? []).join('\n\n');
}

function blocksOf(index: number): readonly AnswerBlock[] {
  const text: AnswerBlock = { kind: 'text', text: longAnswer(index) };
  if (index % 7 === 3) return [{ kind: 'thinking', text: `They ask for ${index}.\n${prose(index)}` }, text];
  if (index % 11 === 5) return [text, { kind: 'toolUse', name: 'read_file', text: `{\n  "line": ${index}\n}` }];
  return [text];
}

/** Returns a very long conversation: `turns` questions, from `turn 0`, with as many answers. */
export function longTalk(turns: number): readonly Turn[] {
  return Array.from({ length: turns }, (_, index) => ({
    id: `turn ${index}`,
    question: `${questions[index % questions.length]} (${index})`,
    askedAt: begun + index * 600_000,
    tryId: `try ${index}`,
    answer: {
      state: 'done',
      model,
      blocks: blocksOf(index),
      stopReason: 'end_turn',
      usage: { inputTokens: 900 + index, outputTokens: 400 },
      firstTokenMs: 350 + (index % 90),
      totalMs: 3900 + index,
    },
  }));
}
