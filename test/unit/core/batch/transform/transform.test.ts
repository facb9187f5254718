import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { isMakingError } from '../../../../../src/core/batch/making/makingError';
import { splitFile } from '../../../../../src/core/batch/transform/split';
import { unchanged } from '../../../../../src/core/batch/transform/unchanged';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { runs } from '../../../../support/runs';
import {
  dropDuplicates,
  mergeFiles,
  sampleFile,
  shuffleFile,
} from '../../../../../src/core/batch/transform/transforms';

const line = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `{"x":${JSON.stringify(text)}}`);
const lines = fc.array(line, { minLength: 1, maxLength: 30 });
const ending = fc.constantFrom('\n', '\r\n');

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1);
const whose = (pattern: RegExp) => (error: unknown) => isMakingError(error) && pattern.test(error.message);

describe('Source files that are read during a transformation', () => {
  const folder = setUpFolder();

  const changes: Readonly<Record<string, (file: string) => void>> = {
    'has more in it': (file) => {
      appendFileSync(file, 'more');
      utimesSync(file, 5, 5);
    },
    'was written again with as much in it': (file) => utimesSync(file, 6, 6),
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`are named if one ${what}`, async () => {
      for (const name of ['a', 'b']) {
        writeFileSync(folder.in(name), 'text');
        utimesSync(folder.in(name), 5, 5);
      }
      const files = [folder.in('a'), folder.in('b')];
      assert.equal(await unchanged(files, async () => 'made'), 'made');
      const whileChanged = unchanged(files, async () => change(folder.in('b')));
      await assert.rejects(whileChanged, whose(/^b changed while saving/));
    });
  }
});

