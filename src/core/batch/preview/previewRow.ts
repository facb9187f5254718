import { readContent } from './lineContent';
import { beginning, inOneLine } from './shortText';
import type { ProblemCounts } from './lineTable';

const longestName = 200;
const longestText = 200;

/** What is known of a line without reading it. */
interface LinePart {
  /** Zero-based. */
  readonly line: number;
  readonly bytes: number;
  readonly problems: ProblemCounts;
}

/** A row of the table, with texts cut to a few hundred characters. */
export interface PreviewRow extends LinePart {
  readonly customId: string;
  readonly model: string;
  /** `undefined` if there are none to count. */
  readonly messages: number | undefined;
  readonly tokens: number | undefined;
  /** The beginning of the last user message, or of the answer. */
  readonly text: string;
  /** `unread`: too long to be read for a row. `failed`: an answer that is an error. */
  readonly state: 'request' | 'answer' | 'failed' | 'notJson' | 'blank' | 'unread';
}

const nothing = { customId: '', model: '', messages: undefined, tokens: undefined, text: '' };

export function unreadRow(part: LinePart): PreviewRow {
  return { ...nothing, state: 'unread', ...part };
}

export function readRow(text: string, part: LinePart): PreviewRow {
  if (text.trim() === '') return { ...nothing, state: 'blank', ...part };
  const content = readContent(text);
  if (!content) return { ...nothing, text: inOneLine(text, longestText), state: 'notJson', ...part };
  const { customId = '', model = '', messages, answer } = content;
  const names = { customId: beginning(customId, longestName), model: beginning(model, longestName) };
  if (!answer) {
    const question = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
    const start = inOneLine(question?.text ?? '', longestText);
    return { ...names, messages: messages.length, tokens: undefined, text: start, state: 'request', ...part };
  }
  const { status, error, tokens } = answer;
  const isFailed = error !== undefined || (status !== undefined && status >= 400);
  const outcome = [status, error].filter(Boolean).join(' · ');
  const start = inOneLine(isFailed ? outcome : (messages[0]?.text ?? ''), longestText);
  return { ...names, messages: undefined, tokens, text: start, state: isFailed ? 'failed' : 'answer', ...part };
}
