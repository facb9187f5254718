import { arithmeticSkill } from './arithmeticSkill';
import { codeSkill } from './codeSkill';
import { countSkill } from './countSkill';
import { explainSkill } from './explainSkill';
import { factsSkill } from './factsSkill';
import { greetingSkill } from './greetingSkill';
import { jsonSkill } from './jsonSkill';
import { knownSkill } from './knownSkill';
import { labelSkill } from './labelSkill';
import { listSkill } from './listSkill';
import { messageSkill } from './messageSkill';
import { proseSkill } from './proseSkill';
import type { Question } from './question';
import { rewriteSkill } from './rewriteSkill';
import { asRecord } from './shape';
import type { Skill } from './skill';
import { summarySkill } from './summarySkill';
import { tableSkill } from './tableSkill';
import { excerpt, linesOf } from './words';
import { writeCodeSkill } from './writeCodeSkill';

/** In order of priority: the first skill that fits answers. */
const skills: readonly Skill[] = [
  labelSkill,
  messageSkill,
  knownSkill,
  greetingSkill,
  countSkill,
  codeSkill,
  writeCodeSkill,
  rewriteSkill,
  jsonSkill,
  tableSkill,
  summarySkill,
  proseSkill,
  listSkill,
  factsSkill,
  arithmeticSkill,
];

/** Skills that answer with nothing but what was asked for. */
const bare = new Set(['label', 'message', 'greeting', 'prose']);

/** How models phrase the same answer: what they say before and after it. */
const manners: readonly (readonly [
  before: readonly [en: string, zh: string],
  after: readonly [en: string, zh: string],
])[] = [
  [
    ['', ''],
    ['', ''],
  ],
  [
    ['', ''],
    ['Let me know if you have more questions.', '欢迎继续提问。'],
  ],
  [
    ['Here is what I have.', '以下是我的回答。'],
    ['', ''],
  ],
  [
    ['', ''],
    ['I hope that helps.', '希望对你有帮助。'],
  ],
  [
    ['Gladly.', '好的。'],
    ['', ''],
  ],
  [
    ['Let us take it in order.', '我们按顺序来看。'],
    ['', ''],
  ],
  [
    ['', ''],
    ['That is my answer in short.', '以上就是简要回答。'],
  ],
  [
    ['Certainly.', '没问题。'],
    ['Let me know if you have more questions.', '欢迎继续提问。'],
  ],
  [
    ['Here is my answer.', '回答如下。'],
    ['I hope that helps.', '希望对你有帮助。'],
  ],
];

const skillFor = (question: Question): Skill | undefined => skills.find((skill) => skill.fits(question));

/** Whether the question and its attachments suffice for an answer, so that no tool is needed. */
export const isAnswerable = (question: Question): boolean => {
  const skill = skillFor(question);
  return skill !== undefined && skill !== factsSkill;
};

/** Returns the answer to a question, in Markdown. The same question, model and seed give the same answer. */
export function compose(question: Question): string {
  const skill = skillFor(question) ?? explainSkill;
  const text = skill.write(question);
  if (bare.has(skill.name)) return text;
  const [before, after] = manners[Math.abs(question.voice) % manners.length] ?? [];
  return [before, [text, text] as const, after]
    .flatMap((part) => (part === undefined ? [] : [question.say(...part)]))
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns the answer if the request demands a JSON object and nothing else. */
export const composeJson = (question: Question): string => JSON.stringify(asRecord(question), undefined, 2);

/** Returns the thinking that precedes an answer. */
export function composeThinking(question: Question): string {
  const { ask, attachments, say } = question;
  return [
    say(`The question is “${excerpt(ask, 100)}”.`, `问题是“${excerpt(ask, 80)}”。`),
    ...attachments
      .slice(0, 3)
      .map(({ name, text }) =>
        say(
          `Attached is ${name === undefined ? 'a text' : `\`${name}\``} of ${linesOf(text).length} line${linesOf(text).length === 1 ? '' : 's'}; the answer has to go by it.`,
          `附有${name === undefined ? '一段文本' : ` \`${name}\``}，共 ${linesOf(text).length} 行，回答以它为准。`,
        ),
      ),
    say('A direct answer first, then what belongs to it.', '先直接回答，再补充相关内容。'),
  ].join('\n\n');
}
