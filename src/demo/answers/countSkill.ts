import { overviewOf } from './code/explain';
import { sourcesOf } from './codeSkill';
import { countTokens } from './tokens';
import type { Skill } from './skill';
import { asks } from './skill';
import { tableOf } from './tables';
import { keywordsOf, linesOf, sentencesOf, wordsOf } from './words';

/** Counts the words, lines and so on of the attachments, or of the question itself. */
export const countSkill: Skill = {
  name: 'count',
  fits: (question) =>
    asks(
      question,
      /\b(count|how (?:many|long)|number of|statistics|stats)\b|统计|多少(?:个)?(?:字|词|行|句)|字数|行数|几行|几个字/i,
    ) && asks(question, /word|line|char|letter|sentence|token|text|file|attach|paragraph|stat|字|词|行|句|文/i),
  write: (question) => {
    const { say, attachments } = question;
    const sources =
      attachments.length > 0 ? attachments : [{ text: question.ask, name: say('your question', '你的问题') }];
    const head = [
      say('Text', '文本'),
      say('Lines', '行'),
      say('Words', '词'),
      say('Characters', '字符'),
      say('Sentences', '句'),
      say('Tokens ≈', '约合 token'),
    ];
    const rows = sources.map((source, index) => [
      source.name ?? say(`Text ${index + 1}`, `文本 ${index + 1}`),
      ...[
        linesOf(source.text).length,
        wordsOf(source.text).length,
        Array.from(source.text).length,
        sentencesOf(source.text).length,
        countTokens(source.text),
      ].map(String),
    ]);
    const words = sources.reduce((sum, source) => sum + wordsOf(source.text).length, 0);
    const lines = sources.reduce((sum, source) => sum + linesOf(source.text).length, 0);
    const code = sourcesOf(question).filter(({ family }) => family === 'python' || family === 'script');
    if (code.length > 0 && asks(question, /function|class|import|method|函数|类|导入|方法/i))
      return code.map((source) => overviewOf(source, question)).join('\n\n');
    const frequent = code.length > 0 ? [] : keywordsOf(sources.map((source) => source.text).join('\n'), 5);
    return [
      say(`That is **${words} words** in **${lines} lines**.`, `一共 **${words} 个词（字）**，**${lines} 行**。`),
      tableOf(head, rows),
      frequent.length > 1
        ? say(
            `Most used: ${frequent.map((word) => `\`${word}\``).join(', ')}.`,
            `最常出现：${frequent.map((word) => `\`${word}\``).join('、')}。`,
          )
        : '',
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  },
};
