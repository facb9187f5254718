import { isRecord } from '../validate';
import type { Question } from './question';
import type { Skill } from './skill';
import { asks } from './skill';
import { parseJson, readItems, readRows } from './tables';
import { shaped } from './shape';
import { excerpt } from './words';

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

/** Pretty-prints or repairs attached JSON, or turns CSV and lists into it. */
export const jsonSkill: Skill = {
  name: 'json',
  fits: (question) =>
    (question.material !== '' && asks(question, /\bjsonl?\b/i)) ||
    ((asks(question, /\bjson\b/i) || /\bjson\b/i.test(question.system)) && shaped(question) !== undefined),
  write: (question) => {
    const { say, material } = question;
    const drawn = shaped(question);
    if (drawn !== undefined) return fenced('json', JSON.stringify(drawn, undefined, 2));
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
    const value = readItems(material) ?? [material];
    return [say('As JSON:', 'JSON 形式：'), fenced('json', JSON.stringify(value, undefined, 2))].join('\n\n');
  },
};

const typed = (text: string): unknown =>
  /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text === 'true' ? true : text === 'false' ? false : text;
