import { readParts } from './attachments';
import { answerFromText, describeText } from './attachedText';
import { answerDifference, answerGreeting, answerKnown, answerTerm } from './curated';
import { answerBare, answerFact } from './facts';
import { answerLabel, weight } from './labels';
import { answerHowTo, nextStep } from './productHelp';
import { answerProgram } from './programs';
import { answerProse } from './prose';
import type { Question } from './question';
import { asRecord } from './shape';
import { excerpt, linesOf } from './words';

/** Answers in Markdown, or returns `undefined` if the question is not of its kind. */
type Skill = (question: Question) => string | undefined;

/** In order of priority. The plain ones answer with nothing but what was asked for. */
const plain: readonly Skill[] = [answerTitle, answerLabel, answerMessage, answerBare];
const spoken: readonly Skill[] = [
  answerSummary,
  answerKnown,
  answerGreeting,
  answerProse,
  answerDifference,
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
  const text = firstAnswer(spoken, question) ?? answerFact(question);
  if (text === undefined) return withoutModel(question);
  const [before, after] = manners[Math.abs(question.voice) % manners.length] ?? [];
  if (isBare(text) || before === undefined || after === undefined) return text;
  const [, said = text, link = ''] = /^([\s\S]*?)(?:\n\n(\[[^\]\n]+\]\(command:[^)\n]+\)))?$/.exec(text) ?? [];
  return [question.say(...before), said, question.say(...after), link].filter((part) => part !== '').join('\n\n');
}

const asksForTitle = /\btitle for (?:the|this)(?: following)? (?:request|question|conversation|chat)\b/i;

/** Gives a conversation its title, as editors ask for it after the first question: the beginning of that. */
function answerTitle({ ask, material }: Question): string | undefined {
  if (material === '' || !asksForTitle.test(ask)) return undefined;
  return excerpt(material.replace(/[.。?？!！\s]+$/, ''), 48);
}

const asksForSummary =
  /^\W*(?:please )?summari[sz]e (?:this|our|the) (?:conversation|chat)\b|^\s*(?:请)?(?:总结|概括)(?:一下)?(?:这段|这次|此|本次|本|我们的?)?(?:对话|聊天)/i;

/** Lists the earlier questions, as a summary of the conversation; `undefined` for any other question, and without earlier ones. */
function answerSummary({ ask, earlier, say }: Question): string | undefined {
  if (earlier.length === 0 || !asksForSummary.test(ask)) return undefined;
  const questions = earlier.slice(-20).map((question) => `- ${excerpt(readParts(question).rest, 160)}`);
  return [say('So far, you asked:', '到目前为止，你问了：'), questions.join('\n')].join('\n\n');
}

const goesOn =
  /^\W*(?:and (?:then|now|so)|then|so|go on|continue|more|why|really|what else|and)\b.{0,12}$|^(?:然后|继续|还有|为什么)[呢吗?？。]*$/i;

