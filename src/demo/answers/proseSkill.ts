import { pick } from '../seeded';
import type { Question } from './question';
import type { Skill } from './skill';
import { asks } from './skill';
import { keywordsOf, wordsOf } from './words';

type Templates = readonly [string, ...string[]];

const sentences: { readonly en: Templates; readonly zh: Templates } = {
  en: [
    'At first {a} looked like a small thing beside {b}.',
    'Nobody had asked what {b} was for, and so {a} went its own way.',
    'Then the morning came when {a} and {c} met in the same room.',
    'What had been said about {b} turned out to be half of it.',
    'Someone wrote “{c}” on the wall, and the day changed its direction.',
    'There is a patience in {a} that one learns only by waiting.',
    'The rest of {b} was work: quiet, exact, and done before noon.',
    'Of {c} there was more than anyone had counted.',
    'Whoever looks at {a} long enough begins to see {b} behind it.',
    'And still {c} kept its one open question.',
    'It took three tries until {a} stood upright without {b} to lean on.',
    'In the evening {c} was only a light at the end of the harbour.',
  ],
  zh: [
    '起初，{a}在{b}旁边并不起眼。',
    '没有人问过{b}是为了什么，于是{a}走了自己的路。',
    '直到那个早晨，{a}与{c}在同一间屋子里相遇。',
    '关于{b}的种种说法，原来只对了一半。',
    '有人在墙上写下“{c}”，那一天便改了方向。',
    '{a}里有一种耐心，只有等待的人才学得会。',
    '剩下的{b}都是安静而准确的活儿，中午之前就做完了。',
    '看{a}看得够久，就会看见它身后的{b}。',
    '而{c}仍然留着那个没有答案的问题。',
    '傍晚时分，{c}只是港口尽头的一盏灯。',
  ],
};

/** Prose of about so many words about the question's own words. */
export function proseAbout({ ask, material, language, random }: Question, words: number): string {
  const [a = language === 'zh' ? '它' : 'it', b = a, c = b, ...more] = keywordsOf(
    `${ask} ${material}`.replace(/\d+/g, ''),
    6,
  );
  const names = [a, b, c, ...more];
  const paragraphs: string[] = [];
  let written = 0;
  let current: string[] = [];
  let last = '';
  while (written < words) {
    let template = pick(sentences[language], random);
    while (template === last) template = pick(sentences[language], random);
    last = template;
    const start = Math.floor(random() * names.length);
    const sentence = template.replace(
      /\{([abc])\}/g,
      (_, key: string) => names[(start + 'abc'.indexOf(key)) % names.length] ?? a,
    );
    current.push(sentence.slice(0, 1).toUpperCase() + sentence.slice(1));
    written += wordsOf(sentence).length;
    if (current.length === 5) {
      paragraphs.push(current.join(language === 'zh' ? '' : ' '));
      current = [];
    }
  }
  return [...paragraphs, ...(current.length > 0 ? [current.join(language === 'zh' ? '' : ' ')] : [])].join('\n\n');
}

function haiku({ ask, language, random }: Question): string {
  const [a = 'light', b = a] = keywordsOf(ask.replace(/haiku|poem|俳句|诗/gi, ' '), 3);
  const en = [
    `_${a}_, before the rain`,
    `a cold branch leans toward ${b}`,
    pick(['the bell has not rung', 'and then, one small sound', 'nobody looks up'], random),
  ];
  const zh = [`${a}未眠时`, `一枝斜向${b}影`, pick(['钟声还没响', '忽有一声轻', '无人抬头看'], random)];
  return (language === 'zh' ? zh : en).map((line) => `> ${line}`).join('  \n');
}

const asksLength = /(\d{2,5})[\s-]*(?:words?|字|词)/i;

/** Stories, poems and texts of an asked length. */
export const proseSkill: Skill = {
  name: 'prose',
  fits: (question) =>
    asks(
      question,
      /\b(story|poem|haiku|essay|letter|paragraph|article|long (?:text|answer))\b|故事|诗|俳句|作文|文章|散文/i,
    ) ||
    (asksLength.test(question.ask) && asks(question, /\b(write|about|text)\b|写/i)),
  write: (question) => {
    if (asks(question, /haiku|poem|俳句|诗/i)) return haiku(question);
    return proseAbout(question, Math.min(Number(asksLength.exec(question.ask)?.[1] ?? 120), 20_000));
  },
};
