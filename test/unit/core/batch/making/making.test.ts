import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { fileRows } from '../../../../../src/core/batch/making/fileRows';
import { isMakingError } from '../../../../../src/core/batch/making/makingError';
import { openRows, arrayItems } from '../../../../../src/core/batch/making/openRows';
import { compileRecipe } from '../../../../../src/core/batch/making/recipe';
import type { Recipe } from '../../../../../src/core/batch/making/recipe';
import type { RowSource } from '../../../../../src/core/batch/making/rowSource';
import { unknownColumns } from '../../../../../src/core/batch/making/template';
import { textRows } from '../../../../../src/core/batch/making/textRows';
import { firstLines, writeRequests } from '../../../../../src/core/batch/making/writeRequests';
import { defaultSeverities } from '../../../../../src/core/batch/problem';
import { readLine } from '../../../../../src/core/batch/readLine';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { anyText } from '../../../../support/anyText';

const recipe: Recipe = { prompt: '{{text}}', system: '', model: 'm', customId: 'row-{n}' };
const whose = (pattern: RegExp) => (error: unknown) => isMakingError(error) && pattern.test(error.message);

async function all(source: RowSource): Promise<readonly (readonly string[])[]> {
  const rows = [];
  for await (const row of source.rows()) rows.push(row);
  return rows;
}

