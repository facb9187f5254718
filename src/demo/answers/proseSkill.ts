import type { Question } from './question';
import { type Skill, asks } from './skill';
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
    'A language model does not look up its answer. It writes it, one token after the other, and each token is chosen from all that stand before it. A token is a piece of text: a short word, part of a long one, a comma.',
    'Before it can write, the model reads. Your question, the files you attach and the conversation so far become one long row of tokens, the context. What is not in the context the model does not know of you.',
    'The chosen token joins the row, and the work begins again. That is why answers arrive in a stream: the first words are done long before the last. It is also why a long answer takes longer than a short one.',
    'An answer ends when the model writes a sign that says so, when it meets a stop sequence, or when it reaches the limit of tokens that was set. In the last case the text breaks off in the middle, and you can ask it to go on.',
    'What helps most is a clear question. Say what you have, what you want and how the answer should look. An example of the wanted result tells a model more than a paragraph of description.',
  ],
  [
    '语言模型并不查找答案，而是一个 Token 接一个 Token 地写出答案，每一个都取决于它前面的全部内容。Token 是一小段文本：一个短词、长词的一部分，或一个标点。',
    '写之前，模型先读。你的问题、附上的文件和此前的对话连成一长串 Token，称为上下文。上下文之外的事，模型一概不知。',
    '选出的 Token 加入序列，工作重新开始。因此回答是流式到达的：最后的词还没写，最前的词早已完成。长回答比短回答慢，也是这个原因。',
    '当模型写出结束标记、遇到停止序列或达到 Token 上限时，回答结束。最后一种情况下文字会在中途断开，可以让它接着写。',
  ],
];
