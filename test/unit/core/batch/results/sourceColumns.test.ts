import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync, utimesSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { openRows } from '../../../../../src/core/batch/making/openRows';
import { compileRecipe } from '../../../../../src/core/batch/making/recipe';
import { findIdColumn, writeRequests } from '../../../../../src/core/batch/making/writeRequests';
import { copyRows, exportResults } from '../../../../../src/core/batch/results/exportResults';
import { releaseSourceRows, SourceRowsWriter } from '../../../../../src/core/batch/results/sourceRows';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { openTables, shownRows } from './openTable';
import { answerLine, errorLine, requestLine } from './resultLines';

const tickets = [
  ['T-1', 'The export button does nothing', 'Web app', 'bug'],
  ['T-2', 'My invoice shows two charges', 'Desk lamp', 'billing'],
  ['T-3', 'Where is my parcel', 'Bookshelf', 'delivery'],
  ['T-4', 'Please close my account', 'Web app', 'account'],
] as const;

describe("The columns of a batch file's source table", () => {
  const open = openTables();
  const folder = setUpFolder();
  const store = () => folder.in('store');
  const write = (name: string, lines: readonly string[]) => {
    writeFileSync(folder.in(name), lines.map((line) => `${line}\n`).join(''));
    return folder.in(name);
  };
  /** Makes a batch file from a CSV file, as the command does. */
  async function make(rows: readonly (readonly string[])[] = tickets, name = 'tickets', prompt = 'Sort: {{message}}') {
    const csv = write(`${name}.csv`, ['id,message,product,expected', ...rows.map((row) => row.join(','))]);
    const source = await openRows(csv);
    const customId = `{{${await findIdColumn(source)}}}`;
    const request = compileRecipe({ prompt, system: '', model: 'm', customId }, source.columns);
    const target = folder.in(`${name}.requests.jsonl`);
    const stored = await SourceRowsWriter.begin(store(), `${name}-table`, source.columns);
    const onRow = (id: string, row: readonly string[]) => stored.add(id, row);
    const { sha256 } = await writeRequests(source, request, { target, replace: true, onRow });
    assert.ok(await stored.end({ source: `${name}.csv`, path: target, sha256, used: ['message'] }));
    return { target, sha256 };
  }
  const label = (id: string, text: string) => answerLine(id, JSON.stringify({ label: text, sure: 0.5 }));
  const answers = () => [label('T-1', 'bug'), label('T-2', 'Billing'), label('T-3', 'product'), errorLine('T-4', 'no')];
  const results = (input: { readonly path: string; readonly sha256?: string }, run?: string) => ({
    input,
    outputs: [write('output.jsonl', answers())],
    errors: [],
    columns: { store: store(), ...(run !== undefined && { run }) },
  });
  const sourceIn = (table: Awaited<ReturnType<typeof open>>) =>
    table.columns.all.flatMap(({ group, label: name }) => (group === 'source' ? [name] : []));

  it('appear next to the results by custom_id, with the properties of JSON answers', async () => {
    const { target, sha256 } = await make();
    const table = await open(results({ path: target, sha256 }));
    assert.equal(table.summary.columns.source, 'tickets.csv');
    assert.deepEqual(sourceIn(table), ['id', 'message', 'product', 'expected']);
    const shared = table.columns.all.find(({ id }) => id === 'response:label');
    assert.deepEqual([shared?.kind, shared?.share], ['text', 0.75]);
    assert.deepEqual(table.summary.columns.defaults, [
      'run:state',
      'run:customId',
      'run:request',
      'source:product',
      'source:expected',
      'response:label',
      'response:sure',
      'run:tokens',
    ]);
    await table.arrange(
      { state: 'all', query: '', sort: 'line', descending: false },
      { signal: AbortSignal.any([]), onProgress() {} },
    );
    const { rows } = await table.rows(0, 9, ['source:product', 'response:label']);
    assert.deepEqual(
      rows.map(({ customId, cells }) => [customId, cells?.['source:product']?.text, cells?.['response:label']]),
      [
        ['T-1', 'Web app', { text: 'bug', isAsExpected: true }],
        ['T-2', 'Desk lamp', { text: 'Billing', isAsExpected: true }],
        ['T-3', 'Bookshelf', { text: 'product', isAsExpected: false }],
        ['T-4', 'Web app', { text: '' }],
      ],
    );
    assert.deepEqual(table.details(2).source?.[2], { name: 'product', value: 'Bookshelf' });
    assert.equal(table.details(2).isAsExpected, false);
    assert.equal(table.summary.columns.unexpected, 1);
  });

  it('filter, sort and group the rows', async () => {
    const { target, sha256 } = await make();
    const table = await open(results({ path: target, sha256 }));
    const ids = async (view: Parameters<typeof shownRows>[1]) =>
      (await shownRows(table, view)).map(({ customId }) => customId);
    assert.deepEqual(await ids({ query: 'product:web' }), ['T-1', 'T-4']);
    assert.deepEqual(await ids({ query: 'PRODUCT:"web app" close' }), ['T-4']);
    assert.deepEqual(await ids({ query: 'label:bill' }), ['T-2']);
    assert.deepEqual(await ids({ query: 'state:failed' }), ['T-4']);
    // Text with a colon that names no column is searched for as it is.
    assert.deepEqual(await ids({ query: 'sort:' }), ['T-1', 'T-2', 'T-3', 'T-4']);
    assert.deepEqual(await ids({ query: 'https://nowhere' }), []);
    assert.deepEqual(await ids({ isUnexpected: true }), ['T-3']);
    assert.deepEqual(await ids({ sort: 'source:product' }), ['T-3', 'T-2', 'T-1', 'T-4']);
    assert.deepEqual(await ids({ sort: 'response:label', descending: true }), ['T-4', 'T-3', 'T-1', 'T-2']);

    const view = { state: 'all', query: '', sort: 'line', descending: false, groupBy: 'source:product' } as const;
    const quiet = { signal: AbortSignal.any([]), onProgress() {} };
    assert.equal(await table.arrange({ ...view, closed: ['Web app'] }, quiet), 4);
    assert.equal(table.entryCount, 5);
    const { rows } = await table.rows(0, 99);
    assert.deepEqual(
      rows.map(({ heading, customId }) => heading ?? customId),
      [
        { value: 'Bookshelf', count: 1, isClosed: false, asExpected: 0 },
        'T-3',
        { value: 'Desk lamp', count: 1, isClosed: false, asExpected: 1 },
        'T-2',
        { value: 'Web app', count: 2, isClosed: true, asExpected: 1 },
      ],
    );
    assert.equal(table.indexOf(1), 3);
    // Headings are not exported.
    assert.deepEqual(table.rowsOf('shown'), [0, 1, 2, 3]);
  });

  it('appear next to the difference from another run', async () => {
    const { target, sha256 } = await make();
    const table = await open(results({ path: target, sha256 }));
    const long = 'a long answer '.repeat(40);
    const other = [label('T-1', 'bug'), label('T-2', 'refund'), answerLine('T-3', long), errorLine('T-4', 'no')];
    const reference = { input: { path: target }, outputs: [write('other.jsonl', other)], errors: [] };
    const quiet = { signal: AbortSignal.any([]), onProgress() {} };
    assert.equal(await table.compareWith(reference, quiet), 2);
    const view = { state: 'all', query: '', sort: 'line', descending: false, isDifferent: true } as const;
    assert.equal(await table.arrange(view, quiet), 2);
    const { rows } = await table.rows(0, 9, ['reference:answer']);
    const cells = rows.map(({ cells: all }) => all?.['reference:answer']);
    assert.deepEqual(cells[0], { text: 'Billing', before: 'refund' });
    assert.match(cells[1]?.before ?? '', /^a long answer .*…$/);
    assert.match(
      copyRows(table, ['run:customId', 'reference:answer']).text,
      /^custom_id\treference_answer\nT-2\t.*refund/,
    );
    // Both runs failed at the last one, and the second run has no first one.
    const part = [requestLine('T-3', 'x'), requestLine('T-4', 'y')];
    const shorter = {
      ...reference,
      input: { path: write('part.jsonl', part) },
      outputs: [write('o.jsonl', other.slice(3))],
    };
    assert.equal(await table.compareWith(shorter, quiet), 1);
    await table.arrange({ ...view, isDifferent: false }, quiet);
    const { rows: all } = await table.rows(0, 9, ['reference:answer']);
    assert.deepEqual(
      all.map(({ cells: shown }) => shown?.['reference:answer']?.before),
      [undefined, undefined, '', undefined],
    );
    assert.deepEqual([all[0]?.cells, all[3]?.cells], [{}, {}]);
    assert.equal(await table.compareWith(undefined, quiet), 0);
    assert.equal(await table.arrange(view, quiet), 0);
  });

  it('are exported with everything else, or as selected', async () => {
    const { target, sha256 } = await make();
    const table = await open(results({ path: target, sha256 }));
    const run = async (format: 'csv' | 'jsonl' | 'markdown', columns?: readonly string[]) => {
      const file = folder.in(`export.${format}`);
      const quiet = { signal: AbortSignal.any([]), onProgress() {} };
      await exportResults(
        table,
        { format, what: 'all', target: file, replace: true, ...(columns && { columns }) },
        quiet,
      );
      return readFileSync(file, 'utf8');
    };
    const everything = parse(await run('csv'), { bom: true, columns: true }) as readonly Record<string, string>[];
    const { request, id, product, expected, label: answer, as_expected: mark } = everything[2] ?? {};
    assert.deepEqual(
      [request, id, product, expected, answer, mark],
      ['Sort: Where is my parcel', 'T-3', 'Bookshelf', 'delivery', 'product', 'false'],
    );
    const objects = (await run('jsonl'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(objects[1].source, {
      id: 'T-2',
      message: tickets[1][1],
      product: 'Desk lamp',
      expected: 'billing',
    });
    assert.deepEqual([objects[1].as_expected, objects[3].as_expected], [true, null]);
    assert.match(await run('markdown'), /product: Bookshelf/);

    const chosen = ['run:customId', 'source:product', 'response:label', 'run:tokens'];
    assert.match(
      await run('csv', chosen),
      /^\ufeffcustom_id,product,label,total_tokens,as_expected\r\nT-1,Web app,bug,\d*,true\r\n/,
    );
    assert.deepEqual(Object.keys(JSON.parse((await run('jsonl', chosen)).split('\n')[0]!)), [
      'custom_id',
      'product',
      'label',
      'total_tokens',
      'as_expected',
    ]);
    assert.match(
      await run('markdown', ['run:customId', 'source:product']),
      /^\| custom\\_id \| product \|\n\| --- \| --- \|\n\| T-1 \| Web app \|/,
    );
    const { text, rows } = copyRows(table, ['run:customId', 'run:answer', 'source:expected']);
    assert.equal(rows, 4);
    assert.equal(text.split('\n')[2], 'T-2\t"{""label"":""Billing"",""sure"":0.5}"\tbilling');
  });

  it('have the complete long values in exports and comparisons', async () => {
    const long = 'x'.repeat(1000);
    const { target, sha256 } = await make([['T-1', 'Hello', 'Web app', long]]);
    const outputs = [write('long.jsonl', [label('T-1', long)])];
    const table = await open({ ...results({ path: target, sha256 }), outputs });
    const { text } = copyRows(table, ['response:label']);
    assert.equal(text.split('\n')[1], `${long}\ttrue`);
    const file = folder.in('long.csv');
    const quiet = { signal: AbortSignal.any([]), onProgress() {} };
    await exportResults(table, { format: 'csv', what: 'all', target: file, replace: true }, quiet);
    const [row] = parse(readFileSync(file, 'utf8'), { bom: true, columns: true }) as readonly Record<string, string>[];
    assert.equal(row?.['label'], long);
  });

  it('are deleted with the record of their batch, and stay with the run and further runs of the file', async () => {
    const { target, sha256 } = await make();
    await make([['X-1', 'Another table', 'Web app', 'bug']], 'other');
    const runs = ['2026-01-01 one', '2026-01-02 two'].map((name) => folder.in(`runs/${name}`));
    for (const run of runs) mkdirSync(run, { recursive: true });
    await releaseSourceRows({ store: store(), run: runs[0]! }, { path: target, sha256 });
    assert.deepEqual(readdirSync(store()), ['other-table.rows']);
    for (const run of runs)
      assert.deepEqual(sourceIn(await open(results({ path: target, sha256 }, run))), [
        'id',
        'message',
        'product',
        'expected',
      ]);
  });

  it('survive an edit, and without a run are deleted with the file', async () => {
    const { target, sha256 } = await make();
    writeFileSync(target, readFileSync(target, 'utf8').replace('two charges', 'three charges'));
    const edited = { path: target, sha256: 'f'.repeat(64) };
    await releaseSourceRows({ store: store() }, edited);
    assert.equal(readdirSync(store()).length, 1);
    const run = folder.in('runs/2026-01-01 one');
    mkdirSync(run, { recursive: true });
    await releaseSourceRows({ store: store(), run }, edited);
    assert.deepEqual([readdirSync(store()), readdirSync(run)], [[], ['source.rows']]);
    await make();
    rmSync(target);
    await releaseSourceRows({ store: store() }, { path: target, sha256 });
    assert.deepEqual(readdirSync(store()), []);
  });

  it('stay in the store as long as their batch file has no other copy', async () => {
    const { target, sha256 } = await make();
    await releaseSourceRows({ store: store(), run: folder.in('runs/deleted') }, { path: target, sha256 });
    assert.deepEqual(sourceIn(await open(results({ path: target, sha256 }))), ['id', 'message', 'product', 'expected']);
  });

  it('are kept for a batch file that was recreated at the same path', async () => {
    const before = await make();
    const run = folder.in('runs/2026-01-01 one');
    mkdirSync(run, { recursive: true });
    await open(results({ path: before.target, sha256: before.sha256 }, run));
    rmSync(folder.in('store/tickets-table.rows'));
    const now = await make(tickets.map(([id, text, , expected]) => [id, `${text} again`, 'Lamp', expected]));
    await releaseSourceRows({ store: store(), run }, { path: before.target, sha256: before.sha256 });
    assert.deepEqual(readdirSync(store()), ['tickets-table.rows']);
    assert.equal((await open(results({ path: now.target, sha256: now.sha256 }))).details(1).source?.[2]?.value, 'Lamp');
  });

  it('stay in a copy with the run, whatever happens to the store and the file', async () => {
    const { target, sha256 } = await make();
    const run = folder.in('run');
    mkdirSync(run);
    await open(results({ path: target, sha256 }, run));
    assert.deepEqual(readdirSync(run), ['source.rows']);
    const edited = write('other.jsonl', [answerLine('T-1', 'x')]);
    const table = await open({ ...results({ path: edited }, run), columns: { store: folder.in('none'), run } });
    assert.deepEqual(sourceIn(table), ['id', 'message', 'product', 'expected']);
  });

  it('are found for a file that was renamed, edited, or has only some of the lines', async () => {
    const { target } = await make();
    await make([['T-1', 'Something else', 'x', 'y']], 'others');
    const lines = readFileSync(target, 'utf8').trimEnd().split('\n');
    const renamed = write(
      'renamed.jsonl',
      lines.map((line) => line.replace('Sort: ', 'Please sort this: ')),
    );
    assert.equal((await open(results({ path: renamed }))).summary.columns.source, 'tickets.csv');
    const part = write('part.jsonl', lines.slice(2));
    assert.equal((await open(results({ path: part }))).summary.columns.source, 'tickets.csv');
  });

  it("aren't used for another file with the same IDs or path", async () => {
    const { target } = await make();
    const lines = readFileSync(target, 'utf8').trimEnd().split('\n');
    const other = lines.map((line, number) => line.replace(/Sort: [^"]*/, `Question ${number}`));
    assert.deepEqual(sourceIn(await open(results({ path: write('same-ids.jsonl', other) }))), []);
    writeFileSync(target, other.map((line) => `${line}\n`).join(''));
    assert.deepEqual(sourceIn(await open(results({ path: target }))), []);
  });

  it("aren't used for another file with the same IDs if no field shows the difference", async () => {
    const { target } = await make([['T-1', '', 'Web app', 'bug']]);
    const other = readFileSync(target, 'utf8').replace('Sort: ', 'Translate: house');
    assert.deepEqual(sourceIn(await open(results({ path: write('same-ids.jsonl', [other.trimEnd()]) }))), []);
  });

  it('are omitted if the table is incomplete', async () => {
    const { target, sha256 } = await make();
    truncateSync(path.join(store(), 'tickets-table.rows'), 60);
    assert.deepEqual(sourceIn(await open(results({ path: target, sha256 }))), []);
  });

  it('are limited to a number of tables, and the oldest are dropped', async () => {
    mkdirSync(store(), { recursive: true });
    for (let number = 0; number < 205; number++) {
      const file = path.join(store(), `old-${number}.rows`);
      writeFileSync(file, '[]\n');
      utimesSync(file, 1000 + number, 1000 + number);
    }
    await make();
    const left = readdirSync(store());
    assert.equal(left.length, 200);
    assert.ok(left.includes('tickets-table.rows') && !left.includes('old-0.rows') && left.includes('old-204.rows'));
  });

  it('are complete in a table of 600 columns with long names', async () => {
    const columns = Array.from({ length: 600 }, (_, number) => `column ${number} ${'n'.repeat(180)}`);
    const { target, sha256 } = await make();
    const stored = await SourceRowsWriter.begin(store(), 'wide', columns);
    await stored.add(
      'T-1',
      columns.map((_, number) => `value ${number}`),
    );
    rmSync(path.join(store(), 'tickets-table.rows'));
    assert.ok(await stored.end({ source: 'wide.csv', path: target, sha256, used: [] }));
    const table = await open(results({ path: target, sha256 }));
    assert.deepEqual(sourceIn(table), columns);
    assert.equal(table.details(0).source?.[599]?.value, 'value 599');
  });

  it('are truncated if a field is very long', async () => {
    const { target, sha256 } = await make([['T-1', 'a', `${'p'.repeat(20_000)}`, 'bug']]);
    const table = await open(results({ path: target, sha256 }));
    const [, , product] = table.details(0).source ?? [];
    assert.equal(product?.value, `${'p'.repeat(10_000)}…`);
  });
});

describe('The ID column of a table', () => {
  const folder = setUpFolder();
  const columnIn = async (text: string) => {
    writeFileSync(folder.in('rows.csv'), text);
    return findIdColumn(await openRows(folder.in('rows.csv')));
  };

  it('has a valid and unique field in every row', async () => {
    assert.equal(await columnIn('ID,text\nT-1,a\nT-2,b\n'), 'ID');
    assert.equal(await columnIn('id,custom_id\n1,x\n2,y\n'), 'custom_id');
    assert.equal(await columnIn('id,custom_id\n1,x\n2,x\n'), 'id');
  });

  it('has no repeated, empty, or unsuitable fields', async () => {
    for (const rows of ['1,a\n1,b', '1,a\n"",b', '"a b",a\n2,b', `${'x'.repeat(65)},a\n2,b`])
      assert.equal(await columnIn(`id,text\n${rows}\n`), undefined, rows);
    assert.equal(await columnIn('number,text\n1,a\n'), undefined);
  });
});
