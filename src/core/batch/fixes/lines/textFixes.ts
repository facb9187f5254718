import { readJson } from '../../scan/jsonTree';
import { fixAllWords, fixWords } from '../../words/fixWords';
import { closingsOf } from '../closeLine';
import { cellOf } from '../foreign/csvCell';
import { replaceEdit } from '../jsonEdits';
import type { QuickFix, Target, FixStrategy } from '../strategy';
import { valuesIn } from '../values';

const mark = '\ufeff';

export const removeBlank: FixStrategy = {
  allTitle: fixAllWords.removeBlank,
  isSafe: true,
  *fixes() {
    yield { title: fixWords.removeBlank(), edits: [], removesLine: true };
  },
};

export const addFinalNewline: FixStrategy = {
  isSafe: true,
  *fixes({ text: { length } }) {
    yield { title: fixWords.addFinalNewline(), edits: [{ start: length, end: length, text: '\n' }] };
  },
};

/** Concatenated files contain byte-order marks. */
export const removeMark: FixStrategy = {
  allTitle: fixAllWords.removeMarks,
  isSafe: true,
  reveals: true,
  *fixes({ text }) {
    if (text.startsWith(mark)) yield { title: fixWords.removeMark(), edits: [{ start: 0, end: 1, text: '' }] };
  },
};

/** Commas before closing brackets or other commas, and at the end of the line. */
export const removeCommas: FixStrategy = {
  allTitle: fixAllWords.removeCommas,
  reveals: true,
  *fixes({ text }) {
    const edits = [...text.matchAll(outsideTexts(',\\s*(?=[\\]},]|$)'))].flatMap(({ 1: found, index }) =>
      found === undefined ? [] : [{ start: index, end: index + 1, text: '' }],
    );
    if (edits.length > 0) yield { title: fixWords.removeComma(), edits };
  },
};

export const addComma: FixStrategy = {
  allTitle: fixAllWords.addCommas,
  reveals: true,
  *fixes({ text }) {
    const { fault } = readJson(text);
    if (fault?.name !== 'CommaExpected') return;
    const at = text.slice(0, fault.span.start).trimEnd().length;
    yield { title: fixWords.addComma(), edits: [{ start: at, end: at, text: ',' }] };
  },
};

/** Syntax of other languages: `True`, `None`, single quotes, comments, trailing commas. */
export const writeAsJson: FixStrategy = {
  allTitle: fixAllWords.writeAsJson,
  reveals: true,
  *fixes({ text }) {
    const edits = [...text.matchAll(otherLanguages)].flatMap(({ 0: found, index, groups = {} }) => {
      const { word, quoted, extra } = groups;
      const written = word ? (jsonWords.get(word) ?? 'null') : quoted ? doubleQuoted(quoted) : extra ? '' : found;
      return written === found ? [] : [replaceEdit({ start: index, end: index + found.length }, written)];
    });
    // If there are only commas to fix, `removeCommas` does it.
    if (edits.some(({ start }) => text[start] !== ',')) yield { title: fixWords.writeAsJson(), edits };
  },
};

/** Strings in double quotes are skipped, as is what nothing closes: looking for the end once is enough. */
const otherLanguages =
  /"(?:\\[^]|[^"\\])*(?:"|$)|(?<quoted>'(?:\\[^]|[^'\\])*')|'[^]*$|(?<word>\b(?:True|False|None|NaN|undefined)\b)|(?<extra>\/\/[^]*$|\/\*[^]*?\*\/|,(?=\s*(?:[\]}]|$)))|\/\*[^]*$/g;
const jsonWords: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
]);

function doubleQuoted(text: string): string {
  const inner = text.slice(1, -1).replace(/\\'|"/g, (found) => (found === '"' ? '\\"' : "'"));
  return `"${inner}"`;
}

export const escapeControls: FixStrategy = {
  allTitle: fixAllWords.escapeControls,
  reveals: true,
  *fixes({ text }) {
    if (!/\p{Cc}/u.test(text)) return;
    const edits = [...text.matchAll(/"(?:\\[^]|[^"\\])*(?:"|$)/g)].flatMap(({ 0: found, index }) =>
      [...found.matchAll(/\p{Cc}/gu)].map(({ 0: control, index: at }) => ({
        start: index + at,
        end: index + at + 1,
        // Characters that JSON accepts unescaped stay as they are.
        text: JSON.stringify(control).slice(1, -1),
      })),
    );
    if (edits.length > 0) yield { title: fixWords.escapeControls(), edits };
  },
};

export const splitRequests: FixStrategy = {
  allTitle: fixAllWords.splitRequests,
  reveals: true,
  *fixes({ text }) {
    const values = valuesIn(text);
    if (values.length < 2 || !values.every((value) => value.startsWith('{'))) return;
    yield { title: fixWords.splitRequests(), edits: [replaceEdit({ start: 0, end: text.length }, values.join('\n'))] };
  },
};

export const closeLine: FixStrategy = {
  isChoice: true,
  reveals: true,
  *fixes({ text }: Target): Iterable<QuickFix> {
    const all = { start: 0, end: text.length };
    const { whole, withText, cutBack } = closingsOf(text);
    if (whole !== undefined) yield { title: fixWords.closeLine(), edits: [replaceEdit(all, whole)] };
    if (withText !== undefined) yield { title: fixWords.closeText(), edits: [replaceEdit(all, withText)] };
    if (cutBack !== undefined) yield { title: fixWords.cutBack(), edits: [replaceEdit(all, cutBack)] };
  },
};

export const removeHalf: FixStrategy = {
  allTitle: fixAllWords.removeHalves,
  isChoice: true,
  *fixes({ problem: { span } }) {
    yield { title: fixWords.removeHalf(), edits: [replaceEdit(span, '')] };
  },
};

/** Skips strings: the first group is what matches outside them. */
function outsideTexts(sought: string): RegExp {
  return new RegExp(`"(?:\\\\[^]|[^"\\\\])*(?:"|$)|(${sought})`, 'g');
}

/** For lines of a table that a program wrote instead of the file: pandas does with `to_csv`. */
export const unwrapCell: FixStrategy = {
  allTitle: fixAllWords.unwrapCells,
  isSafe: true,
  reveals: true,
  *fixes({ text }) {
    const cell = cellOf(text);
    if (cell === undefined) return;
    yield { title: fixWords.unwrapCell(), edits: [replaceEdit({ start: 0, end: text.length }, cell)] };
  },
};
