import { answerBare } from './facts';
import { bestLabel } from './labels';
import { readQuestion } from './question';
import { keywordsOf, languageOf, sentencesOf, wordsOf } from './words';

/** The form in which a judge is asked to reply: a reason, and then the verdict. */
const form = /\{\s*"?reason"?\s*:[^{}]{0,160}?[\s,"](pass|winner|label|score)"?\s*:([^{}]{0,400})/;
/** What is judged stands between marks, as data. */
const fenced = /<((?:answer|output|response)[\w-]*)>\s?([\s\S]*?)\s?<\/\1>/gi;
const criterionForms: readonly RegExp[] = [
  /<rubric>\s*([\s\S]*?)\s*<\/rubric>/i,
  /(?:^|\n)(?:criterion|rubric|标准):\s*([\s\S]*?)(?:\n\s*\n|$)/i,
];
const inputForm = /(?:^|\n)input:\s*\n([\s\S]*?)\n\s*\n/i;

/** The form in which a judge is asked to list statements by whether a context supports them. */
const listForm = /"supported"\s*:[^{}]{0,40}"unsupported"\s*:/;
const listed = /<(CONTEXT|ANSWER|REFERENCE)-\w+>\s?([\s\S]*?)\s?<\/\1-\w+>/g;

/** How well an answer meets a criterion, from 0 to 1. At a half, it passes. */
interface Rating {
  readonly share: number;
  readonly reason: string;
}

/** Rates an answer, or returns `undefined` for a criterion of another kind. */
type Rule = (criterion: string, answer: string, input: string) => Rating | undefined;

const yesOrNo = (isMet: boolean, met: string, unmet: string): Rating => ({
  share: Number(isMet),
  reason: isMet ? met : unmet,
});
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
const includes = (text: string, part: string): boolean =>
  part !== '' && ` ${plain(text)} `.includes(` ${plain(part)} `);

/** Answers with the value that is in the input under a name such as `expected`, or with what a calculation in it gives. */
function expectedIn(input: string): string | undefined {
  const named = /^(?:expected|answer|target|reference|label|sum|a)[:：]\s*(.+)$/im.exec(input)?.[1];
  if (named !== undefined) return named;
  const ask = /^(?:\w+:\s*)?(.*\d\s*[-+*/×÷]\s*\d[^\n]*)$/m.exec(input)?.[1] ?? '';
  const found = /-?\d+(?:\.\d+)?/.exec(answerBare(readQuestion({ text: `${ask} Answer with the number only.` })) ?? '');
  return found?.[0];
}

const rules: readonly Rule[] = [
  (criterion, answer) => {
    const reference = /\breference:\s*([\s\S]+)$/i.exec(criterion)?.[1]?.trim();
    if (reference === undefined) return undefined;
    const keywords = keywordsOf(reference, 8);
    const found = keywords.filter((word) => includes(answer, word)).length;
    const share = includes(answer, reference) ? 1 : keywords.length === 0 ? 0 : found / keywords.length;
    return { share, reason: `${found} of ${keywords.length} facts of the reference are in the answer.` };
  },
  (criterion, answer) => {
    const quoted = Array.from(criterion.matchAll(/["“'‘]([^"”'’\n]{1,200})["”'’]/g), ([, text = '']) => text);
    if (quoted.length === 0) return undefined;
    const isNegated = /\b(?:not|no|never|without|avoids?)\b|n't\b|不/i.test(criterion);
    const found = quoted.filter((text) => includes(answer, text));
    const isMet = isNegated ? found.length === 0 : found.length === quoted.length;
    return yesOrNo(isMet, 'The answer has the wording that is asked for.', 'The wording is not as it is asked for.');
  },
  (criterion, answer) => {
    const [, most] = /\b(?:at most|up to|under|fewer than|less than|within)\s+(\d+)\s+words\b/i.exec(criterion) ?? [];
    const isShort = /\b(?:short|brief|concise)\b|简短|简洁/i.test(criterion);
    if (most === undefined && !isShort) return undefined;
    const count = wordsOf(answer).length;
    const limit = Number(most ?? 60);
    return { share: count <= limit ? 1 : limit / count / 2, reason: `The answer has ${count} words.` };
  },
  (criterion, answer) =>
    /\bone sentence\b|一句话/i.test(criterion)
      ? yesOrNo(sentencesOf(answer).length <= 1, 'It is one sentence.', 'It is more than one sentence.')
      : undefined,
  (criterion, answer) =>
    /\b(?:is|contains|gives|includes|as|be) (?:only )?(?:a |the )?(?:number|figure|digits?)\b|数字/i.test(criterion)
      ? yesOrNo(/\d/.test(answer), 'The answer has a number.', 'The answer has no number.')
      : undefined,
  (criterion, answer, input) => {
    if (!/\b(?:right|correct|accurate|true)\b|正确|准确/i.test(criterion)) return undefined;
    const expected = expectedIn(input);
    if (expected === undefined) return undefined;
    return yesOrNo(includes(answer, expected), `The answer says ${expected}.`, `The answer does not say ${expected}.`);
  },
  (criterion, answer) => {
    const language = /\bin (english|chinese)\b|(中文|英文)/i.exec(criterion)?.[0];
    if (language === undefined) return undefined;
    const isChinese = /chinese|中文/i.test(language);
    return yesOrNo(
      (languageOf(answer) === 'zh') === isChinese,
      'It is in that language.',
      'It is in another language.',
    );
  },
  (criterion, answer) =>
    /\b(?:polite|friendly|kind|apologi[sz]\w*|empath\w*)\b|礼貌|友好|道歉/i.test(criterion)
      ? yesOrNo(
          /\b(?:thank|please|sorry|apologi|welcome|glad|happy to|appreciate)|请|谢|抱歉|不好意思|您/i.test(answer),
          'The tone is polite.',
          'The tone is not polite.',
        )
      : undefined,
];

/** Rates by the words that a criterion, or else the question, shares with an answer, if no rule is for its kind. */
function rate(criterion: string, answer: string, input: string): Rating {
  if (answer.trim() === '') return { share: 0, reason: 'The answer is empty.' };
  for (const rule of rules) {
    const rating = rule(criterion, answer, input);
    if (rating) return rating;
  }
  const asked = /\bquestion\b/i.test(criterion) || criterion === '' ? input : criterion;
  const keywords = keywordsOf(asked, 6);
  const found = keywords.filter((word) => answer.toLowerCase().includes(word.toLowerCase()));
  const share = keywords.length === 0 ? 1 : Math.min(1, (1.5 * found.length) / keywords.length);
  const words = found.length === 0 ? 'none of the words' : found.join(', ');
  return { share, reason: `The answer has ${words} of what is asked for.` };
}

/** Compares two answers. Equal ones are a tie. */
function winnerOf(ratings: readonly (Rating & { readonly name: string })[]): { reason: string; winner: string } {
  const [a, b] = ratings;
  if (!a || !b || a.share === b.share) return { reason: 'Both meet the criterion alike.', winner: 'tie' };
  const better = a.share > b.share ? a : b;
  return { reason: `${better.reason} The other one meets the criterion less.`, winner: better.name };
}

/** Lists the sentences whose words are mostly in the context; those of the context itself by the words of the question. */
function statementsIn(text: string): string {
  const parts = new Map(Array.from(text.matchAll(listed), ([, name = '', inner = '']) => [name, inner]));
  const context = parts.get('CONTEXT') ?? '';
  const checked = parts.get('ANSWER') ?? parts.get('REFERENCE');
  const known = (checked === undefined ? text.slice(0, text.indexOf('<CONTEXT')) : context).toLowerCase();
  const isSupported = (sentence: string) => {
    const words = keywordsOf(sentence, 8);
    return 2 * words.filter((word) => known.includes(word.toLowerCase())).length >= Math.max(1, words.length);
  };
  const all = sentencesOf(checked ?? context);
  return JSON.stringify({
    supported: all.filter(isSupported),
    unsupported: all.filter((sentence) => !isSupported(sentence)),
  });
}

/**
 * Answers a request to judge with a verdict in JSON, by rules and the words of the criterion; `undefined` for any other request. What stands
 * between marks is judged, whatever it asks for. `texts`: those of all messages, the last of which may be judged by examples in others.
 */
export function answerVerdict(texts: readonly string[]): string | undefined {
  const all = texts.join('\n\n');
  if (listForm.test(all)) return statementsIn(texts.at(-1) ?? '');
  const [, kind, rest = ''] = form.exec(all.replaceAll(fenced, '')) ?? [];
  if (kind === undefined) return undefined;
  const last = texts.at(-1) ?? '';
  const text = /<(?:answer|output|response)/i.test(last) ? last : all;
  const marked = Array.from(text.matchAll(fenced), ([, mark = '', answer = '']) => ({ mark, answer }));
  const around = text.replaceAll(fenced, '');
  const criterion = criterionForms.map((one) => one.exec(around)?.[1]).find((found) => found !== undefined) ?? '';
  const input = inputForm.exec(around)?.[1] ?? '';
  if (kind === 'winner')
    return JSON.stringify(
      winnerOf(
        marked.map(({ mark, answer }) => ({
          ...rate(criterion, answer, input),
          name: /[-_]b(?:[-_]|$)/i.test(mark) ? 'B' : 'A',
        })),
      ),
    );
  const judged = marked.length > 0 ? marked.map(({ answer }) => answer).join('\n') : around.replace(form, '');
  if (kind === 'label') {
    const labels = Array.from(rest.matchAll(/"([^"]+)"/g), ([, label = '']) => label);
    const label = bestLabel(labels, judged);
    return JSON.stringify({ reason: `Its words are those of ${label}.`, label });
  }
  const { share, reason } = rate(criterion, judged, input);
  if (kind === 'pass') return JSON.stringify({ reason, pass: share >= 0.5, score: Number(share.toFixed(2)) });
  const [low = 0, high = 1] = (/(-?\d+(?:\.\d+)?) to (-?\d+(?:\.\d+)?)/.exec(rest) ?? []).slice(1).map(Number);
  return JSON.stringify({ reason, score: Number((low + share * (high - low)).toFixed(2)) });
}
