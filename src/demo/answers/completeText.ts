import { hashOf, pick, seeded } from '../seeded';
import { compose } from './compose';
import { proseAbout } from './prose';
import { readQuestion } from './question';
import { keywordsOf, linesOf } from './words';

export interface CompletionRequest {
  readonly prompt: string;
  readonly suffix: string;
  readonly seed: number | undefined;
  /** Index of the alternative: each reads differently. */
  readonly index: number;
}

const looksLikeCode = (text: string): boolean =>
  /^\s*(?:import|from|export|const|let|function|class|def|fn|func|public|private|#include|package|SELECT|if|for|while|return)\b|[{};]\s*$|=>|\):\s*$|^\s*\/\//m.test(
    text,
  );

const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? '';

/** Returns the names in scope in a piece of code, the nearest last. */
function namesIn(code: string): readonly string[] {
  const declared = [
    ...code.matchAll(
      /\b(?:const|let|var|def|function|fn|func|class)\s+([A-Za-z_]\w*)|([A-Za-z_]\w*)\s*(?::\s*[\w<>[\]|]+)?\s*(?=[,)])|^\s*([A-Za-z_]\w*)\s*=/gm,
    ),
  ];
  return [...new Set(declared.map((match) => match[1] ?? match[2] ?? match[3] ?? '').filter((name) => name !== ''))];
}

function continueCode({ prompt, suffix }: CompletionRequest, random: () => number): string {
  const lines = linesOf(prompt);
  const last = lines.at(-1) ?? '';
  const python = /\bdef\b|:\s*$/.test(prompt) && !/[{};]\s*$/m.test(prompt);
  const deeper = /[{:([]\s*$/.test(last);
  const indent = `${indentOf(last)}${deeper ? (python ? '    ' : '  ') : ''}`;
  const names = namesIn(prompt);
  const [name = 'value', other = name] = names.slice(-2).toReversed();
  const end = python ? '' : ';';
  const local = pick(['result', 'found', 'total', 'kept'], random);
  const known = deeper || last.trim() === '' ? knownBody(prompt, python ? 'python' : 'typescript') : undefined;
  const body =
    known ??
    (python
      ? [
          `${local} = ${pick([`[item for item in ${name} if item]`, `sorted(${name})`, `list(${name})`], random)}`,
          `return ${local}`,
        ]
      : [
          `const ${local} = ${pick([`${name}.filter(Boolean)`, `[...${name}].toSorted()`, `structuredClone(${name})`, `${name} ?? ${other}`], random)}${end}`,
          `return ${local}${end}`,
        ]);
  // The cursor might already be after the indentation.
  const isIndented = last !== '' && last.trim() === '';
  const finished = body.map((line, at) => (at === 0 && isIndented ? line : indent + line)).join('\n');
  if (!deeper && last.trim() !== '') return suffix === '' ? `${/\s$/.test(prompt) ? '' : ' '}${name}${end}\n` : name;
  const opening = isIndented || prompt.endsWith('\n') || prompt === '' ? '' : '\n';
  const closing =
    suffix.trimStart().startsWith('}') || python
      ? '\n'
      : deeper && suffix === '' && last.includes('{')
        ? `\n${indentOf(last)}}\n`
        : '\n';
  return `${opening}${finished}${closing}`;
}

function continueList(lines: readonly string[], random: () => number): string | undefined {
  const marks = lines
    .filter((line) => line.trim() !== '')
    .slice(-2)
    .map((line) => /^(\s*)(?:([-*+])|(\d+)([.)]))\s+/.exec(line));
  const last = marks.at(-1);
  if (last === null || last === undefined || marks.length < 2 || marks[0] === null) return undefined;
  const words = keywordsOf(lines.join('\n'), 8);
  const items = Array.from({ length: 3 }, (_, index) => {
    const mark = last[3] === undefined ? (last[2] ?? '-') : `${Number(last[3]) + index + 1}${last[4] ?? '.'}`;
    return `${last[1] ?? ''}${mark} ${pick(['More', 'Another', 'Also', 'Less'], random)} ${words[Math.floor(random() * words.length)] ?? 'of it'}`;
  });
  return `\n${items.join('\n')}`;
}

/** Returns text that continues the prompt, or fits between it and the suffix. */
export function completeText(request: CompletionRequest): string {
  const { prompt, suffix, seed, index } = request;
  const random = seeded(hashOf(prompt, suffix, seed ?? 'no seed', index));
  if (looksLikeCode(prompt.slice(-1500)) || (prompt.trim() === '' && looksLikeCode(suffix)))
    return continueCode(request, random);
  const list = continueList(linesOf(prompt), random);
  if (list !== undefined) return list;
  const question = {
    ...readQuestion({ text: prompt.trim() === '' ? suffix : prompt, seed: hashOf(seed, index) }),
    random,
  };
  if (/[?？]\s*$/.test(prompt)) return `\n\n${compose(question)}`;
  // Alternatives start differently, whatever the seed.
  const prose = proseAbout(question, suffix === '' ? 60 : 12, hashOf(prompt, suffix, seed ?? 'no seed') + index * 5);
  const joins = /\s$/.test(prompt) || prompt === '' || question.language === 'zh' ? '' : ' ';
  const midSentence = !/[.!?。！？\n]\s*$/.test(prompt) && prompt !== '';
  return joins + (midSentence ? prose.slice(0, 1).toLowerCase() + prose.slice(1) : prose);
}

type Language = 'typescript' | 'python';

interface KnownBody extends Readonly<Record<Language, readonly string[]>> {
  readonly named: RegExp;
}

/** Bodies of functions with matching names; `{}` stands for their first parameter. */
const bodies: readonly KnownBody[] = [
  {
    named: /median/i,
    typescript: [
      'const sorted = {}.toSorted((a, b) => a - b);',
      'const middle = Math.floor(sorted.length / 2);',
      'return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;',
    ],
    python: [
      'ordered = sorted({})',
      'middle = len(ordered) // 2',
      'if len(ordered) % 2 == 1:',
      '    return ordered[middle]',
      'return (ordered[middle - 1] + ordered[middle]) / 2',
    ],
  },
  {
    named: /average|mean/i,
    typescript: ['if ({}.length === 0) return 0;', 'return {}.reduce((sum, one) => sum + one, 0) / {}.length;'],
    python: ['if not {}:', '    return 0.0', 'return sum({}) / len({})'],
  },
  {
    named: /slug/i,
    typescript: [`return {}.trim().toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');`],
    python: ['words = re.findall(r"[a-z0-9]+", {}.lower())', 'return "-".join(words)'],
  },
  {
    named: /capitali[sz]e/i,
    typescript: ['return {}.slice(0, 1).toUpperCase() + {}.slice(1);'],
    python: ['return {}[:1].upper() + {}[1:]'],
  },
];

const heads: Readonly<Record<Language, RegExp>> = {
  typescript: /\bfunction\s+(\w+)[^(]*\(\s*(\w+)[^{]*\{\s*$/,
  python: /\bdef\s+(\w+)\(\s*(\w+)[^\n]*:\s*(?:\n\s*"""[^"]*""")?\s*$/,
};

/** Returns the body lines of a function that has just been opened, if its name says what it does. */
function knownBody(prompt: string, language: Language): readonly string[] | undefined {
  const [, name = '', parameter = ''] = heads[language].exec(prompt.slice(-2000)) ?? [];
  const known = bodies.find(({ named }) => named.test(name));
  return known?.[language].map((line) => line.replaceAll('{}', parameter));
}
