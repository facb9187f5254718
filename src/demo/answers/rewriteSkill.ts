import type { Question } from './question';
import type { Skill } from './skill';
import { asks } from './skill';
import { readItems } from './tables';
import { linesOf } from './words';

interface Rewrite {
  readonly asked: RegExp;
  readonly done: readonly [string, string];
  readonly rewrite: (lines: readonly string[]) => readonly string[];
}

const collator = new Intl.Collator('en', { numeric: true });

const rewrites: readonly Rewrite[] = [
  {
    asked: /\b(dedupe|deduplicate|remove duplicates?|unique)\b|去重|重复/i,
    done: ['Without repeats', '去重后'],
    rewrite: (lines) => [...new Set(lines)],
  },
  {
    asked: /\b(sort|alphabeti[sc]|order)\b|排序|排列/i,
    done: ['Sorted', '排序后'],
    rewrite: (lines) => lines.toSorted((a, b) => collator.compare(a, b)),
  },
  {
    asked: /\b(reverse|backwards)\b|倒序|反转|颠倒/i,
    done: ['In reverse order', '倒序'],
    rewrite: (lines) => lines.toReversed(),
  },
  {
    asked: /\b(upper ?case|capitals?)\b|大写/i,
    done: ['In capitals', '大写'],
    rewrite: (lines) => lines.map((line) => line.toUpperCase()),
  },
  {
    asked: /\blower ?case\b|小写/i,
    done: ['In small letters', '小写'],
    rewrite: (lines) => lines.map((line) => line.toLowerCase()),
  },
  {
    asked: /\b(number (?:the|these|each)|numbered|enumerate)\b|编号/i,
    done: ['Numbered', '编号后'],
    rewrite: (lines) => lines.map((line, index) => `${index + 1}. ${line}`),
  },
  {
    asked: /\b(trim|clean ?up|tidy|whitespace)\b|清理|空格|空行/i,
    done: ['Tidied', '清理后'],
    rewrite: (lines) => lines.map((line) => line.trim().replace(/[ \t]+/g, ' ')).filter((line) => line !== ''),
  },
];

const asked = (question: Question) => rewrites.filter((rewrite) => asks(question, rewrite.asked));

/** Transforms the lines of the attachments. */
export const rewriteSkill: Skill = {
  name: 'rewrite',
  fits: (question) =>
    question.material !== '' &&
    question.attachments.every((attachment) => attachment.language === undefined || attachment.language === 'text') &&
    asked(question).length > 0,
  write: (question) => {
    const { say, material } = question;
    const wanted = asked(question);
    const before = readItems(material) ?? linesOf(material);
    const after = wanted.reduce((lines, { rewrite }) => rewrite(lines), before);
    const done = wanted.map((rewrite) => say(...rewrite.done).toLowerCase()).join(say(', ', '、'));
    const named = done.slice(0, 1).toUpperCase() + done.slice(1);
    return [
      say(
        `${named}, ${after.length} of ${before.length} lines:`,
        `${named}，${before.length} 行中的 ${after.length} 行：`,
      ),
      `\`\`\`text\n${after.join('\n')}\n\`\`\``,
    ].join('\n\n');
  },
};
