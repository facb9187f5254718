import { weight } from './labels';
import type { Question } from './question';

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
function toldBack(message: string): string {
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
  const told = toldBack(material);
  const isGlad = weight('positive', material) > weight('negative', material);
  const isQuestion = /\?\s*$/.test(material.trim());
  const feeling = isQuestion
    ? `thank you for your question: “${material.trim()}”`
    : isGlad
      ? `thank you for telling us that ${told}`
      : `I am sorry that ${told}`;
  const said = feeling.slice(0, 1).toUpperCase() + feeling.slice(1);
  const next =
    isGlad && !isQuestion
      ? 'I have passed your words on to my colleagues.'
      : 'Please send me your order number, so that I can look into it.';
  if (/\p{Script=Han}/u.test(material))
    return say(
      `Thank you for your message. ${next}`,
      '您好，感谢来信。很抱歉给您带来不便，请把订单号发给我，我来查看。',
    );
  if (tone === 'brief') return `${said}. ${next}`;
  if (tone === 'formal')
    return `Dear customer,\n\nThank you for your message. ${said}.\n\n${next}\n\nYours sincerely,\nCustomer Service`;
  return `Hello,\n\nThank you for getting in touch! ${said}.\n\n${next}\n\nKind regards,\nYour customer service`;
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
export function answerMessage(question: Question): string | undefined {
  if (question.material === '') return undefined;
  if (about.test(question.ask)) return side(question);
  return isReply.test(question.ask) ? reply(question) : undefined;
}
