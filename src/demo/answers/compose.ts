import { answerFromText, describeText } from './attachedText';
import { answerGreeting, answerKnown, answerTerm } from './curated';
import { answerFact } from './facts';
import { answerLabel } from './labels';
import { answerMessage } from './messages';
import { answerHowTo, nextStep } from './productHelp';
import { answerProgram } from './programs';
import { answerProse } from './prose';
import type { Question } from './question';
import { asRecord } from './shape';
import { excerpt, linesOf } from './words';

/** Answers in Markdown, or returns `undefined` if the question is not of its kind. */
type Skill = (question: Question) => string | undefined;

/** In order of priority. The plain ones answer with nothing but what was asked for. */
const plain: readonly Skill[] = [answerLabel, answerMessage];
const spoken: readonly Skill[] = [
  answerKnown,
  answerGreeting,
  answerProse,
  answerHowTo,
  answerTerm,
  answerFromText,
  answerProgram,
];

/** Whether rules and prepared texts suffice for an answer, so that no tool is needed. */
export const isAnswerable = (question: Question): boolean =>
  [...plain, ...spoken].some((skill) => skill(question) !== undefined);

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
    ['Here’s the answer.', '以下是回答。'],
    ['', ''],
  ],
  [
    ['', ''],
    ['I hope that helps.', '希望对你有帮助。'],
  ],
  [
    ['Good question.', '好问题。'],
    ['', ''],
  ],
  [
    ['Let’s look at it.', '我们来看看。'],
    ['', ''],
  ],
  [
    ['', ''],
    ['That’s the short answer.', '以上是简要回答。'],
  ],
  [
    ['Sure.', '没问题。'],
    ['Let me know if you have more questions.', '欢迎继续提问。'],
  ],
  [
    ['Here’s the answer.', '以下是回答。'],
    ['I hope that helps.', '希望对你有帮助。'],
  ],
];

const firstAnswer = (skills: readonly Skill[], question: Question): string | undefined => {
  for (const skill of skills) {
    const text = skill(question);
    if (text !== undefined) return text;
  }
  return undefined;
};

const isBare = (text: string): boolean => /^(?:>|_)/.test(text);

/** Returns the answer to a question, in Markdown. The same question, model, and seed give the same answer. */
export function compose(question: Question): string {
  const short = firstAnswer(plain, question);
  if (short !== undefined) return short;
  const text = firstAnswer(spoken, question) ?? answerFact(question) ?? withoutModel(question);
  const [before, after] = manners[Math.abs(question.voice) % manners.length] ?? [];
  if (isBare(text) || before === undefined || after === undefined) return text;
  const [, said = text, link = ''] = /^([\s\S]*?)(?:\n\n(\[[^\]\n]+\]\(command:[^)\n]+\)))?$/.exec(text) ?? [];
  return [question.say(...before), said, question.say(...after), link].filter((part) => part !== '').join('\n\n');
}

const goesOn =
  /^\W*(?:and (?:then|now|so)|then|so|go on|continue|more|why|really|what else|ok(?:ay)?|and)\b.{0,12}$|^(?:然后|继续|还有|为什么)[呢吗?？。]*$/i;

/** Says why the demo has no answer, what it sees, and one thing to do next. */
function withoutModel(question: Question): string {
  const { say, ask, earlier, images } = question;
  const before = earlier.at(-1);
  const reason =
    images > 0
      ? say('The demo service has no model, so it does not look into pictures.', '演示服务没有模型，不会查看图片内容。')
      : goesOn.test(ask) && before !== undefined
        ? say(
            `That's all the demo service has on "${excerpt(before, 80)}".`,
            `关于“${excerpt(before, 60)}”，演示服务能说的就是这些。`,
          )
        : say(
            `The demo service has no model, so it has no answer to "${excerpt(ask, 100)}".`,
            `演示服务没有模型，无法回答“${excerpt(ask, 80)}”。`,
          );
  return [reason, describeText(question), nextStep(question)].filter((part) => part !== '').join('\n\n');
}

/** Returns the answer if the request demands a JSON object and nothing else. */
export const composeJson = (question: Question): string => JSON.stringify(asRecord(question), undefined, 2);

/** Returns the thinking that precedes an answer. */
export function composeThinking(question: Question): string {
  const { ask, attachments, say } = question;
  return [
    say(`The question is "${excerpt(ask, 100)}".`, `问题是“${excerpt(ask, 80)}”。`),
    ...attachments.slice(0, 3).map(({ name, text }) => {
      const lines = linesOf(text).length;
      const label = name === undefined ? say('A text', '一段文本') : `\`${name}\``;
      return say(`${label} with ${lines} line${lines === 1 ? '' : 's'} is attached.`, `附有${label}，共 ${lines} 行。`);
    }),
    say('I look for a rule or a prepared text that answers it.', '查找能回答它的规则或准备好的文字。'),
  ].join('\n\n');
}
