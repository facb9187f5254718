import { deepEqual, equal, throws } from 'node:assert/strict';
import * as fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { orderByRank, orderWithinLists, reorderParts, reorderSplit } from '../../../../src/core/ranking/reorderParts';
import { splitText } from '../../../../src/core/ranking/splitText';
import type { SplitBy } from '../../../../src/core/ranking/textSplit';

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const word = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '\u2028', 'é', '😀', '"', ',', ':', '\t'),
  maxLength: 8,
});
const filled = word.map((text) => `x${text}`);
const bom = fc.constantFrom('', '\uFEFF');
const finalEnd = fc.oneof(fc.constant(''), lineEnd);

/** Pieces with line ends of any kind between them, and blank lines. */
const joined = (piece: fc.Arbitrary<string>, leastEnds: number) =>
  fc
    .tuple(
      bom,
      fc.array(fc.tuple(piece, fc.array(lineEnd, { minLength: leastEnds, maxLength: leastEnds + 2 })), {
        minLength: 1,
        maxLength: 8,
      }),
      finalEnd,
    )
    .map(([mark, pieces, end]) => mark + pieces.map(([text, ends]) => text + ends.join('')).join('') + end);

const item = fc
  .tuple(fc.constantFrom('- ', '* ', '+   ', '- [ ] '), filled, fc.array(filled, { maxLength: 2 }), lineEnd)
  .map(([mark, text, below, end]) => [mark + text, ...below.map((line) => `    ${line}`)].join(end));
const sentence = fc
  .tuple(filled, fc.constantFrom('。', '！”', '？\n'), filled, fc.constantFrom('。', '？！'))
  .map((pieces) => pieces.join(''));
const section = fc
  .tuple(filled, fc.array(fc.oneof(filled, fc.constant(''), fc.constant('### deeper')), { maxLength: 3 }), lineEnd)
  .map(([title, below, end]) => [`## ${title}`, ...below].join(end));
const json = fc
  .tuple(
    fc.array(fc.tuple(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('', ' ', '\n', ' // c, ]\r\n', '/* , */')), {
      minLength: 1,
      maxLength: 6,
    }),
    fc.constantFrom('', ',', ', // end\n'),
  )
  .map(([elements, end]) => {
    const written = elements.map(([value, gap], at) => `${gap}${JSON.stringify(value)}${at % 2 ? gap : ''}`);
    return `[${written.join(',')}${end}]\n`;
  });

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const cell = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ',', '"', '\n', '\r\n', ' '), maxLength: 6 });
const table = fc
  .tuple(bom, fc.array(fc.tuple(filled, cell), { minLength: 1 }), lineEnd, finalEnd)
  .map(([mark, rows, end, last]) => {
    const lines = rows.map(([first, second]) => `${quoted(first)},${quoted(second)}`);
    return `${mark}first,"second ""column"""${end}${lines.join(end)}${last}`;
  });

const sources: Readonly<Record<Exclude<SplitBy, 'whole'>, fc.Arbitrary<string>>> = {
  lines: joined(filled, 1),
  paragraphs: joined(
    fc.tuple(filled, filled, lineEnd).map(([one, two, end]) => one + end + two),
    2,
  ),
  sentences: joined(sentence, 1),
  listItems: joined(item, 1),
  sections: joined(section, 1),
  jsonArray: json,
  rows: table,
};

/** A text with a permutation of its parts. */
const shuffled = (by: SplitBy, source: fc.Arbitrary<string>) =>
  source
    .filter((text) => splitText(text, by).parts.length > 0)
    .chain((text) => {
      const { parts } = splitText(text, by);
      const order = fc.shuffledSubarray([...parts.keys()], { minLength: parts.length, maxLength: parts.length });
      return fc.tuple(
        fc.constant(text),
        order.map((all) => orderWithinLists({ by, parts }, all)),
      );
    });

