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
export function knownBody(prompt: string, language: Language): readonly string[] | undefined {
  const [, name = '', parameter = ''] = heads[language].exec(prompt.slice(-2000)) ?? [];
  const known = bodies.find(({ named }) => named.test(name));
  return known?.[language].map((line) => line.replaceAll('{}', parameter));
}
