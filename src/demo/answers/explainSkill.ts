import { pick } from '../seeded';
import { glossary } from './glossary';
import type { Question } from './question';
import type { Skill } from './skill';
import { salientSentences } from './summarySkill';
import { tableOf } from './tables';
import { excerpt, keywordsOf, linesOf, wordsOf } from './words';

function opening({ ask, say, random }: Question): string {
  const quote = excerpt(ask, 120);
  return say(
    pick([`You ask: “${quote}”`, `On “${quote}”:`, `“${quote}” – here is what I can make of it.`], random),
    pick([`你问的是：“${quote}”`, `关于“${quote}”：`, `“${quote}”——整理如下。`], random),
  );
}

function fromMaterial({ material, attachments, say }: Question): string {
  const name = attachments.find((item) => item.name !== undefined)?.name;
  const sentences = salientSentences(material, 2);
  const quoted =
    sentences.length > 0
      ? sentences
      : linesOf(material)
          .filter((line) => line.trim() !== '')
          .slice(0, 2);
  const lines = linesOf(material).length;
  return [
    say(
      `The text you attached${name === undefined ? '' : ` (\`${name}\`)`} has ${wordsOf(material).length} words in ${lines} line${lines === 1 ? '' : 's'}. The part that bears on it:`,
      `你附上的文本${name === undefined ? '' : `（\`${name}\`）`}共 ${lines} 行、${wordsOf(material).length} 字，与问题最相关的是：`,
    ),
    quoted.map((sentence) => `> ${excerpt(sentence, 240)}`).join('\n>\n'),
  ].join('\n\n');
}

function aspects(question: Question): string {
  const { ask, say, random } = question;
  const keys = keywordsOf(ask, 4);
  if (keys.length === 0) return '';
  const angles = [
    say('what it is, in one sentence of your own', '用自己的一句话说清它是什么'),
    say('where it begins and where it ends', '它从哪里开始，到哪里结束'),
    say('what would be different without it', '没有它会有什么不同'),
    say('the smallest example that still shows it', '仍能体现它的最小例子'),
    say('who needs it, and how they would notice it failing', '谁需要它，出错时怎么发现'),
  ];
  const start = Math.floor(random() * angles.length);
  const rows = keys.map((key, index) => [key, angles[(start + index) % angles.length] ?? '']);
  return tableOf([say('In your question', '问题中的关键'), say('Worth settling', '值得先弄清')], rows);
}

/** Whatever no other skill takes: what the demo knows about the terms, what the material says, what to settle next. */
export const explainSkill: Skill = {
  name: 'explain',
  fits: () => true,
  write: (question) => {
    const { say, ask, material, earlier, images } = question;
    const known = glossary.filter((entry) => entry.named.test(ask)).slice(0, 3);
    const before = earlier.at(-1);
    return [
      opening(question),
      ...known.map((entry) => say(entry.en, entry.zh)),
      images > 0
        ? say(
            `You attached ${images} picture${images === 1 ? '' : 's'}; the demo service does not look into pictures.`,
            `你附了 ${images} 张图片；演示服务不会查看图片内容。`,
          )
        : '',
      material === '' ? '' : fromMaterial(question),
      known.length > 0 && material === '' ? '' : aspects(question),
      before === undefined
        ? ''
        : say(
            `Before this you asked “${excerpt(before, 70)}”; say so if the two belong together.`,
            `此前你问过“${excerpt(before, 50)}”，如果两者相关请告诉我。`,
          ),
      known.length > 0
        ? ''
        : say(
            '_The demo service works by rules on your own words; a real model would answer from what it knows._',
            '_演示服务只按规则处理你的原文；真实模型会用它的知识来回答。_',
          ),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  },
};
