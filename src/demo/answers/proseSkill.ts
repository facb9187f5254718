import { essay, haiku } from './poems';
import type { Question } from './question';
import type { Skill } from './skill';
import { asks } from './skill';
import { sentencesOf, wordsOf } from './words';

/** Returns about `words` words of running text, starting at one of its sentences and repeating when it ends. */
export function proseAbout({ language }: Question, words: number, start: number): string {
  const sentences = essay[language === 'zh' ? 1 : 0].flatMap(sentencesOf);
  return textFrom(sentences, start, words, language === 'zh' ? '' : ' ');
}

function textFrom(sentences: readonly string[], start: number, words: number, between: string): string {
  const paragraphs: string[] = [];
  let current: string[] = [];
  for (let [at, written] = [start, 0]; written < words; at += 1) {
    const sentence = sentences[at % sentences.length] ?? '';
    current.push(sentence);
    written += wordsOf(sentence).length;
    if (current.length === 4 || written >= words) {
      paragraphs.push(current.join(between));
      current = [];
    }
  }
  return paragraphs.join('\n\n');
}

function poem({ ask, say, language, voice }: Question): string {
  const found = haiku.find(({ about }) => about.test(ask));
  const one = found ?? haiku[2];
  const all = one?.[language] ?? [];
  const text = (all[Math.abs(voice) % all.length] ?? '')
    .split('\n')
    .map((line) => `> ${line}`)
    .join('  \n');
  return found === undefined
    ? [
        say(
          'The demo service has no model and knows a few prepared haiku only: of the sea, the forest, rain and the moon. Here is the one of rain.',
          '演示服务没有模型，只有几首准备好的俳句：大海、森林、雨和月亮。这一首写雨。',
        ),
        text,
      ].join('\n\n')
    : text;
}

const asksLength = /(\d{2,5})[\s-]*(?:words?|字|词)/i;
const paragraphsAsked =
  /\b(\d{1,2}|two|three|four|five|six|eight|ten|twenty) paragraphs\b|([两三四五六八十]|\d{1,2}) ?段/i;
const figures: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  eight: 8,
  ten: 10,
  twenty: 20,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  八: 8,
  十: 10,
};

function wordsWanted(ask: string): number {
  const exact = asksLength.exec(ask)?.[1];
  if (exact !== undefined) return Math.min(Number(exact), 20_000);
  const match = paragraphsAsked.exec(ask);
  const count = match?.[1] ?? match?.[2] ?? '';
  const paragraphs = figures[count.toLowerCase()] ?? Number(count);
  return paragraphs > 0 ? paragraphs * 60 : 120;
}

/** Answers with prepared poems, or with text of a requested length that says it is not on the subject. */
export const proseSkill: Skill = {
  name: 'prose',
  fits: (question) =>
    question.material === '' &&
    (asks(
      question,
      /\b(story|poem|haiku|essay|letter|paragraphs?|article|long (?:text|answer))\b|故事|诗|俳句|作文|文章|散文/i,
    ) ||
      (asksLength.test(question.ask) && asks(question, /\b(write|about|text)\b|写/i))),
  write: (question) => {
    const { ask, say, language, voice } = question;
    if (asks(question, /haiku|poem|俳句|诗/i)) return poem(question);
    const lead = say(
      '_The demo service has no model and cannot write this. In its place, a text on how a language model answers._',
      '_演示服务没有模型，写不了这个。以下是替代文字，讲语言模型如何回答。_',
    );
    const left = Math.max(40, wordsWanted(ask) - wordsOf(lead).length);
    const text = essay[language === 'zh' ? 1 : 0];
    const first = Math.abs(voice) % text.length;
    const sentences = [...text.slice(first), ...text.slice(0, first)].flatMap(sentencesOf);
    return `${lead}\n\n${textFrom(sentences, 0, left, language === 'zh' ? '' : ' ')}`;
  },
};
