import { addDocs } from './code/docs';
import { explain, overviewOf, range } from './code/explain';
import { fix, findingsIn } from './code/findings';
import { explainJson } from './code/json';
import { jsonTypes } from './code/jsonShape';
import { explainMarkdown, markdownOverview } from './code/markdown';
import { definitionsOf, headOf } from './code/outline';
import { rename } from './code/rename';
import { type Source, inCode, readSource } from './code/source';
import { writeTests } from './code/tests';
import { addTypes } from './code/types';
import { phrase, statementsOf } from './code/walk';
import type { Question } from './question';
import type { Skill } from './skill';
import { salientSentences } from './summarySkill';
import { excerpt } from './words';

type Task = (source: Source, question: Question) => string;

const target = String.raw`(rust|golang|go|java|kotlin|swift|ruby|php|perl|scala|haskell|lua|c\+\+|c#|c|python|javascript|typescript|yaml|toml|xml|sql|bash|html|german|french|spanish|chinese|english)`;
const ports = new RegExp(
  String.raw`\b(?:port|translate|convert|rewrite|turn|transpile|migrate)\b[^.?]*?\b(?:to|into|in)\s+(?:a\s+)?${target}(?![\w+#])|(?:移植|翻译|改写|转换|转)(?:成|为|到)\s*${target}`,
  'i',
);

function port(source: Source, question: Question): string {
  const { ask, say } = question;
  const match = ports.exec(ask);
  const into = match?.[1] ?? match?.[2] ?? '';
  if (/typescript/i.test(into) && source.family === 'json') return jsonTypes(source, question);
  if (/typescript/i.test(into) && source.called === 'JavaScript') return addTypes(source, question);
  const names = definitionsOf(source)
    .filter(({ owner }) => owner === '')
    .map(
      (one) =>
        `${inCode(headOf(one, source.family === 'python'), 100)} (${range(source, one.at, one.endAt, question)})`,
    );
  return [
    say(
      `I cannot write this in ${into}: the demo service has no model, and works on code by rules. A real model can, once you sign in.`,
      `我无法把它改写成 ${into}：演示服务没有模型，只按规则处理代码。登录后，真实模型可以做到。`,
    ),
    ...(names.length === 0
      ? []
      : [say(`A port has to cover: ${names.join(', ')}.`, `移植需要覆盖：${names.join('、')}。`)]),
  ].join('\n\n');
}

function change(source: Source, question: Question): string {
  const { say } = question;
  const honest = say(
    'I cannot rewrite this or add to it: the demo service has no model. What I can do with it by rules: explain, fix, tests, types, comments, rename, summarise.',
    '我不能改写或增补内容：演示服务没有模型。按规则能做的有：解释、修正、测试、类型、注释、重命名、总结。',
  );
  const isCode = source.family === 'python' || source.family === 'script';
  return isCode && findingsIn(source).length > 0 ? [honest, fix(source, question)].join('\n\n') : honest;
}