/** Says why the demo has no answer, what it sees, and one thing to do next. */
function withoutModel(question: Question): string {
  const { say, ask, earlier, images } = question;
  const before = earlier.at(-1);
  const sentence = ask.replace(/[.。]+\s*$/, '');
  const reason =
    images > 0
      ? say('The demo service has no model, so it does not look into pictures.', '演示服务没有模型，不会查看图片内容。')
      : goesOn.test(ask) && before !== undefined
        ? say(
            `That's all the demo service has on "${excerpt(before, 80)}".`,
            `关于“${excerpt(before, 60)}”，演示服务能说的就是这些。`,
          )
        : say(
            `The demo service has no model, so it has no answer to "${excerpt(sentence, 100)}".`,
            `演示服务没有模型，无法回答“${excerpt(sentence, 80)}”。`,
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

const isReply =
  /\b(?:write|draft|compose|give)\b.*\b(?:answer|reply|response)\b.*\b(?:message|mail|email|customer|review|complaint)\b|\b(?:reply|respond|answer) to (?:this|the)\b.*\b(?:message|mail|email|customer|review)\b|回复.*(?:客户|邮件|消息|评论)/i;
const about =
  /\b(?:is|are|was) (?:this|that|the|it)\b.*?\babout (?:the )?([\w-]+),? or (?:about )?(?:the )?([\w-]+)\b/i;

const secondPerson: Readonly<Record<string, string>> = {
  i: 'you',
  me: 'you',
  my: 'your',
  mine: 'yours',
  we: 'you',
  us: 'you',
  our: 'your',
  am: 'are',
  "i'm": 'you are',
  "i've": 'you have',
};

/** Rephrases a customer's words in the second person: “I was charged twice.” becomes “you were charged twice”. */
function echoed(message: string): string {
  const [first = ''] = /^.+?(?=[.!?](?:\s|$)|$)/.exec(message.replace(/\s+/g, ' ').trim()) ?? [];
  const turned = first
    .replace(/\bI was\b/g, 'you were')
    .replace(/\bI['’]m\b/g, 'you are')
    .replace(/\bI['’]ve\b/g, 'you have')
    .replace(/\b(?:I|me|my|mine|we|us|our|am)\b/gi, (word) => secondPerson[word.toLowerCase()] ?? word);
  return turned.replace(/^(?:The|This|That|It|My|Your|A|An|One|Your)\b/, (word) => word.toLowerCase());
}

function reply({ ask, material, say }: Question): string {
  const tone = /\b(formal|brief|friendly)\b/i.exec(ask)?.[1]?.toLowerCase() ?? 'friendly';
  const echo = echoed(material);
  const isGlad = weight('positive', material) > weight('negative', material);
  const isQuestion = /\?\s*$/.test(material.trim());
  const feeling = isQuestion
    ? `thank you for your question: “${material.trim()}”`
    : isGlad
      ? `thank you for telling us that ${echo}`
      : `I am sorry that ${echo}`;
  const greeting = feeling.slice(0, 1).toUpperCase() + feeling.slice(1);
  const next =
    isGlad && !isQuestion
      ? 'I have passed your words on to my colleagues.'
      : 'Please send me your order number, so that I can look into it.';
  if (/\p{Script=Han}/u.test(material))
    return say(
      `Thank you for your message. ${next}`,
      '您好，感谢来信。很抱歉给您带来不便，请把订单号发给我，我来查看。',
    );
  if (tone === 'brief') return `${greeting}. ${next}`;
  if (tone === 'formal')
    return `Dear customer,\n\nThank you for your message. ${greeting}.\n\n${next}\n\nYours sincerely,\nCustomer Service`;
  return `Hello,\n\nThank you for getting in touch! ${greeting}.\n\n${next}\n\nKind regards,\nYour customer service`;
}

/** Returns the part of a text that indicates a label most strongly. */
const evidence = (label: string, text: string): string =>
  text
    .split(/[.;!?]\s*|,\s+(?:but|and|though)?\s*/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .toSorted((a, b) => weight(label, b) - weight(label, a))[0] ?? '';

function side(question: Question): string {
  const [, a = '', b = ''] = about.exec(question.ask) ?? [];
  const [x, y] = [weight(a, question.material), weight(b, question.material)];
  const label = y > x ? b : a;
  const both = x > 0 && y > 0 && Math.abs(x - y) < 1;
  const main = `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`;
  const quoted = evidence(label, question.material);
  return both
    ? `Both: the ${a} (“${evidence(a, question.material)}”) and the ${b} (“${evidence(b, question.material)}”).`
    : `**${main}**: “${quoted}”`;
}

/** Replies to a customer's message, or decides which of two topics it is about; `undefined` for any other question. */
function answerMessage(question: Question): string | undefined {
  if (question.material === '') return undefined;
  if (about.test(question.ask)) return side(question);
  return isReply.test(question.ask) ? reply(question) : undefined;
}
