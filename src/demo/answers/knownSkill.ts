import { known } from './curated';
import { glossary } from './glossary';
import type { Question } from './question';
import type { Skill } from './skill';

const asksMeaning =
  /\bwhat(?:'s| is| are| does)\b|\bexplain\b|\bdefine\b|\bmean(?:s|ing)?\b|\bdescribe\b|\btell me about\b|\bhow (?:do|does|is|are)\b.*\bwork|^\W*(?:a |an |the )?[\w -]{2,24}\?*$|什么是|是什么|解释|含义|什么意思|介绍/i;

const curatedFor = ({ ask, material }: Question) =>
  known.find(({ asked }) => asked.test(`${ask}\n${material.slice(0, 400)}`));

function terms({ ask, material }: Question): readonly (readonly [en: string, zh: string])[] {
  if (material !== '' || ask.length > 200 || !asksMeaning.test(ask)) return [];
  return glossary
    .filter((entry) => entry.named.test(ask))
    .slice(0, 3)
    .map(({ en, zh }) => [en, zh]);
}

/** Answers questions and terms that have a prepared answer. */
export const knownSkill: Skill = {
  name: 'known',
  fits: (question) => curatedFor(question) !== undefined || terms(question).length > 0,
  write: (question) => {
    const { say, voice } = question;
    const found = curatedFor(question);
    if (found === undefined)
      return terms(question)
        .map((pair) => say(...pair))
        .join('\n\n');
    const more = found.more === undefined || voice % 2 === 1 ? [] : [say(...found.more)];
    return [say(found.en, found.zh), ...more].join('\n\n');
  },
};
