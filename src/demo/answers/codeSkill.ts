import { type CodeLanguage, codeFrames, codeSamples } from './codeSamples';
import type { Question } from './question';
import type { Skill } from './skill';
import { asks } from './skill';
import { tableOf } from './tables';
import { excerpt, keywordsOf, linesOf } from './words';

const languages: readonly (readonly [CodeLanguage, RegExp])[] = [
  ['typescript', /\btypescript\b|\bts\b/i],
  ['javascript', /\bjavascript\b|\bjs\b|\bnode\b/i],
  ['python', /\bpython\b|\bpy\b/i],
  ['go', /\bgolang\b|\bgo\b(?= (?:function|code|program))|\bin go\b/i],
  ['rust', /\brust\b/i],
  ['java', /\bjava\b/i],
  ['bash', /\b(bash|shell|sh)\b|脚本/i],
  ['sql', /\bsql\b|\bquery\b.*\btable\b/i],
  ['html', /\bhtml\b/i],
  ['css', /\bcss\b/i],
];

const wantsCode =
  /\b(code|function|script|program|snippet|class|regex|implement|typescript|javascript|python|golang|rust|java|bash|sql|html|css)\b|代码|函数|程序|脚本|实现|编写/i;
const asksAboutCode =
  /\b(review|explain|refactor|fix|bug|improve|wrong|test|document|comment)\b|审查|解释|重构|修复|改进|错误|测试|注释/i;

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

function wantedLanguage({ ask }: Question): CodeLanguage {
  return languages.find(([, pattern]) => pattern.test(ask))?.[0] ?? 'typescript';
}

/** What a careful reader would point at, line by line. */
function remarks(code: string, { say }: Question): readonly (readonly [string, string])[] {
  const rules: readonly (readonly [RegExp, string])[] = [
    [/\bTODO\b|\bFIXME\b/, say('an open task', '未完成的任务')],
    [/\bvar\s/, say('`var` leaks out of its block; use `const` or `let`', '`var` 会泄漏到块外，改用 `const` 或 `let`')],
    [/[^=!<>]==[^=]/, say('`==` converts its sides; `===` says what it means', '`==` 会隐式转换，建议 `===`')],
    [/except\s*:|catch\s*(?:\([^)]*\))?\s*\{\s*\}/, say('an error is swallowed without a word', '错误被悄悄吞掉')],
    [/\beval\s*\(/, say('`eval` runs whatever it is given', '`eval` 会执行任何输入')],
    [/console\.log|\bprint\(/, say('prints; fine in a sketch, noise in a library', '有打印语句，库代码里应去掉')],
    [/.{121,}/, say('longer than 120 characters', '超过 120 个字符')],
    [/\bany\b/, say('`any` turns the type check off here', '`any` 关闭了类型检查')],
  ];
  return linesOf(code).flatMap((line, index) =>
    rules.filter(([pattern]) => pattern.test(line)).map(([, remark]) => [String(index + 1), remark] as const),
  );
}

function aboutCode(question: Question, code: string, language: string): string {
  const { say } = question;
  const lines = linesOf(code);
  const names = [
    ...code.matchAll(/\b(?:function\*?|def|fn|func|class|interface|struct|const|let)\s+([A-Za-z_]\w*)/g),
  ].map((match) => match[1] ?? '');
  const deepest = Math.max(
    ...lines.map((line) => Math.floor((/^\s*/.exec(line)?.[0].replaceAll('\t', '  ').length ?? 0) / 2)),
  );
  const found = remarks(code, question);
  const first = lines.findIndex((line) => line.trim() !== '');
  return [
    say(
      `${lines.length} lines of ${language === '' ? 'code' : language}, nested ${deepest} deep${
        names.length > 0
          ? `; it defines ${[...new Set(names)]
              .slice(0, 8)
              .map((name) => `\`${name}\``)
              .join(', ')}`
          : ''
      }.`,
      `${lines.length} 行${language === '' ? '代码' : ` ${language} 代码`}，最深嵌套 ${deepest} 层${
        names.length > 0
          ? `；定义了 ${[...new Set(names)]
              .slice(0, 8)
              .map((name) => `\`${name}\``)
              .join('、')}`
          : ''
      }。`,
    ),
    found.length > 0
      ? tableOf([say('Line', '行'), say('What I would look at', '值得看的地方')], found.slice(0, 12))
      : say(
          'Nothing in it breaks the few rules I know: no loose equality, no swallowed error, no line too long.',
          '没有违反我知道的几条规则：没有宽松相等，没有被吞掉的错误，没有过长的行。',
        ),
    say('It begins:', '它的开头：'),
    fenced(language, lines.slice(first, first + 6).join('\n')),
  ].join('\n\n');
}

const tryIt = [
  'Call it with a small case first and compare with what you expect.',
  '先用一个小例子调用，与预期比较。',
] as const;

function written(question: Question): string {
  const { say, ask } = question;
  const language = wantedLanguage(question);
  const sample = codeSamples.find((item) => item.asked.test(ask));
  if (sample !== undefined && (language === 'typescript' || language === 'python')) {
    return [
      say(`${sample.title[0]}:`, `${sample.title[1]}：`),
      fenced(language, sample[language]),
      say(...(sample.notes ?? tryIt)),
    ].join('\n\n');
  }
  const words = keywordsOf(ask.replace(wantsCode, ' '), 6)
    .map((word) => word.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .filter((word) => /^[a-z]/.test(word) && !languages.some(([name]) => name === word))
    .slice(0, 3);
  const [first = 'sample', second = 'items'] = words;
  const name = [first, ...words.slice(1).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))].join('');
  const code = codeFrames[language]
    .replaceAll('{name}', name)
    .replaceAll('{snake}', [first, ...words.slice(1)].join('_'))
    .replaceAll('{says}', excerpt(ask.replace(/[`*"\\<>]/g, ''), 70))
    .replaceAll('{first}', first)
    .replaceAll('{second}', second);
  return [
    say(`A start in ${language}, named after your question:`, `用 ${language} 写的起点，名字取自你的问题：`),
    fenced(language, code),
    say(
      'It keeps what is not blank; put your own rule where the filter is.',
      '它保留非空的项，把过滤处换成你的规则即可。',
    ),
  ].join('\n\n');
}

export const codeSkill: Skill = {
  name: 'code',
  fits: (question) =>
    (question.attachments.some(
      (item) => item.language !== undefined && !['json', 'csv', 'text', 'markdown', 'md'].includes(item.language),
    ) &&
      asks(question, asksAboutCode)) ||
    (asks(question, wantsCode) &&
      asks(
        question,
        /\b(write|show|give|make|create|implement|example|how|generate|in (?:typescript|python|rust|go|java|bash))\b|写|给|用|示例|例子|如何|怎么|编写|实现/i,
      )),
  write: (question) => {
    const code = question.attachments.find((item) => item.language !== undefined);
    return code === undefined ? written(question) : aboutCode(question, code.text, code.language ?? '');
  },
};