describe('Rows for batch files', () => {
  const folder = setUpFolder();
  const rowsOf = async (name: string, content: string | Buffer) => {
    writeFileSync(folder.in(name), content);
    const source = await openRows(folder.in(name));
    // Fields that a row lacks are empty.
    const rows = (await all(source)).map((row) => source.columns.map((_, index) => row[index] ?? ''));
    return { columns: source.columns, rows };
  };

  it('report a prompt that names no column', () => {
    const text = 'On {{ day }}:\n\\{{kept}} {{question}} {{dey}} {n}';
    assert.deepEqual(
      [...unknownColumns(text, ['question', 'day'])].map(({ start, end }) => text.slice(start, end)),
      ['{{dey}}'],
    );
  });

  it('are read from tables with quotes, line breaks in fields, and any of the usual separators', async () => {
    const requested = {
      columns: ['id', 'text'],
      rows: [
        ['1', 'a "b", c\nd'],
        ['2', ''],
      ],
    };
    for (const separator of [',', ';', '|', '\t']) {
      const text = `id,text\r\n1,"a ""b"", c\nd"\r\n\r\n2,\r\n`.replaceAll(/(?<=id|^\d),/gm, separator);
      assert.deepEqual(await rowsOf('a.csv', `\ufeff${text}`), requested);
    }
    assert.deepEqual(await rowsOf('a.tsv', 'id\ttext\n1\tsay "hi", now\n'), {
      columns: ['id', 'text'],
      rows: [['1', 'say "hi", now']],
    });
  });

  it('are read from tables whose first line declares the separator', async () => {
    const requested = { columns: ['id', 'text, or note'], rows: [['1', 'a;b|c']] };
    for (const separator of [';', '\t', ',', '|', '#']) {
      const header = `id${separator}"text, or note"\r\n1${separator}"a;b|c"\r\n`;
      for (const first of [
        `sep=${separator}`,
        `SEP=${separator}`,
        `"sep=${separator}"`,
        `sep=${separator}${separator}`,
        `\r\n \r\nsep=${separator}`,
        `Sep = ${separator} `,
      ])
        for (const mark of ['', '\ufeff'])
          for (const name of ['a.csv', 'a.tsv'])
            assert.deepEqual(await rowsOf(name, `${mark}${first}\r\n${header}`), requested, `${mark}${first}`);
    }
    assert.deepEqual((await rowsOf('a.csv', 'sep=x,b\n1,2\n')).columns, ['sep=x', 'b']);
    assert.deepEqual((await rowsOf('a.csv', '\n \na;b\n1;2\n')).columns, ['a', 'b']);
    await assert.rejects(rowsOf('a.csv', 'sep=;\na;b\n1;2\n1;2;3\n'), whose(/Line 4 doesn't have 2 fields/));
  });

  it('are read from tables as programs save them: cleared rows, further separators, other line breaks', async () => {
    const requested = {
      columns: ['id', 'text'],
      rows: [
        ['1', 'a\r\nb'],
        ['2', ''],
      ],
    };
    for (const content of [
      'id,text\n1,"a\r\nb"\n2,\n,\n"",""\n \n',
      'id,text\n1,"a\r\nb",\n2,,,\n',
      'id,text\r\n1,"a\r\nb"\n2,\r\n',
      'id,text\n1,"a\r\nb"\r\n2,\n',
      'id,text\r1,"a\r\nb"\r2,\r',
    ])
      assert.deepEqual(await rowsOf('a.csv', content), requested, content);
  });

  it("aren't read from inconsistent tables", async () => {
    await assert.rejects(rowsOf('a.csv', 'a,b\n1,2\n1,2,3\n'), whose(/Line 3 doesn't have 2 fields/));
    await assert.rejects(rowsOf('a.csv', 'a,b\n1\n'), whose(/Line 2 doesn't have 2 fields/));
    await assert.rejects(rowsOf('a.csv', 'a\nb, c\n'), whose(/Line 2 has several fields/));
    await assert.rejects(rowsOf('a.csv', 'a,a\n1,2\n'), whose(/Duplicate column "a"/));
    await assert.rejects(rowsOf('a.csv', 'a,b\n1,"2\n'), whose(/closing quote is missing/));
    await assert.rejects(rowsOf('a.csv', 'a,b\n1,"2" 3\n'), whose(/quotes in line 2/i));
    await assert.rejects(rowsOf('a.csv', ''), whose(/file is empty/));
    await assert.rejects(rowsOf('a.csv', Buffer.from('a\n\xe9\n', 'latin1')), whose(/isn't UTF-8/));
    await assert.rejects(rowsOf('a.csv', Buffer.from('a\nb\n', 'utf16le')), whose(/isn't UTF-8/));
    await assert.rejects(rowsOf('a.xlsx', 'a'), whose(/Choose a \.csv/));
  });

  it('get names for columns that the header omits', async () => {
    assert.deepEqual((await rowsOf('a.csv', 'a,,c\n1,2,3\n')).columns, ['a', 'column 2', 'c']);
  });

  it('are the objects of an array or of lines, with the properties of all as columns', async () => {
    const objects = [
      { a: 'x', b: 1 },
      { c: { d: [null] }, a: null },
    ];
    const requested = {
      columns: ['a', 'b', 'c'],
      rows: [
        ['x', '1', ''],
        ['', '', '{"d":[null]}'],
      ],
    };
    assert.deepEqual(await rowsOf('a.json', `\ufeff${JSON.stringify(objects, undefined, 2)}\n`), requested);
    assert.deepEqual(await rowsOf('a.jsonl', objects.map((one) => JSON.stringify(one)).join('\r\n')), requested);
    assert.deepEqual((await rowsOf('b.json', '[{"__proto__":"p"}]')).rows, [['p']]);
  });

  it("aren't read from a table with more columns than Excel supports", async () => {
    const names = Array.from({ length: 16_385 }, (_, index) => `c${index}`);
    const object = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
    await assert.rejects(rowsOf('wide.csv', `${names.join()}\n`), whose(/Too many columns. The limit is 16384/));
    await assert.rejects(rowsOf('wide.jsonl', `${object}\n{}`), whose(/Too many columns. The limit is 16384/));
    assert.equal((await rowsOf('wide.csv', `${names.slice(1).join()}\n`)).columns.length, 16_384);
  });

  it("aren't read from JSON of another form", async () => {
    await assert.rejects(rowsOf('a.json', '{"rows":[]}'), whose(/an array of objects/));
    await assert.rejects(rowsOf('a.json', ' '), whose(/an array of objects/));
    await assert.rejects(rowsOf('a.json', '[]'), whose(/no rows/i));
    await assert.rejects(rowsOf('a.json', '[{}, 7]'), whose(/Row 2 isn't an object/));
    await assert.rejects(rowsOf('a.json', '[{},]'), whose(/Row 2 isn't valid JSON/));
    await assert.rejects(rowsOf('a.json', '[{}'), whose(/truncated/));
    await assert.rejects(rowsOf('a.json', '[{}] x'), whose(/Unexpected text after/));
    await assert.rejects(rowsOf('a.json', '[}]'), whose(/Row 1 isn't valid JSON/));
    await assert.rejects(rowsOf('a.jsonl', '{}\n{'), whose(/Row 2 isn't valid JSON/));
  });

  it('are the same for any split of an array', async () => {
    const values = [{ a: '],[{"\\' }, { b: [1, [2]] }, { c: 'é€😀' }];
    const bytes = Buffer.from(JSON.stringify(values, undefined, 1));
    for (let at = 0; at <= bytes.length; at++) {
      const items: unknown[] = [];
      const pieces = (async function* () {
        yield bytes.subarray(0, at);
        yield bytes.subarray(at);
      })();
      for await (const item of arrayItems(pieces)) items.push(JSON.parse(item.toString()));
      assert.deepEqual(items, values, `cut at ${at}`);
    }
  });

  it('are the lines or the paragraphs of a text', async () => {
    const text = 'one\r\ntwo\r\n \r\n\r\nthree';
    assert.deepEqual(await all(textRows(text, 'line', 10)), [
      ['one', '10'],
      ['two', '11'],
      ['three', '14'],
    ]);
    assert.deepEqual(await all(textRows(text, 'paragraph')), [
      ['one\ntwo', '1'],
      ['three', '5'],
    ]);
  });

  it('are text files, and other files are reported and skipped', async () => {
    writeFileSync(folder.in('a.md'), '\ufeff# A');
    writeFileSync(folder.in('b.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]));
    writeFileSync(folder.in('c.txt'), 'x'.repeat((4 << 20) + 1));
    const left: string[] = [];
    const names = ['docs/a.md', 'b.png', 'c.txt', 'gone.txt'];
    const files = names.map((name) => ({ name, file: folder.in(name.replace('docs/', '')) }));
    const rows = await all(fileRows(files, ({ name, why }) => void left.push(`${name}: ${why}`)));
    assert.deepEqual(rows, [['# A', 'docs/a.md', 'a.md']]);
    assert.match(left.join('\n'), /^b\.png: not UTF-8 text\nc\.txt: larger than 4 MB\ngone\.txt: unreadable: ENOENT/);
  });

  it('are files of up to 4 MB, each reported when processed', async () => {
    const largest = 4 << 20;
    for (const [size, isTaken] of [
      [0, true],
      [largest - 1, true],
      [largest, true],
      [largest + 1, false],
    ] as const) {
      writeFileSync(folder.in('a.txt'), 'x'.repeat(size));
      const left: string[] = [];
      const rows = await all(fileRows([{ name: 'a.txt', file: folder.in('a.txt') }], ({ name }) => left.push(name)));
      assert.deepEqual([rows.map(([text]) => text?.length), left], isTaken ? [[size], []] : [[], ['a.txt']]);
    }
  });
});

describe('Requests from rows', () => {
  const folder = setUpFolder();
  const options = () => ({ target: folder.in('out.jsonl'), replace: false });

  it('pass the checker without an error, whatever the rows contain', async () => {
    const field = anyText();
    await fc.assert(
      fc.asyncProperty(fc.array(field, { minLength: 1 }), field, async (texts, system) => {
        const source: RowSource = {
          columns: ['text'],
          bytes: 0,
          async *rows() {
            for (const text of texts) yield [text];
          },
        };
        const made = { ...recipe, system: system.replaceAll(/[{}]/g, ''), maxTokens: 5, temperature: 0.5 };
        const lines = await firstLines(source, compileRecipe(made, source.columns), texts.length);
        assert.equal(lines.length, texts.length);
        for (const [index, line] of lines.entries()) {
          const { problems } = readLine(line);
          assert.deepEqual(
            problems.filter(({ code }) => defaultSeverities[code] === 'error'),
            [],
          );
          const { body } = JSON.parse(line) as { body: { messages: { content: string }[] } };
          assert.equal(body.messages.at(-1)?.content, texts[index]);
        }
      }),
    );
  });

  it('contain the template with fields inserted', async () => {
    const make = compileRecipe(
      {
        prompt: 'Say {{ word }} in {{lang}}, not \\{{lang}} {n}.',
        system: 'For {{lang}}.',
        model: 'm',
        customId: '{{lang}}-{n}',
      },
      ['word', 'lang'],
    );
    assert.deepEqual(JSON.parse(make(['"hi"', 'fr'], 7).line), {
      custom_id: 'fr-7',
      method: 'POST',
      url: '/v1/chat/completions',
      body: {
        model: 'm',
        messages: [
          { role: 'system', content: 'For fr.' },
          { role: 'user', content: 'Say "hi" in fr, not {{lang}} {n}.' },
        ],
      },
    });
  });

  it("are rejected before a file is written if the template doesn't fit", () => {
    const refused = (change: Partial<Recipe>, pattern: RegExp) =>
      assert.throws(() => compileRecipe({ ...recipe, ...change }, ['text', 'b']), whose(pattern));
    refused({ prompt: '{{txt}}' }, /Unknown column "txt"\. Available columns: \{\{text\}\}, \{\{b\}\}\./);
    refused({ system: '{{txt}}' }, /Unknown column "txt"/);
    refused({ customId: '{{id}}' }, /Unknown column "id"/);
    refused({ prompt: ' ' }, /Enter a prompt/);
    refused({ customId: '' }, /Enter a custom_id pattern/);
    refused({ customId: 'same' }, /same custom_id/);
    refused({ maxTokens: 0 }, /"max_tokens" is out of range/);
    refused({ temperature: 2.5 }, /"temperature" is out of range/);
  });

  it('are written in order, and leave no file if two would have the same ID', async () => {
    const written = await writeRequests(
      textRows('a\nb\na', 'line'),
      compileRecipe(recipe, ['text', 'line']),
      options(),
    );
    const text = readFileSync(folder.in('out.jsonl'), 'utf8');
    const sha256 = createHash('sha256').update(text).digest('hex');
    assert.deepEqual(written, { requests: 3, bytes: Buffer.byteLength(text), sha256 });
    assert.deepEqual(
      text.match(/row-\d|"content":"."/g)?.join(' '),
      'row-1 "content":"a" row-2 "content":"b" row-3 "content":"a"',
    );

    const same = compileRecipe({ ...recipe, customId: '{{text}}' }, ['text', 'line']);
    const other = { ...options(), target: folder.in('other.jsonl') };
    await assert.rejects(
      writeRequests(textRows('a\nb\na', 'line'), same, other),
      whose(/Row 3 repeats the custom_id "a"/),
    );
    await assert.rejects(writeRequests(textRows(' ', 'line'), same, other), whose(/no rows/i));
    assert.deepEqual(readdirSync(folder.path()), ['out.jsonl']);
  });

  it('stop when canceled, and leave no file', async () => {
    writeFileSync(folder.in('in.csv'), `text\n${'some words\n'.repeat(200_000)}`);
    const source = await openRows(folder.in('in.csv'));
    const controller = new AbortController();
    const cancelled = { signal: controller.signal, onProgress: () => controller.abort() };
    const writing = writeRequests(source, compileRecipe(recipe, source.columns), { ...options(), ...cancelled });
    await assert.rejects(writing, { name: 'AbortError' });
    assert.deepEqual(readdirSync(folder.path()), ['in.csv']);
  });
});
