import { isRecord } from '../validate';
import type { Question } from './question';
import type { Skill } from './skill';
import { asks } from './skill';
import { parseJson, readItems, readRows } from './tables';
import { excerpt, keywordsOf, wordsOf } from './words';

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

function describe(value: unknown, { say }: Question): string {
  if (Array.isArray(value)) return say(`An array of ${value.length} items.`, `一个含 ${value.length} 项的数组。`);
  if (!isRecord(value)) return say(`A single ${typeof value}.`, `单个 ${typeof value} 值。`);
  const keys = Object.entries(value).map(
    ([key, item]) =>
      `- \`${key}\`: ${Array.isArray(item) ? say(`array (${item.length})`, `数组（${item.length}）`) : item === null ? 'null' : typeof item}`,
  );
  return [say(`An object with ${keys.length} keys:`, `一个含 ${keys.length} 个键的对象：`), ...keys].join('\n');
}

/** The question itself as data: what is answered where JSON is asked for and none is attached. */
export function asRecord(question: Question): Record<string, unknown> {
  return {
    question: excerpt(question.ask, 160),
    language: question.language,
    words: wordsOf(question.ask).length,
    keywords: keywordsOf(`${question.ask}\n${question.material}`, 6),
    ...(question.material === ''
      ? {}
      : { attached: { lines: question.material.split('\n').length, words: wordsOf(question.material).length } }),
  };
}

/** Pretty-prints or repairs attached JSON, or turns CSV and lists into it. */
export const jsonSkill: Skill = {
  name: 'json',
  fits: (question) => asks(question, /\bjsonl?\b/i),
  write: (question) => {
    const { say, material } = question;
    const parsed = parseJson(material.trim());
    if (parsed !== undefined)
      return [describe(parsed, question), fenced('json', JSON.stringify(parsed, undefined, 2))].join('\n\n');
    if (/^\s*[{[]/.test(material)) {
      return [
        say('This is not valid JSON: the text breaks the rules somewhere below.', '这段文本不是合法的 JSON。'),
        fenced('text', excerpt(material, 600)),
      ].join('\n\n');
    }
    const [head, ...rows] = readRows(material) ?? [];
    if (head !== undefined) {
      const records = rows.map((row) => Object.fromEntries(head.map((key, index) => [key, typed(row[index] ?? '')])));
      return [
        say(`${records.length} records from your table:`, `由表格得到 ${records.length} 条记录：`),
        fenced('json', JSON.stringify(records, undefined, 2)),
      ].join('\n\n');
    }
    const items = material === '' ? undefined : readItems(material);
    const value = items ?? asRecord(question);
    return [say('As JSON:', 'JSON 形式：'), fenced('json', JSON.stringify(value, undefined, 2))].join('\n\n');
  },
};

const typed = (text: string): unknown =>
  /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text === 'true' ? true : text === 'false' ? false : text;
