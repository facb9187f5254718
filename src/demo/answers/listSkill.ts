import type { Question } from './question';
import type { Skill } from './skill';
import { readItems } from './tables';
import { excerpt, sentencesOf } from './words';

const wants =
  /\b(list|bullets?|bullet points|outline|steps?|checklist|plan|to-?do|ideas?|ways|names?)\b|列表|列出|列举|要点|大纲|提纲|步骤|清单|计划|方案|点子/i;

/** Matches mentions of an existing list, which do not ask for a new one. */
const namedList =
  /\b(?:from|of|this|that|the|these|my|following|into json)\s+(?:\w+\s+)?(?:list|names?|items?)\b|(?:这个|下面的|以下)列表/gi;

/** Returns the number of items asked for, if any. */
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

/** Answers with an outline of the attachments. */
export const listSkill: Skill = {
  name: 'list',
  fits: ({ ask, material }) => material !== '' && wants.test(ask.replace(namedList, ' ')),
  write: (question) => {
    const { say, ask } = question;
    const count = wantedCount(ask);
    const points = outlineOf(question);
    const shown = count === undefined ? points.slice(0, 24) : points.slice(0, count);
    return [say(`The text in ${shown.length} points:`, `全文 ${shown.length} 点：`), shown.join('\n')].join('\n\n');
  },
};
