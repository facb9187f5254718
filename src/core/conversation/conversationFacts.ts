import { nameOfQuestion } from './attachment';
import { autoTitle } from './autoTitle';
import { foldText, searchWords } from '../../protocol/formats';
import { readChatParameters } from './chatParameters';
import type { ConversationRecord } from './record';

/** The list's data about a conversation. Derived entirely from the conversation's own file. */
export interface ConversationFacts {
  /** The user's title, else one derived from the first question; empty without either. */
  readonly title: string;
  readonly pinned: boolean;
  /** When the last question or answer was recorded, Unix milliseconds; 0 if there is none. */
  readonly at: number;
  readonly questions: number;
  /** One line of the system prompt, or else of the start of the answers, as set last; empty without either. */
  readonly instructions: string;
  /** The model of the last answer, and the ID of the account it was requested from; absent if unknown. */
  readonly model?: string;
  readonly account?: string;
}

export function conversationFacts(records: readonly ConversationRecord[]): ConversationFacts {
  let named = '';
  let first: string | undefined;
  let pinned = false;
  let at = 0;
  let questions = 0;
  let instructions = '';
  let latest: { readonly model?: string; readonly account?: string } = {};
  for (const record of records) {
    if (record.kind === 'answer') {
      const { model, account } = record;
      latest = { model, ...(account !== undefined && { account }) };
    }
    if (record.kind === 'title') named = record.title;
    else if (record.kind === 'pinned') ({ pinned } = record);
    else if (record.kind === 'parameters') {
      const { system, prefill = '' } = readChatParameters(record.parameters);
      instructions = autoTitle(system ?? prefill);
    } else if (record.kind === 'question' || record.kind === 'answer' || record.kind === 'end')
      at = Math.max(at, record.at);
    if (record.kind !== 'question') continue;
    first ??= nameOfQuestion(record.text, record.attachments);
    questions++;
  }
  return { title: named === '' ? autoTitle(first ?? '') : named, pinned, at, questions, instructions, ...latest };
}

/** Sorts pinned conversations first, then newest first. */
export function byPinAndAge(a: ConversationFacts, b: ConversationFacts): number {
  return Number(b.pinned) - Number(a.pinned) || b.at - a.at;
}

/** How much text an excerpt shows before and after a match. */
const around = { before: 24, behind: 60 };

/**
 * Finds the words of a query in a conversation. Returns `title` if its title has them all; an excerpt if one question or block of an
 * answer, on any branch, has them all; else `undefined`.
 */
export function findIn(
  records: readonly ConversationRecord[],
  title: string,
  query: string,
): { readonly in: 'title' } | { readonly in: 'text'; readonly found: string } | undefined {
  const words = searchWords(query);
  const hasAll = (text: string) => {
    const folded = foldText(text);
    return words.every((word) => folded.includes(word));
  };
  if (hasAll(title)) return { in: 'title' };
  const text = textsOf(records).find(hasAll);
  return text === undefined ? undefined : { in: 'text', found: excerpt(text, words[0] ?? '') };
}

/** Returns every question and every text block of an answer, joined from its pieces. */
function textsOf(records: readonly ConversationRecord[]): readonly string[] {
  const blocks = new Map<string, string>();
  for (const record of records) {
    if (record.kind === 'question') blocks.set(`question ${record.id}`, record.text);
    if (record.kind !== 'piece') continue;
    const key = `${record.index} ${record.answer}`;
    const before = blocks.get(key) ?? '';
    blocks.set(key, before + record.text.slice(Math.max(0, before.length - record.from)));
  }
  return [...blocks.values()];
}

function excerpt(text: string, word: string): string {
  const folded = foldText(text);
  // Folding can change the length: then the position is that of the same share of the text.
  const found = Math.max(0, folded.indexOf(word));
  const at = folded.length === text.length ? found : Math.floor((found / folded.length) * text.length);
  const from = Math.max(0, at - around.before);
  const to = Math.min(text.length, at + word.length + around.behind);
  // Drops half of a surrogate pair at either end.
  const piece = text
    .slice(from, to)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
    .replace(/\s+/gu, ' ')
    .trim();
  return `${from > 0 ? '…' : ''}${piece}${to < text.length ? '…' : ''}`;
}
