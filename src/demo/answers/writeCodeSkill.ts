import { codeSamples } from './codeSamples';
import type { Question } from './question';
import type { Skill } from './skill';
import { asks } from './skill';
import { excerpt } from './words';

const wantsCode =
  /\b(?:code|function|script|program|snippet|class|regex|implement|typescript|javascript|python|golang|rust|java|bash|sql|html|css)\b|代码|函数|程序|脚本|实现|编写/i;
const wantsIt =
  /\b(?:write|show|give|make|create|implement|example|how|generate|code|in (?:typescript|python|rust|go|java|bash))\b|写|给|用|示例|例子|如何|怎么|编写|实现/i;
const others = /\b(rust|golang|go|java|kotlin|swift|ruby|php|bash|shell|sql|html|css|c\+\+|c#|regex)(?![\w+#])/i;

/** The samples, phrased as a person would ask for them. */
const offered: readonly [en: string, zh: string] = [
  'merge two sorted lists, retry with growing pauses, Fibonacci numbers, primes, reverse a text, fetch JSON, read a file line by line',
  '合并有序列表、失败重试、斐波那契数、质数、反转文本、请求 JSON、逐行读取文件',
];

function written(question: Question): string {
  const { say, ask } = question;
  const sample = codeSamples.find((item) => item.asked.test(ask));
  const other = others.exec(ask)?.[1];
  const isKnown = sample !== undefined && (other === undefined || /\bpython|typescript|javascript\b/i.test(ask));
  if (!isKnown)
    return say(
      `I cannot write that${other === undefined ? '' : ` in ${other}`}: the demo service has no model, only a few prepared functions in Python and TypeScript. Ask for one of these to see how code is shown: ${offered[0]}.`,
      `这个我写不了${other === undefined ? '' : `（${other}）`}：演示服务没有模型，只准备了几个 Python 和 TypeScript 函数。可以要其中一个看看效果：${offered[1]}。`,
    );
  const language = /\bpython\b|\bpy\b/i.test(ask) ? 'python' : 'typescript';
  return [
    say(`${sample.title[0]}:`, `${sample.title[1]}：`),
    `\`\`\`${language}\n${sample[language]}\n\`\`\``,
    sample.notes === undefined ? '' : say(...sample.notes),
    language === 'typescript' && /javascript|\bjs\b/i.test(ask)
      ? say('This is TypeScript: leave its types out for JavaScript.', '这是 TypeScript，去掉类型就是 JavaScript。')
      : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Answers with small prepared programs, or says that there is none for the request. */
export const writeCodeSkill: Skill = {
  name: 'program',
  fits: (question) =>
    question.material === '' &&
    excerpt(question.ask, 400) === question.ask.replace(/\s+/g, ' ').trim() &&
    asks(question, wantsCode) &&
    asks(question, wantsIt),
  write: written,
};