function summarise(source: Source, question: Question): string {
  if (source.family === 'json') return explainJson(source, question).split('\n\n')[0] ?? '';
  if (source.family === 'markdown') {
    const told = salientSentences(source.lines.filter((line) => !/^\s*(?:#|\||```)/.test(line)).join('\n'), 3);
    return told.length === 0
      ? explainMarkdown(source, question)
      : [markdownOverview(source, question), told.map((one) => `> ${excerpt(one, 240)}`).join('\n>\n')].join('\n\n');
  }
  const docs = definitionsOf(source)
    .filter(({ doc }) => doc !== '')
    .slice(0, 6);
  const heads = definitionsOf(source)
    .filter(({ kind }) => kind === 'function')
    .slice(0, 6);
  const shown =
    docs.length > 0
      ? docs.map(({ name, doc }) => `- ${inCode(name)}: ${doc}`)
      : heads.map(
          (one) =>
            `- ${inCode(headOf(one, source.family === 'python'), 100)}, ${range(source, one.at, one.endAt, question)}`,
        );
  return [overviewOf(source, question), shown.join('\n')].filter((part) => part !== '').join('\n\n');
}

const overview: Task = (source, question) =>
  source.family === 'json' || source.family === 'markdown'
    ? (explain(source, question).split('\n\n')[0] ?? '')
    : overviewOf(source, question);

const lineAsked = /\blines? (\d+)\b|第 ?(\d+) ?行/i;

function tellLine(source: Source, question: Question): string {
  const { ask, say } = question;
  const [, en, zh] = lineAsked.exec(ask) ?? [];
  const number = Number(en ?? zh);
  const at = number - source.firstLine;
  const line = source.lines[at];
  if (line === undefined)
    return say(
      `There is no line ${number}: it has lines ${source.firstLine} to ${source.firstLine + source.lines.length - 1}.`,
      `没有第 ${number} 行：共第 ${source.firstLine} 到 ${source.firstLine + source.lines.length - 1} 行。`,
    );
  const statement = statementsOf(source, 0, source.lines.length - 1).findLast((one) => one.at <= at);
  const words = statement === undefined ? undefined : phrase(source, statement, question);
  const owner = definitionsOf(source).findLast((one) => one.at <= at && one.endAt >= at);
  const where = owner === undefined ? '' : say(` It is in ${inCode(owner.name)}.`, `它在 ${inCode(owner.name)} 中。`);
  return say(
    `Line ${number} is ${inCode(line)}.${words === undefined ? '' : ` It ${words.replace(/:$/, '')}.`}${where}`,
    `第 ${number} 行是 ${inCode(line)}。${words === undefined ? '' : `它${words.replace(/：$/, '')}。`}${where}`,
  );
}

const tasks: readonly (readonly [name: string, asked: RegExp, task: Task])[] = [
  ['port', ports, port],
  ['rename', /\brename\b|\b(?:better|good|clearer) (?:variable )?names?\b|重命名|改名|(?:改为|改成)/i, rename],
  [
    'fix',
    /^\W*(?:please |can you |could you |help me )?(?:fix|review|debug|correct|lint|find (?:the|a|any) (?:bug|error|problem|mistake))|^(?:请|帮我)?(?:修复|修正|审查|找出)/i,
    fix,
  ],
  ['tests', /\b(?:unit )?tests?\b|测试/i, writeTests],
  ['types', /\btype (?:hints?|annotations?)\b|\btypes\b|\b(?:interface|schema)\b|\bannotate\b|类型/i, addTypes],
  [
    'docs',
    /\bdocument (?:this|the|it|these|my|each|every|all)\b|\bdoc ?strings?\b|\bdocumentation\b|\bdocs\b|\b[jt]sdoc\b|\bcomments?\b|table of contents|文档字符串|注释|写文档|目录/i,
    addDocs,
  ],
  [
    'summary',
    /\bsummar|\btl;?dr\b|\bin (?:short|brief|one sentence|a sentence)\b|\boverview\b|\bgist\b|\boutline\b|总结|概括|摘要|概述/i,
    summarise,
  ],
  ['compare', /\bdifferen(?:t|ce)|\bcompare\b|区别|比较/i, overview],
  [
    'change',
    /^\W*(?:please |can you |could you |now )?(?:refactor|optimi[sz]e|improve|simplify|rewrite|implement|extend|add|make|replace|change|convert|port|translate)\b|重构|优化|改写|简化|实现|添加|增加|翻译|\bhow (?:can|could|do|should|would) (?:i|we|you) (?:improve|optimi[sz]e|simplify|refactor|speed)/i,
    change,
  ],
  [
    'fix',
    /\b(?:fix|bugs?|debug|wrong|review|errors?|mistakes?|problems?|issues?|correct|lint|valid|broken|fails?|check|works?|lint)\b|修复|修正|错误|问题|审查|检查|漏洞/i,
    fix,
  ],
  ['line', lineAsked, tellLine],
  [
    'explain',
    /\bexplain|\bwhat (?:does|do|is|are)\b|\bhow (?:does|do|is)\b|\bwhat'?s\b|\bunderstand\b|\bdescribe\b|\bwalk\b|\btell me about\b|\bread\b|\bwhere\b|解释|说明|讲解|哪里|在哪|做什么|什么意思|是什么|干什么|分析|介绍/i,
    explain,
  ],
];

const taskOf = ({ ask }: Question) => tasks.find(([, asked]) => asked.test(ask));

/** Returns the attached code and structured texts. */
export const sourcesOf = ({ attachments }: Question): readonly Source[] =>
  attachments.flatMap((item) => readSource(item) ?? []);

/** Handles attached code: explain, fix, write tests, add types or comments, rename, summarise. */
export const codeSkill: Skill = {
  name: 'code',
  fits: (question) => {
    const sources = sourcesOf(question);
    if (sources.length === 0) return false;
    const isCode = sources.some(({ family }) => family === 'python' || family === 'script' || family === 'other');
    return isCode || taskOf(question) !== undefined;
  },
  write: (question) => {
    const sources = sourcesOf(question);
    const [, , task = explain] = taskOf(question) ?? [];
    const isAsked = !['compare', undefined].includes(taskOf(question)?.[0]);
    const told = sources.slice(0, 4).map((source) => task(source, question));
    return [
      ...(isAsked
        ? []
        : [
            question.say(
              'I cannot reason about code: the demo service has no model. What stands in it, I can tell:',
              '我无法对代码进行推理：演示服务没有模型。代码里写了什么，我可以说明：',
            ),
          ]),
      ...told,
    ].join('\n\n');
  },
};
