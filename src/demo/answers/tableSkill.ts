import type { Question } from './question';
import type { Skill } from './skill';
import { asks } from './skill';
import { type Rows, parseJson, readItems, readRows, rowsOfJson, tableOf } from './tables';
import { linesOf, wordsOf } from './words';

const wantsTable = /\btable\b|\btabular\b|表格/i;

function fromRows({ say }: Question, head: readonly string[], rows: Rows): string {
  return [
    say(`${rows.length} rows, ${head.length} columns:`, `共 ${rows.length} 行、${head.length} 列：`),
    tableOf(head, rows),
  ].join('\n\n');
}

/** Answers with a table created from CSV, JSON, a list or named items. */
export const tableSkill: Skill = {
  name: 'table',
  fits: (question) => question.material !== '' && asks(question, wantsTable),
  write: (question) => {
    const { say, material } = question;
    const json = rowsOfJson(parseJson(material));
    if (json !== undefined) return fromRows(question, json.head, json.rows);
    const [head, ...rows] = readRows(material) ?? [];
    if (head !== undefined) return fromRows(question, head, rows);
    const items = readItems(material) ?? linesOf(material);
    const described = items.map((item, index) => {
      const [name = '', ...more] = item.split(/\s*(?:：|[:–—]\s|\s-\s)\s*/);
      return [String(index + 1), name, more.join(' – ')];
    });
    const hasMore = described.some((row) => row[2] !== '');
    const heads = ['#', say('Item', '项目'), ...(hasMore ? [say('Detail', '说明')] : [say('Words', '词数')])];
    const shown = hasMore
      ? described
      : described.map(([index = '', name = '']) => [index, name, String(wordsOf(name).length)]);
    return [
      say(`Your ${shown.length} items as a table:`, `${shown.length} 个项目的表格：`),
      tableOf(heads, shown),
    ].join('\n\n');
  },
};
