import { arithmeticSkill } from './arithmeticSkill';
import { codeSkill } from './codeSkill';
import { countSkill } from './countSkill';
import { explainSkill } from './explainSkill';
import { greetingSkill } from './greetingSkill';
import { asRecord, jsonSkill } from './jsonSkill';
import { labelSkill } from './labelSkill';
import { listSkill } from './listSkill';
import { proseSkill } from './proseSkill';
import type { Question } from './question';
import { rewriteSkill } from './rewriteSkill';
import type { Skill } from './skill';
import { summarySkill } from './summarySkill';
import { tableSkill } from './tableSkill';
import { excerpt, keywordsOf } from './words';

/** In the order their parts appear when a question asks for several things. */
const skills: readonly Skill[] = [
  labelSkill,
  greetingSkill,
  countSkill,
  summarySkill,
  rewriteSkill,
  codeSkill,
  jsonSkill,
  tableSkill,
  proseSkill,
  listSkill,
  arithmeticSkill,
];

/** Skills that answer whole; a second one beside them would only repeat. */
const alone = new Set(['label', 'greeting', 'prose', 'code', 'rewrite']);

/** The answer to a question, in Markdown. The same question and seed give the same answer. */
export function compose(question: Question): string {
  const fitting = skills.filter((skill) => skill.fits(question));
  const single = fitting.find((skill) => alone.has(skill.name));
  const chosen = single === undefined ? fitting.slice(0, 3) : [single];
  if (chosen.length === 0) return explainSkill.write(question);
  return chosen.map((skill) => skill.write(question)).join('\n\n');
}

/** The answer where the request demands a JSON object and nothing else. */
export const composeJson = (question: Question): string => JSON.stringify(asRecord(question), undefined, 2);

/** What a thinking model says to itself first. */
export function composeThinking(question: Question): string {
  const { ask, attachments, say } = question;
  const fitting = skills.filter((skill) => skill.fits(question)).map((skill) => skill.name);
  const keys = keywordsOf(ask, 4);
  return [
    say(`The question is “${excerpt(ask, 100)}”.`, `问题是“${excerpt(ask, 80)}”。`),
    keys.length > 0 ? say(`It turns on ${keys.join(', ')}.`, `关键在于${keys.join('、')}。`) : '',
    attachments.length > 0
      ? say(
          `There ${attachments.length === 1 ? 'is one text' : `are ${attachments.length} texts`} attached, so the answer should work on that rather than on what I remember.`,
          `附有 ${attachments.length} 段文本，应当以它为准而不是凭记忆。`,
        )
      : say('Nothing is attached, so I have only the words themselves.', '没有附件，只能依据问题本身。'),
    fitting.length > 0
      ? say(
          `What is wanted is a ${fitting.join(' and a ')}. I will give that first and keep the rest short.`,
          `需要的是：${fitting.join('、')}。先给出它，其余从简。`,
        )
      : say(
          'No particular form is asked for: a short answer, then what to settle next.',
          '没有指定形式：先简短回答，再说下一步。',
        ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