const ends = (text: string) => [...text.matchAll(/\r\n|\r|\n/g)].map(([end]) => end).toSorted();
const signs = (text: string) => text.replaceAll(' ', '').split('').toSorted().join('');

describe('a last sentence without a full stop', () => {
  it('gets one if another sentence follows it now', () => {
    for (const [text, sorted] of [
      ['甲。乙', '乙。甲。'],
      ['One is here. Two', 'Two. One is here.'],
    ] as const)
      equal(reorderParts(text, splitText(text, 'sentences'), [1, 0]), sorted);
  });
});

for (const [by, source] of Object.entries(sources) as [SplitBy, fc.Arbitrary<string>][]) {
  describe(`a permutation of ${by}`, () => {
    it('loses and duplicates nothing, and keeps line endings', () => {
      fc.assert(
        fc.property(shuffled(by, source), ([text, order]) => {
          const split = splitText(text, by);
          const made = reorderParts(text, split, order);
          equal(signs(made), signs(text));
          deepEqual(ends(made), ends(text));
          equal(/[\r\n]*$/.exec(made)?.[0], /[\r\n]*$/.exec(text)?.[0]);
        }),
      );
    });

    it('has the parts in that order, and its inverse restores the text', () => {
      fc.assert(
        fc.property(shuffled(by, source), ([text, order]) => {
          const split = splitText(text, by);
          const made = reorderSplit(text, split, order);
          const again = splitText(made.text, by);
          deepEqual(
            again.parts.map((part) => part.text),
            order.map((index) => split.parts[index]?.text),
          );
          deepEqual(made.split, again);
          const back = order.map((_, index) => order.indexOf(index));
          equal(reorderParts(made.text, again, back), text);
        }),
      );
    });

    it('that moves no part changes nothing', () => {
      fc.assert(
        fc.property(source, (text) => {
          const split = splitText(text, by);
          fc.pre(split.parts.length > 0);
          equal(reorderParts(text, split, [...split.parts.keys()]), text);
        }),
      );
    });

    it('of the best contains only those', () => {
      fc.assert(
        fc.property(shuffled(by, source), fc.nat(), ([text, order], some) => {
          const split = splitText(text, by);
          // A section that is alone is one no more where it has deeper ones.
          const least = by === 'sections' ? 2 : 1;
          fc.pre(order.length >= least);
          const saved = order.slice(0, least + (some % (order.length - least + 1)));
          const again = splitText(reorderParts(text, split, saved), by);
          deepEqual(
            again.parts.map((part) => part.text),
            saved.map((index) => split.parts[index]?.text),
          );
        }),
      );
    });
  });
}

describe('a reordered JSON array', () => {
  it('parses to the array in that order', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ minLength: 1 }).map((text) => `x${text}`),
            fc.integer(),
            fc.object(),
          ),
          {
            minLength: 1,
          },
        ),
        fc.infiniteStream(fc.nat()),
        (values, random) => {
          const text = JSON.stringify(values, undefined, 2);
          const written = JSON.parse(text) as unknown[];
          const order = [...values.keys()]
            .map((index) => [random.next().value, index] as const)
            .toSorted(([one], [other]) => one - other)
            .map(([, index]) => index);
          const made: unknown = JSON.parse(reorderParts(text, splitText(text, 'jsonArray'), order));
          deepEqual(
            made,
            order.map((index) => written[index]),
          );
        },
      ),
    );
  });

  it('keeps comments and the trailing comma in place, and is valid if only the best are kept', () => {
    const text = '[\n  "a", // first\n  "b", /* second */\n  "c", // third\n]';
    const split = splitText(text, 'jsonArray');
    equal(reorderParts(text, split, [2, 0, 1]), '[\n  "c", // first\n  "a", /* second */\n  "b", // third\n]');
    equal(reorderParts(text, split, [1]), '[\n  "b", // third\n]');
    deepEqual(parse(reorderParts(text, split, [2, 1]), [], { allowTrailingComma: true }), ['c', 'b']);
  });
});

