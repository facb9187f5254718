import type { Question } from './question';
import type { Skill } from './skill';
import { readItems } from './tables';
import { excerpt, keywordsOf, sentencesOf } from './words';

const wants =
  /\b(list|bullets?|bullet points|outline|steps?|checklist|plan|to-?do|ideas?|ways|names?)\b|列表|列出|列举|要点|大纲|提纲|步骤|清单|计划|方案|点子/i;

/** A list that is there already is not one that is asked for. */
const namedList =
  /\b(?:from|of|this|that|the|these|my|following|into json)\s+(?:\w+\s+)?(?:list|names?|items?)\b|(?:这个|下面的|以下)列表/gi;
const asksHow = /^\s*how (?:do|can|should|would|to)\b|如何|怎么|怎样/i;

/** How many items the person names, if any. */
function wantedCount(ask: string): number | undefined {
  const words: Readonly<Record<string, number>> = {
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    ten: 10,
    两: 2,
    三: 3,
    四: 4,
    五: 5,
    六: 6,
    十: 10,
  };
  const figure = /(\d{1,2})\s*(?:\w+\s+)?(?:bullets?|points?|steps?|items?|ideas?|ways|names?|个|条|点|步)/i.exec(
    ask,
  )?.[1];
  const word = /\b(two|three|four|five|six|seven|eight|ten)\b|([两三四五六十])[个条点步]/i.exec(ask);
  return figure === undefined ? words[(word?.[1] ?? word?.[2] ?? '').toLowerCase()] : Math.max(1, Number(figure));
}

function outlineOf(question: Question): readonly string[] {
  const headings = question.material.match(/^#{1,6} .+$/gm);
  if (headings !== null && headings.length > 1) {
    return headings.map((heading) => `${'  '.repeat(heading.indexOf(' ') - 1)}- ${heading.replace(/^#+\s*/, '')}`);
  }
  const items = readItems(question.material);
  const points = items ?? sentencesOf(question.material);
  return points.map((point) => `- ${excerpt(point, 110)}`);
}

function planFor({ ask, say, random }: Question, count: number): readonly string[] {
  const topic = keywordsOf(ask, 4);
  const [main = say('this', '这件事'), second = main, third = second] = topic;
  const steps = [
    say(`**Say what done looks like** for ${main}, in one sentence`, `**用一句话写清目标**：${main} 做到什么算完成`),
    say(
      `**Collect what is there**: notes, data and people around ${second}`,
      `**收集现状**：与${second}有关的资料、数据和人`,
    ),
    say(`**Cut the first slice** of ${main} that works on its own`, `**切出第一块**能独立工作的${main}`),
    say(
      `**Try it on a real case** of ${third} and write down what surprises you`,
      `**用真实案例检验**${third}，记下意外`,
    ),
    say(`**Measure** before and after; keep the figure beside ${main}`, `**度量**前后差别，把数字留在${main}旁边`),
    say(`**Ask one outsider** to use ${second} without help`, `**请一位局外人**独立使用${second}`),
    say(`**Remove** what nobody missed in ${third}`, `**删掉**${third}中没人想念的部分`),
    say(`**Decide the next step** and who takes it`, `**定下一步**和负责人`),
  ];
  const start = Math.floor(random() * 2);
  return Array.from({ length: count }, (_, index) => `${index + 1}. ${steps[(index + start) % steps.length] ?? ''}`);
}

/** An outline of what is attached, or a plan about what is asked. */
export const listSkill: Skill = {
  name: 'list',
  fits: ({ ask, material }) => wants.test(ask.replace(namedList, ' ')) || (material === '' && asksHow.test(ask)),
  write: (question) => {
    const { say, material, ask } = question;
    const count = wantedCount(ask);
    if (material !== '') {
      const points = outlineOf(question);
      const shown = count === undefined ? points.slice(0, 24) : points.slice(0, count);
      return [say(`The text in ${shown.length} points:`, `全文 ${shown.length} 点：`), shown.join('\n')].join('\n\n');
    }
    return [
      say(`For “${excerpt(ask, 80)}”:`, `关于“${excerpt(ask, 60)}”：`),
      planFor(question, Math.min(count ?? 5, 20)).join('\n'),
    ].join('\n\n');
  },
};