describe('Batch files created from batch files', () => {
  const folder = setUpFolder();
  const write = (name: string, all: readonly string[], end = '\n', isEnded = true) => {
    writeFileSync(folder.in(name), `${all.join(end)}${isEnded ? end : ''}`);
    return folder.in(name);
  };
  const target = () => ({ target: folder.in('out.jsonl'), replace: true });
  const confirm = () => Promise.resolve(true);

  it('have the same lines after splitting and merging', async () => {
    await fc.assert(
      fc.asyncProperty(lines, ending, fc.boolean(), fc.integer({ min: 1, max: 9 }), async (all, end, isEnded, most) => {
        const source = write('in.jsonl', all, end, isEnded);
        const parts =
          (await splitFile(source, { maxLines: most, maxBytes: 400, folder: folder.path(), confirm })) ?? [];
        for (const part of parts) assert.ok(part.lines <= most && part.bytes <= 400);
        assert.equal(
          parts.reduce((sum, part) => sum + part.lines, 0),
          all.length,
        );
        if (parts.length < 2) return;
        assert.equal(parts[1]!.path, folder.in('in-2.jsonl'));
        await mergeFiles(
          parts.map(({ path }) => path),
          target(),
        );
        assert.deepEqual(linesOf(folder.in('out.jsonl')), all);
      }),
      { numRuns: runs(20, 60) },
    );
  });

  it('have one file per URL or model, named after it, with all lines in order', async () => {
    const line = (id: number, url: string | undefined, model: string) => JSON.stringify({ id, url, body: { model } });
    const all = [
      line(1, '/v1/chat/completions', 'a/B'),
      line(2, '/v1/embeddings', 'a-b'),
      line(3, '/v1/chat/completions', 'a/B'),
      line(4, undefined, '../../c'),
      'not JSON',
    ];
    const source = write('in.jsonl', all);
    const split = async (by: 'url' | 'model') => {
      const parts = (await splitFile(source, { by, folder: folder.path(), confirm })) ?? [];
      return parts.map((part) => [path.basename(part.path), linesOf(part.path).map((text) => all.indexOf(text) + 1)]);
    };
    assert.deepEqual(await split('url'), [
      ['in-chat-completions.jsonl', [1, 3]],
      ['in-embeddings.jsonl', [2]],
      ['in-other.jsonl', [4, 5]],
    ]);
    assert.deepEqual(await split('model'), [
      ['in-a-B.jsonl', [1, 3]],
      ['in-a-b-2.jsonl', [2]],
      ['in-c.jsonl', [4]],
      ['in-other.jsonl', [5]],
    ]);
    const same = write('same.jsonl', all.slice(0, 1));
    assert.equal((await splitFile(same, { by: 'url', folder: folder.path(), confirm }))?.length, 1);
    assert.ok(!existsSync(folder.in('same-chat-completions.jsonl')));
    const many = Array.from({ length: 101 }, (_, index) => line(index, `/v1/${index}`, 'm'));
    const tooMany = splitFile(write('many.jsonl', many), { by: 'url', folder: folder.path(), confirm });
    await assert.rejects(tooMany, whose(/maximum is 100/));
    assert.deepEqual(
      readdirSync(folder.path()).filter((name) => name.startsWith('many-')),
      [],
    );
  });

  it('contain every line of a shuffled file once, in the order of the seed', async () => {
    await fc.assert(
      fc.asyncProperty(lines, ending, fc.boolean(), fc.nat(), async (all, end, isEnded, seed) => {
        const source = write('in.jsonl', all, end, isEnded);
        const shuffled = async () => {
          const reported = await shuffleFile(source, seed, target());
          const written = readFileSync(folder.in('out.jsonl'));
          assert.deepEqual(reported, { lines: all.length, bytes: written.length });
          return linesOf(folder.in('out.jsonl'));
        };
        const first = await shuffled();
        assert.deepEqual(first.toSorted(), all.toSorted());
        assert.deepEqual(await shuffled(), first);
      }),
      { numRuns: runs(20, 60) },
    );
  });

  it('have another order with another seed', async () => {
    const source = write(
      'in.jsonl',
      Array.from({ length: 1000 }, (_, index) => `{"x":${index}}`),
    );
    const orders = new Set<string>();
    for (const seed of [0, 1, 2, 3]) {
      await shuffleFile(source, seed, target());
      orders.add(linesOf(folder.in('out.jsonl')).join());
    }
    assert.equal(orders.size, 4);
  });

  it('contain a sample of the lines in order, identical for the same seed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.nat(70), fc.nat(), async (count, requested, seed) => {
        const all = Array.from({ length: count }, (_, index) => `{"x":${index}}`);
        const source = write('in.jsonl', all);
        const sampled = async () => {
          await sampleFile(source, { lines: requested, seed }, target());
          return linesOf(folder.in('out.jsonl'));
        };
        const first = await sampled();
        assert.equal(first.length, Math.min(requested, count));
        assert.deepEqual(
          first,
          all.filter((text) => first.includes(text)),
        );
        assert.deepEqual(await sampled(), first);
      }),
      { numRuns: runs(20, 60) },
    );
  });

  it('contain one percent of the lines, each with the same probability', async () => {
    const source = write(
      'in.jsonl',
      Array.from({ length: 50 }, (_, index) => `{"x":${index}}`),
    );
    const seen = new Map<string, number>();
    for (let seed = 0; seed < 200; seed++) {
      const result = await sampleFile(source, { percent: 20, seed }, target());
      assert.equal(result.lines, 10);
      for (const text of linesOf(folder.in('out.jsonl'))) seen.set(text, (seen.get(text) ?? 0) + 1);
    }
    assert.equal(seen.size, 50);
    // 40 of 200 are expected: a fair choice is within five times its spread of 5.7.
    for (const count of seen.values()) assert.ok(count > 11 && count < 69, String(count));
  });

  it("keep the first of several lines with the same custom_id, and lines that can't be compared", async () => {
    const first = '{"custom_id":"a","body":{"x":1}}';
    const escaped = '{"body":{"x":2},"custom_id":"\\u0061"}';
    const source = write('in.jsonl', [first, 'no JSON', escaped, '{"custom_id":"b"}', 'no JSON', '[]', first]);
    const { dropped } = await dropDuplicates(source, 'customId', target());
    assert.deepEqual(linesOf(folder.in('out.jsonl')), [first, 'no JSON', '{"custom_id":"b"}', 'no JSON', '[]']);
    assert.equal(dropped, 2);
  });

  it('keep the first of several equivalent requests, however they are written', async () => {
    const first = '{"custom_id":"a","body":{"model":"m","top_k":1}}';
    const same = '{"body": {"top_k": 1.0, "model": "\\u006d"}, "custom_id": "b"}';
    const other = '{"custom_id":"a","body":{"model":"m","top_k":[1]}}';
    const deep = `{"custom_id":"d","body":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const source = write('in.jsonl', [first, same, other, deep, deep]);
    await dropDuplicates(source, 'request', target());
    assert.deepEqual(linesOf(folder.in('out.jsonl')), [first, other, deep]);
  });

  it('track as many IDs as a large file has', async () => {
    const all = Array.from({ length: 20_000 }, (_, index) => `{"custom_id":"${index}"}`);
    const source = write('in.jsonl', [...all, ...all]);
    const { lines: saved, dropped } = await dropDuplicates(source, 'customId', target());
    assert.deepEqual([saved, dropped], [20_000, 20_000]);
  });

  it('have neither blank lines nor a byte-order mark, and can have lines longer than a chunk', async () => {
    const long = `{"x":"${'y'.repeat(1 << 20)}"}`;
    writeFileSync(folder.in('in.jsonl'), `\ufeff{"x":1}\r\n\r\n  \n${long}\n{"x":2}`);
    const { lines: count, bytes } = await mergeFiles([folder.in('in.jsonl')], target());
    assert.deepEqual(linesOf(folder.in('out.jsonl')), ['{"x":1}', long, '{"x":2}']);
    assert.deepEqual([count, bytes], [3, readFileSync(folder.in('out.jsonl')).length]);
  });

  it("don't replace existing files without permission, and leave no partial file", async () => {
    const source = write('in.jsonl', ['1', '2', '3']);
    write('in-2.jsonl', ['mine']);
    write('out.jsonl', ['mine too']);
    const asked: string[][] = [];
    const refuse = (existing: readonly string[]) => {
      asked.push([...existing]);
      return Promise.resolve(false);
    };
    assert.equal(await splitFile(source, { maxLines: 1, folder: folder.path(), confirm: refuse }), undefined);
    assert.deepEqual(asked, [[folder.in('in-2.jsonl')]]);
    const merge = mergeFiles([source], { target: folder.in('out.jsonl'), replace: false });
    await assert.rejects(merge, whose(/out\.jsonl already exists/));
    assert.deepEqual(linesOf(folder.in('out.jsonl')), ['mine too']);
    assert.deepEqual(readdirSync(folder.path()), ['in-2.jsonl', 'in.jsonl', 'out.jsonl']);
  });

  it('leave no file after a cancellation, or when their source changes', async () => {
    const source = write(
      'in.jsonl',
      Array.from({ length: 50_000 }, (_, index) => `{"custom_id":"${index}"}`),
    );
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = () => controller.abort();
    const options = { ...target(), signal, onProgress };
    await assert.rejects(shuffleFile(source, 1, options), { name: 'AbortError' });
    await assert.rejects(splitFile(source, { maxLines: 10_000, folder: folder.path(), confirm, signal }), {
      name: 'AbortError',
    });
    const touch = () => writeFileSync(source, '{}\n');
    await assert.rejects(mergeFiles([source], { ...target(), onProgress: touch }), whose(/changed while saving/));
    assert.deepEqual(readdirSync(folder.path()), ['in.jsonl']);
  });

  it("aren't created from empty files, or from lines larger than a part", async () => {
    writeFileSync(folder.in('utf16.jsonl'), Buffer.from('\ufeff{}\n', 'utf16le'));
    await assert.rejects(mergeFiles([folder.in('utf16.jsonl')], target()), whose(/isn't UTF-8/));
    const source = write('in.jsonl', ['1', '123456']);
    const split = splitFile(source, { maxBytes: 5, folder: folder.path(), confirm });
    await assert.rejects(split, whose(/Line 2 is larger than the maximum part size/));
    const empty = write('empty.jsonl', ['', '']);
    await assert.rejects(sampleFile(empty, { percent: 50, seed: 1 }, target()), whose(/no line/i));
    assert.deepEqual(readdirSync(folder.path()), ['empty.jsonl', 'in.jsonl', 'utf16.jsonl']);
  });

  it("aren't split if one part is sufficient", async () => {
    const source = write('in.jsonl', ['1', '2']);
    const parts = await splitFile(source, { maxLines: 2, folder: folder.path(), confirm });
    assert.equal(parts?.length, 1);
    assert.deepEqual(readdirSync(folder.path()), ['in.jsonl']);
  });
});