describe('a reordered list', () => {
  const reordered = (text: string, order: readonly number[]) => reorderParts(text, splitText(text, 'listItems'), order);

  it('is renumbered, and moves nested content with its item', () => {
    equal(reordered('1. a\n   a2\n2. b\n', [1, 0]), '1. b\n2. a\n   a2\n');
    equal(reordered('5. a\n9. b\n2. c', [2, 0, 1]), '2. c\n5. a\n9. b');
  });

  it('adjusts the indentation to its new marker', () => {
    const text = '9. a\n   below a\n\n   ```\n     code\n   ```\n10. b\n    below b\n';
    equal(reordered(text, [1, 0]), '9. b\n   below b\n10. a\n    below a\n\n    ```\n      code\n    ```\n');
  });

  it('keeps text between its items if only the best are kept', () => {
    equal(
      reordered('Intro\n- a\n- b\n\nBetween\n\n- c\n- d\n\nOutro\n', [3, 1]),
      'Intro\n- b\n\nBetween\n\n- d\n\nOutro\n',
    );
    equal(reordered('Intro\n- a\n- b\n\nBetween\n\n- c\n- d\n\nOutro\n', [3]), 'Intro\n\nBetween\n\n- d\n\nOutro\n');
    equal(reordered('1. a\n2. b\n3. c\n', [2, 0]), '1. c\n2. a\n');
  });
});

describe('two lists', () => {
  const reordered = (text: string, best: readonly number[]) => {
    const split = splitText(text, 'listItems');
    return reorderParts(text, split, orderWithinLists(split, best));
  };

  it('stay separate: each item moves within its own list', () => {
    for (const [text, best, sorted] of [
      ['# Fruit\n- a\n- b\n\n# Tools\n- c\n- d\n', [3, 1, 2, 0], '# Fruit\n- b\n- a\n\n# Tools\n- d\n- c\n'],
      ['- a\n- b\n\n1. c\n2. d\n', [2, 1, 3, 0], '- b\n- a\n\n1. c\n2. d\n'],
      ['1. a\n2. b\n\n1. c\n2. d\n', [3, 2, 1, 0], '1. b\n2. a\n\n1. d\n2. c\n'],
      ['- a\n- b\n\n---\n\n- c\n', [2, 1, 0], '- b\n- a\n\n---\n\n- c\n'],
      ['一、甲\n二、乙\n\n其他\n\n一、丙\n二、丁\n', [3, 1, 0, 2], '一、乙\n二、甲\n\n其他\n\n一、丁\n二、丙\n'],
    ] as const)
      equal(reordered(text, best), sorted);
  });

  it('are merged if only blank lines are between their items', () => {
    equal(reordered('- a\n\n- b\n\n\n- c\n', [2, 0, 1]), '- c\n\n- a\n\n\n- b\n');
    equal(reordered('1. a\n\n2. b\n\n3. c\n', [2, 0, 1]), '1. c\n\n2. a\n\n3. b\n');
  });

  it('return the order of their items afterwards', () => {
    const split = splitText('- a\n- b\n\nBetween\n\n- c\n- d\n', 'listItems');
    deepEqual(orderWithinLists(split, [3, 1, 2]), [1, 3, 2]);
    deepEqual(orderWithinLists(splitText('a\nb\nc', 'lines'), [2, 0]), [2, 0]);
  });
});

describe('an order', () => {
  const split = splitText('a\nb', 'lines');
  it('is rejected if it has repeated, missing, or unknown parts', () => {
    for (const order of [[0, 0], [], [2], [-1], [0.5], [Number.NaN]])
      throws(() => reorderParts('a\nb', split, order), RangeError);
  });

  it('puts parts without a score after the others, in their original order', () => {
    deepEqual(orderByRank([{ index: 3 }, { index: 1 }], 5), [3, 1, 0, 2, 4]);
  });
});
