import type { Question } from './question';
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
          'The demo service has haiku about the sea, the forest, rain, and the moon. Here is one about rain.',
          '演示服务只有关于大海、森林、雨和月亮的俳句。这一首写雨。',
        ),
        text,
      ].join('\n\n')
    : text;
}

const asksLength = /(\d{2,5})[\s-]*(?:words?|字|词)/i;
const paragraphsPattern =
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

function wordsRequested(ask: string): number {
  const exact = asksLength.exec(ask)?.[1];
  if (exact !== undefined) return Math.min(Number(exact), 20_000);
  const match = paragraphsPattern.exec(ask);
  const count = match?.[1] ?? match?.[2] ?? '';
  const paragraphs = figures[count.toLowerCase()] ?? Number(count);
  return paragraphs > 0 ? paragraphs * 60 : 120;
}

const wantsProse =
  /\b(?:story|poem|haiku|essay|letter|paragraphs?|article|long (?:text|answer))\b|故事|诗|俳句|作文|文章|散文/i;

/** Answers with a prepared haiku, or with a labeled sample text of the requested length. Returns `undefined` for any other question. */
export function answerProse(question: Question): string | undefined {
  const { ask, say, language, voice, material } = question;
  const isRequested = wantsProse.test(ask) || (asksLength.test(ask) && /\b(?:write|about|text)\b|写/i.test(ask));
  if (material !== '' || !isRequested) return undefined;
  if (/haiku|poem|俳句|诗/i.test(ask)) return poem(question);
  const lead = say(
    '_The demo service has no model, so it can’t write this. Here is a sample text of that length instead._',
    '_演示服务没有模型，写不了这个。下面是一段同样长度的示例文字。_',
  );
  const left = Math.max(40, wordsRequested(ask) - wordsOf(lead).length);
  const text = essay[language === 'zh' ? 1 : 0];
  const first = Math.abs(voice) % text.length;
  const sentences = [...text.slice(first), ...text.slice(0, first)].flatMap(sentencesOf);
  return `${lead}\n\n${textFrom(sentences, 0, left, language === 'zh' ? '' : ' ')}`;
}

/** Haiku of five, seven and five syllables, or characters in Chinese. */
const haiku: readonly {
  readonly about: RegExp;
  readonly en: readonly string[];
  readonly zh: readonly string[];
}[] = [
  {
    about: /\bsea\b|ocean|waves?\b|海/i,
    en: [
      'The tide writes and wipes\nthe same grey line on the sand.\nNo one reads it twice.',
      'Salt wind, folding waves:\na gull hangs above the foam,\nwaiting for nothing.',
    ],
    zh: ['潮水写又擦\n沙上一行灰色字\n没有人读完', '白鸥停风上\n浪花一层追一层\n盐在唇边干'],
  },
  {
    about: /forest|woods\b|trees?\b|森林|树/i,
    en: [
      'Between the tall pines\nlight comes down in narrow steps\nand sits on the ferns.',
      'Moss on fallen oak;\nsomewhere deep inside the green\na woodpecker knocks.',
    ],
    zh: ['林间光落下\n一级一级走向苔\n松针无声响', '倒木披青苔\n绿荫深处听啄木\n一声又一声'],
  },
  {
    about: /rain|storm|雨/i,
    en: ['Rain on the window:\neach drop finds the one before\nand they run as one.'],
    zh: ['雨打旧窗玻\n一滴寻着前一滴\n合作一条河'],
  },
  {
    about: /moon|night|月|夜/i,
    en: ['The moon in the pail\nbreaks when I carry it home\nand mends on the step.'],
    zh: ['桶里一轮月\n提回家时碎成银\n阶前又圆了'],
  },
];

/** Running text for long answers: how a language model answers. */
const essay: readonly [en: readonly string[], zh: readonly string[]] = [
  [
    'A language model doesn’t look up its answer. It writes the answer one token at a time, and it chooses each token based on all the tokens before it. A token is a piece of text, such as a short word, part of a long word, or a comma.',
    'Before it writes, the model reads. Your question, the attached files, and the conversation become one long row of tokens, called the context. The model knows nothing about you that isn’t in the context.',
    'Each new token is added to the row, and the process starts again. That’s why answers stream: the first words are ready long before the last ones. It’s also why a long answer takes longer than a short one.',
    'An answer ends when the model writes a special end token, when it reaches a stop sequence, or when it reaches the token limit. In the last case, the text stops in the middle of a sentence, and you can ask the model to continue.',
    'A clear question helps most. Say what you have, what you want, and what the answer should look like. One example of the result you want tells a model more than a paragraph of description.',
  ],
  [
    '语言模型并不查找答案，而是一个 Token 接一个 Token 地写出答案，每个 Token 都取决于它前面的全部内容。Token 是一小段文本：一个短词、长词的一部分，或一个标点。',
    '写之前，模型先读。你的问题、附上的文件和此前的对话连成一长串 Token，称为上下文。上下文之外的事，模型一概不知。',
    '每个新 Token 都加入这个序列，然后重新开始。因此回答是流式到达的：最后的词还没写，最前的词早已完成。长回答比短回答慢，也是这个原因。',
    '当模型写出结束标记、遇到停止序列或达到 Token 上限时，回答结束。最后一种情况下，文字会在中途断开，可以让模型继续。',
  ],
];
