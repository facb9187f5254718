import type { ChatStrings } from '../../../src/protocol/chatStrings';
import { fill } from '../../components/fill';
import type { AnswerFacts } from './facts';

type Words = Pick<ChatStrings, 'spokenCode' | 'spokenTable' | 'plainCode'>;

/** Returns a settled block as text for screen readers: prose in full, code and tables as a description. */
export function spoken(block: Element, words: Words): string {
  if (block.matches('.md-code')) {
    const language = block.querySelector('.md-code-lang')?.textContent || words.plainCode;
    const lines = (block.querySelector('code')?.textContent ?? '').trimEnd().split('\n').length;
    return fill(words.spokenCode, language, lines);
  }
  if (block.matches('.md-table')) return fill(words.spokenTable, block.querySelectorAll('tbody tr').length);
  const text = block.cloneNode(true) as Element;
  // The source of a drawn formula is in the text, too.
  for (const formula of text.querySelectorAll('math')) formula.remove();
  return (text.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** Returns how an answer ended, as a sentence. */
export function endWords({ state, error }: AnswerFacts, strings: ChatStrings): string {
  if (state === 'done') return strings.spokenDone;
  return state === 'failed' ? fill(strings.spokenFailed, error?.title ?? '') : strings.spokenStopped;
}
